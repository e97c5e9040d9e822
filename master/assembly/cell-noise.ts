/**
 * How noisy a cell of 8 × 8 px still is, by its own sums alone: a function of nothing that depends on workers, tiles or time. Where the frame is
 * denoised, a cell that is too noisy by that is judged by the denoised picture as well, which estimates its own errors (`denoise/kernel/error.ts`).
 *
 * Each pass of an adaptive frame takes as many samples of a pixel as all passes before it. So there are two estimates of equal weight,
 * A from before and B from the newest pass, and (A − B)² / 4 is an unbiased estimate of the variance of their mean where they are
 * independent. The last pass may be shorter, and those that time cuts short are: of a and b samples, (A − B)² has the variance of one sample times 1/a + 1/b, and their
 * mean has it times 1/(a + b), so the factor is ab / (a + b)² then. (Samples of one Owen-scrambled sequence complement each other: then the true variance is lower still.) One pixel says
 * little, so the squares are averaged over the cell and over red, green and blue. Hachisuka et al., "Multidimensional Adaptive
 * Sampling", SIGGRAPH 2008, §2, and Dammertz et al., "A Hierarchical Automatic Stopping Condition for Monte Carlo Global
 * Illumination", WSCG 2010, which compares half-buffers in the same way.
 */
import { type CellMask, NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import { joined } from '../../shared/light/accumulate.ts'
import type { DenoisedPicture } from './denoising.ts'

/** Light that counts as dark, after exposure: below it noise is compared with this instead of with the cell's own light. */
export const DARK = 0.05

export interface NoiseLimit {
  /** The most standard error of a cell, as a share of its mean light. */
  readonly noise: number
  /** That sums are shown with: how much light counts as dark depends on it. */
  readonly exposure: number
}

/** `light` channels of a frame, or of rows of cells of one: sums over the samples before the newest range, and over those of it. */
export interface HalvedSums {
  readonly size: Size
  readonly before: Float64Array
  readonly newest: Float64Array
  /** The newest range; as long as all before it together, or shorter. */
  readonly range: SampleRange
  /** Samples that the weights in sums are for. */
  readonly most: number
}

/** The denoised light of a frame, or of rows of cells of one, and its estimated square errors (`denoising.ts`). */
export interface JudgedPicture extends Required<DenoisedPicture> {
  readonly size: Size
}

/** What cells are judged by. */
export type Judged = HalvedSums | JudgedPicture

/** The noise of each cell of `open` that is noisier than the limit, as the limit has it, and 0 for all others, row-major. */
export function noiseAbove(judged: Judged, { noise, exposure }: NoiseLimit, open: CellMask): Float64Array<ArrayBuffer> {
  const floor = DARK / exposure
  const above = new Float64Array(open.columns * open.rows)
  for (let row = 0; row < open.rows; row++)
    for (let column = 0; column < open.columns; column++) {
      if (!open.has(column, row)) continue
      const { error, mean } = 'errors' in judged ? denoisedNoise(judged, column, row) : cellNoise(judged, column, row)
      const light = mean + floor
      if (error > noise * light) above[row * open.columns + column] = bounded(light > 0 ? error / light : MOST_NOISE)
    }
  return above
}

/** Sums come from workers, and may be of any size, or below 0: what is said of them has bounds far beyond those of sums that were traced. */
const LEAST_NOISE = 1e-30
const MOST_NOISE = 1e9
const bounded = (noise: number): number => Math.min(Math.max(noise, LEAST_NOISE), MOST_NOISE)

/** What keeps a frame from its limit. */
export interface NoiseLeft {
  /** Of its pixels, in cells that are noisier. */
  readonly share: number
  /** The noise of the worst of them, as the limit has it; 0 without any. */
  readonly most: number
}

/** @param open cells of a frame that are noisier than its limit @param above their noise, and 0 for all others */
export function noiseLeft(open: CellMask, above: Float64Array): NoiseLeft {
  const [w, h] = open.size
  return { share: open.pixels / (w * h), most: above.reduce((most, noise) => Math.max(most, noise), 0) }
}

interface CellNoise {
  readonly error: number
  readonly mean: number
}

/** The same of a denoised picture: the root of the mean of estimated square errors stands for the standard error. */
export function denoisedNoise({ size, light, errors }: JudgedPicture, column: number, row: number): CellNoise {
  const [left, right, top, bottom] = edgesOf(size, column, row)
  let squares = 0
  let total = 0
  for (let y = top; y < bottom; y++)
    for (let i = y * size[0] + left; i < y * size[0] + right; i++) {
      squares += errors[i]!
      for (let c = 0; c < 3; c++) total += light[i * 3 + c]!
    }
  const pixels = (right - left) * (bottom - top)
  return { error: Math.sqrt(squares / pixels), mean: total / (pixels * 3) }
}

/** Of a cell's pixels: from left to right and from top to bottom, exclusive. */
const edgesOf = ([w, h]: Size, column: number, row: number): [number, number, number, number] => [
  column * NOISE_CELL,
  Math.min(w, (column + 1) * NOISE_CELL),
  row * NOISE_CELL,
  Math.min(h, (row + 1) * NOISE_CELL),
]

/** Standard error and mean of a cell's light, over its pixels and over red, green and blue. */
export function cellNoise(
  { size, before, newest, range: { from, to }, most }: HalvedSums,
  column: number,
  row: number,
): CellNoise {
  const [w] = size
  const [left, right, top, bottom] = edgesOf(size, column, row)
  const [scaleA, scaleB] = [most / from, most / (to - from)]
  let squares = 0
  let total = 0
  for (let y = top; y < bottom; y++)
    for (let i = (y * w + left) * 3; i < (y * w + right) * 3; i++) {
      const a = before[i]!
      const sum = joined(a, newest[i]!)
      const difference = a * scaleA - (sum - a) * scaleB
      squares += difference * difference
      total += sum
    }
  const values = (right - left) * (bottom - top) * 3
  const factor = Math.sqrt(from * (to - from)) / to
  return { error: Math.sqrt(squares / values) * factor, mean: (total * most) / (to * values) }
}
