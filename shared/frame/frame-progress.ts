/** How far a frame has come, while it is made. */
import * as z from 'zod'
import { type Immutable, ms, whole } from '../text/numbers.ts'

const share = z.number().min(0).max(1)

export const frameProgressSchema = z.object({
  frame: whole,
  /** Since its first tiles were ordered. */
  elapsedMs: ms,
  /** The pass in progress, from 1, and how many there will be; of an adaptive frame, or one with a time limit, at most so many. */
  pass: z.int().min(1),
  passes: z.int().min(1),
  /** Of a pixel, once the pass is complete, and in all; of these frames at most so many. */
  samples: z.int().min(1),
  mostSamples: z.int().min(1),
  /**
   * Share of the predicted work that is done. Which cells of an adaptive frame will need all samples is not known: if all that still do, it is
   * `least`, and if none does after this pass, `most`; of other frames these are equal. With a time limit at least the share of it that is over.
   */
  least: share,
  most: share,
  /** Of an adaptive frame: share of its pixels that have reached the noise limit. */
  settled: share.exactOptional(),
  /** Of a frame with a time limit: what it is. */
  timeMs: ms.exactOptional(),
})

export type FrameProgress = Immutable<z.infer<typeof frameProgressSchema>>
