/** Whether an adaptive frame has met its noise limit, and how many samples it would have taken. Pure. */
import { MAX_SAMPLES } from '../../shared/frame/frame-limits.ts'
import type { NoiseReport } from '../../shared/frame/frame-report.ts'

/** What is known of it when it is complete. */
export interface NoiseFacts {
  /** The most noise that a cell was to have. */
  readonly limit: number
  /** Share of the pixels that are in noisier cells, and the noise of the worst of these; undefined: nothing was compared. */
  readonly share: number
  readonly most?: number
  /** Whether it is the noise that denoising leaves. */
  readonly denoised?: true
}

/** @param taken samples of each of those pixels: of all that were not left out of a pass */
export function noiseReport({ limit, share, most, denoised }: NoiseFacts, taken: number): NoiseReport {
  const of = denoised ? { limit, denoised } : { limit }
  if (share === 0 || most === undefined) return { ...of, share }
  const samples = samplesFor(taken, most / limit)
  return { ...of, share, most, ...(samples === undefined ? {} : { samples }) }
}

/**
 * The power of two that brings noise down by a factor: the standard error of a mean falls with the square root of the number of samples.
 * Undefined if it is more than a pixel may have.
 */
export function samplesFor(taken: number, factor: number): number | undefined {
  for (let samples = 1; samples <= MAX_SAMPLES; samples *= 2) if (samples >= taken * factor * factor) return samples
  return undefined
}
