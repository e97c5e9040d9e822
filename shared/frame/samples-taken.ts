/** Samples that the pixels of a frame have, where some may have more than others. Pure. */
import type { FrameReport, PassReport } from './frame-report.ts'

type Pass = Pick<PassReport, 'from' | 'to' | 'pixels'>

/** Of a pixel, mean over the frame. What a resumed frame had before counts as if all of its pixels had it. @param pixels of the frame */
export function meanSamples(passes: readonly Pass[], pixels: number): number {
  const taken = passes.reduce((sum, { from, to, pixels }) => sum + (to - from) * pixels, 0)
  return (passes[0]?.from ?? 0) + taken / pixels
}

/** As a page is told. @param all samples of each pixel of a frame that has no passes to tell by */
export function samplesOf(
  { passes, size: [w, h] }: Pick<FrameReport, 'passes' | 'size'>,
  all: number,
): { readonly samples: number; readonly mostSamples: number } {
  if (!passes) return { samples: all, mostSamples: all }
  const mostSamples = passes.findLast(({ pixels }) => pixels > 0)?.to ?? all
  return { samples: meanSamples(passes, w * h), mostSamples }
}
