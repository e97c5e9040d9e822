/**
 * Rays of scattered pixels share less of their path through a scene than those of neighbours, so tracing them takes
 * longer than their share of the whole picture would. Fitted to timings of the wasm engine for lattices, single pixels
 * and single rows of a 640k-triangle scan, most within 15 %.
 */
import type { PixelSet } from '../../shared/frame/pixel-set.ts'

/** Cells at least this wide and high are traced like any rectangle, px. */
const WHOLE_SIDE = 8

/** Cost of a set of pixels relative to that of the same pixels traced among their neighbours, at least 1. */
export function coherenceFactor({ pattern }: Pick<PixelSet, 'pattern'>): number {
  switch (pattern?.kind) {
    case 'lattice':
      return (1 + 0.55 * (1 - 1 / pattern.stepX)) * Math.max(1, pattern.stepY / pattern.stepX) ** 0.1
    case 'strided':
    case 'cells':
      return 1 + 0.13 * thinness(pattern.cellW) + 0.18 * thinness(pattern.cellH)
    case 'mask':
      return pattern.of ? coherenceFactor({ pattern: pattern.of }) : 1
    default:
      return 1
  }
}

/** 1 for a single pixel, 0 from `WHOLE_SIDE` on. */
const thinness = (side: number): number => Math.max(0, (WHOLE_SIDE - side) / (WHOLE_SIDE - 1))
