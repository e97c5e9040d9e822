/**
 * Motion blur: the samples of a frame are divided among moments of the time for which its shutter is open, which begins at the
 * frame's own time. Each moment is a pass, with the scene and the camera of its time.
 */
import { MAX_MOMENTS } from '../../shared/frame/frame-limits.ts'

/** Number of moments. */
export const TIME_STEPS = { least: 2, most: MAX_MOMENTS, usual: 8 } as const

export interface Shutter {
  /** For which share of a frame's time it is open, above 0 to 1. */
  readonly share: number
  /** Number of moments, at most as many as samples. */
  readonly steps: number
}

/** When a frame is seen, as fractions of frame numbers: the middles of equal parts of the time for which its shutter is open. */
export const timesOf = (frame: number, { share, steps }: Shutter): number[] =>
  Array.from({ length: steps }, (_, k) => frame + (share * (k + 0.5)) / steps)
