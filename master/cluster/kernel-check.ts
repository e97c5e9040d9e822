/**
 * Only workers that produce the same bytes for the same pixels may share a frame. Each names its kernel in its hello, and
 * the master accepts only those of its own release.
 */
import { SortfirstError } from '../../shared/errors.ts'
import type { AreaOffer } from '../../shared/protocol/messages.ts'

/** Fingerprints of the engines that workers may render with, by the engine's name; ANY_KERNEL: that of the first who is here. */
export type ExpectedKernels = Readonly<Record<string, string>>

export const ANY_KERNEL = ''

/** A worker's kernel differs from that of the master's release. */
export class KernelMismatchError extends SortfirstError {
  readonly code = 'KERNEL_MISMATCH'
  readonly worker: string
  readonly expected: string
  readonly got: string
  constructor(worker: string, expected: string, got: string, advice: string) {
    super(`worker ${worker} renders with kernel ${got}, expected ${expected}; ${advice}`)
    this.worker = worker
    this.expected = expected
    this.got = got
  }
}

/**
 * @param present those who are here
 * @throws KernelMismatchError
 */
export function checkKernel(
  area: Pick<AreaOffer, 'engine' | 'kernel'> & { name: string },
  kernels: ExpectedKernels,
  present: Iterable<Pick<AreaOffer, 'engine' | 'kernel'>> = [],
): void {
  const { name, engine, kernel } = area
  const isPinned = kernels[engine] === ANY_KERNEL
  const first = isPinned ? [...present].find(area => area.engine === engine) : undefined
  const expected = first?.kernel ?? kernels[engine]
  if (expected === kernel || expected === ANY_KERNEL) return
  if (expected !== undefined)
    throw new KernelMismatchError(
      name,
      expected,
      kernel,
      isPinned
        ? `frames of ${engine} are traced by adapters of one kind and driver alone; give it a master of its own, or use --engine wasm with --accelerator webgpu`
        : 'run the same release of sortfirst on both machines',
    )
  const known = Object.entries(kernels)
    .filter(([, fingerprint]) => fingerprint !== ANY_KERNEL)
    .map(([known, fingerprint]) => `${fingerprint} (${known})`)
  throw new KernelMismatchError(
    name,
    known.join(' or ') || 'none',
    `${kernel} (${engine})`,
    'run the same release of sortfirst on both machines, with --fast-math on both or on neither',
  )
}
