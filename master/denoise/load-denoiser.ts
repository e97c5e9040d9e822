/** Finds the compiled kernel of the denoiser where the build puts it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { moduleUrl } from '../../shared/node/program-files.ts'
import type { Denoise } from '../assembly/denoising.ts'
import { denoiser, type Kernel, openKernel } from './denoiser.ts'

/** This installation, or this machine, lacks what the denoiser needs. */
export class DenoiserUnavailableError extends SortfirstError {
  readonly code = 'DENOISER_UNAVAILABLE'
  constructor(path: string, cause: unknown) {
    super(
      `frames cannot be denoised here: expected a kernel for WebAssembly SIMD at ${path}, got ${messageOf(cause)}; run 'npm run build', or omit --denoise`,
      { cause },
    )
  }
}

/** For one thread. @throws DenoiserUnavailableError */
export const loadDenoiser = (): Denoise => denoiser(loadKernel())

/** @throws DenoiserUnavailableError */
export function loadKernel(): Kernel {
  const path = fileURLToPath(moduleUrl('master/denoise/denoise.wasm'))
  try {
    return openKernel(new WebAssembly.Module(readFileSync(path)))
  } catch (error) {
    throw new DenoiserUnavailableError(path, error)
  }
}
