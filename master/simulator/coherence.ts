/**
 * Rays of pixels that lie apart share less of their way through a scene than neighbours do, so tracing them takes longer
 * than their part of the whole picture would. Fitted to what the wasm engine took for lattices, single pixels and single
 * rows of a 640k-triangle scan, most within 15 %.
 */
import type { PixelSet } from '../../shared/pixel-set.ts'

/** Cells at least so wide and high are traced like any rectangle, px. */
const WHOLE_SIDE = 8

/** What a set of pixels takes over what the same pixels take among their neighbours, at least 1. */
export function coherenceFactor({ pattern }: PixelSet): number {
  switch (pattern?.kind) {
    case 'lattice':
      return (1 + 0.55 * (1 - 1 / pattern.stepX)) * Math.max(1, pattern.stepY / pattern.stepX) ** 0.1
    case 'strided':
    case 'cells':
      return 1 + 0.13 * thinness(pattern.cellW) + 0.18 * thinness(pattern.cellH)
    default:
      return 1
  }
}

/** 1 for a single pixel, 0 for what is whole. */
const thinness = (side: number): number => Math.max(0, (WHOLE_SIDE - side) / (WHOLE_SIDE - 1))
