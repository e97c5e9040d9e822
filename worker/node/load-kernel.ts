/** Finds the compiled kernel where the build puts it, beside the engine's own modules. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../shared/errors.ts'
import { ENGINE_MODULE, moduleFingerprint } from '../../shared/node/module-fingerprint.ts'
import { moduleUrl } from '../../shared/node/program-files.ts'
import type { KernelName } from '../engine/engine.ts'
import { EngineUnavailableError } from '../engine/errors.ts'
import type { InstancingRule } from '../engine/wasm/instances/instancing.ts'
import { WasmEngine } from '../engine/wasm/wasm-engine.ts'
import type { PixelsElsewhere, RaysElsewhere } from '../engine/wasm/wasm-tracer.ts'

interface Variant {
  readonly file: string
  /** What the runtime must support, and what to do if it does not. */
  readonly needs: string
  readonly instead: string
  /** Whether rays are traced one by one. */
  readonly alone?: boolean
}

/** A processor without SSE 4.1 or Neon, or a Node.js that was told not to compile. */
const SIMD = {
  needs: 'WebAssembly SIMD',
  instead: 'use a 64-bit processor with SSE 4.1 or Neon, and start Node.js without --jitless',
}

const VARIANTS: Readonly<Record<KernelName, Variant>> = {
  wasm: { file: 'kernel.wasm', ...SIMD },
  'wasm-fast': {
    file: 'kernel-fast.wasm',
    needs: 'relaxed WebAssembly SIMD',
    instead: 'omit --fast-math, or use Node.js 22 or newer',
  },
  reference: { file: 'kernel.wasm', ...SIMD, alone: true },
}

/** Known even where the engine cannot run. @throws EngineUnavailableError if it was not built */
export const wasmFingerprint = (name: KernelName): string => fingerprintOf(readKernel(name))

/**
 * @param instancing the rule by which meshes are instanced, if not the engine's own
 * @param device traces rays of scenes that are there, or computes their pixels
 * @throws EngineUnavailableError
 */
export function loadWasmEngine(
  name: KernelName,
  instancing?: InstancingRule,
  device?: RaysElsewhere | PixelsElsewhere,
): WasmEngine {
  const bytes = readKernel(name)
  try {
    const kernel = new WebAssembly.Module(bytes)
    return new WasmEngine(name, kernel, () => fingerprintOf(bytes), VARIANTS[name].alone, instancing, device)
  } catch (error) {
    const { needs, instead } = VARIANTS[name]
    const reason = /simd/i.test(messageOf(error))
      ? `this machine's processor or Node.js ${process.version} lacks ${needs}; ${instead}`
      : `its kernel at ${pathOf(name)} is damaged (${messageOf(error)}); run 'npm run build'`
    throw new EngineUnavailableError(name, reason, error)
  }
}

/** The engine of a device that traces rays or whole paths, if there is one yet. @throws EngineUnavailableError */
export const loadDeviceEngine = (device?: RaysElsewhere | PixelsElsewhere): WasmEngine =>
  loadWasmEngine('wasm', undefined, device)

const pathOf = (name: KernelName): string => fileURLToPath(moduleUrl(`worker/engine/wasm/${VARIANTS[name].file}`))

const fingerprintOf = (kernel: Uint8Array): string => moduleFingerprint(ENGINE_MODULE, kernel)

function readKernel(name: KernelName): Uint8Array {
  const path = pathOf(name)
  try {
    return readFileSync(path)
  } catch (error) {
    throw new EngineUnavailableError(
      name,
      `expected its kernel at ${path}, got ${messageOf(error)}; run 'npm run build'`,
      error,
    )
  }
}
