/**
 * Where an adaptive frame has its samples: a coarse grid of how many a pixel has, mean of each of its cells, in few bytes. Tiles of later passes
 * hold the pixels that were still noisy; within a tile, these count as if they were everywhere. Pure.
 */
import type { FrameReport } from '../frame/frame-report.ts'
import { pixelCount } from '../frame/pixel-set.ts'
import type { Size } from '../frame/rect.ts'
import { NumberReader, NumberWriter } from './varints.ts'

/** Cells along the longer side. */
const MOST = 12
/** Steps of a factor of two, from one sample on. */
const STEPS = 8

export interface SampleGrid {
  readonly columns: number
  readonly rows: number
  /** Samples of a pixel, row by row. */
  readonly samples: readonly number[]
}

/** @returns undefined if all pixels have as many */
export function sampleGrid({ size, passes = [], tiles }: FrameReport): string | undefined {
  const [w, h] = size
  if (passes.every(({ pixels }) => pixels >= w * h)) return undefined
  const { columns, rows } = gridOf(size)
  const sums = new Float64Array(columns * rows)
  let pass = 0
  let left = passes[0]!.pixels
  for (const tile of tiles) {
    const count = pixelCount(tile)
    while (left <= 0 && pass + 1 < passes.length) left += passes[++pass]!.pixels
    left -= count
    const { from, to } = passes[pass]!
    const { x, y, w: width, h: height } = tile.rect
    const perPixel = (count * (to - from)) / (width * height)
    for (const [row, high] of overlaps(y, height, h / rows))
      for (const [column, wide] of overlaps(x, width, w / columns))
        sums[row * columns + column]! += perPixel * high * wide
  }
  const pixels = (w * h) / (columns * rows)
  const writer = new NumberWriter()
  for (const sum of sums) writer.put(sum > 0 ? 1 + STEPS * Math.log2(Math.max(1, sum / pixels)) : 0)
  return writer.text
}

export function readSampleGrid(text: string, size: Size): SampleGrid {
  const { columns, rows } = gridOf(size)
  const reader = new NumberReader(text)
  const samples = Array.from({ length: columns * rows }, () => {
    const step = reader.take()
    return step === 0 ? 0 : 2 ** ((step - 1) / STEPS)
  })
  return { columns, rows, samples }
}

function gridOf([w, h]: Size): { readonly columns: number; readonly rows: number } {
  const side = Math.max(w, h) / MOST
  return { columns: Math.max(1, Math.round(w / side)), rows: Math.max(1, Math.round(h / side)) }
}

/** The parts of a line that an interval covers, and by how much of it. */
function* overlaps(from: number, length: number, side: number): Generator<readonly [number, number]> {
  const to = from + length
  for (let i = Math.floor(from / side); i * side < to - 1e-9; i++) {
    const much = Math.min(to, (i + 1) * side) - Math.max(from, i * side)
    if (much > 1e-9) yield [i, much]
  }
}
