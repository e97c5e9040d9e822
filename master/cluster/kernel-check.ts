/**
 * Only workers that produce the same bytes for the same pixels may share a frame. Each names its kernel in its hello, and
 * the master accepts only those of its own release.
 */
import { SortfirstError } from '../../shared/errors.ts'
import type { AreaOffer } from '../../shared/protocol/messages.ts'

/** Fingerprints of the engines that workers may render with, by the engine's name. */
export type ExpectedKernels = Readonly<Record<string, string>>

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

/** @throws KernelMismatchError */
export function checkKernel(
  area: Pick<AreaOffer, 'engine' | 'kernel'> & { name: string },
  kernels: ExpectedKernels,
): void {
  const { name, engine, kernel } = area
  const expected = kernels[engine]
  if (expected === kernel) return
  if (expected !== undefined)
    throw new KernelMismatchError(name, expected, kernel, 'run the same release of sortfirst on both machines')
  const known = Object.entries(kernels).map(([known, fingerprint]) => `${fingerprint} (${known})`)
  throw new KernelMismatchError(
    name,
    known.join(' or ') || 'none',
    `${kernel} (${engine})`,
    'run the same release of sortfirst on both machines, with --fast-math on both or on neither',
  )
}
