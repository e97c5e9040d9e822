/**
 * Costs of a tile's cells, summed by all threads at once. A thread first sums the pixels of a batch by cell privately and then
 * adds once to each cell that they touch, so that no per-pixel data as large as the tile is kept.
 */
import { forEachRun, type PixelSet } from '../../shared/frame/pixel-set.ts'
import { raysPerPixel } from '../../shared/frame/rays-per-pixel.ts'
import type { Rect } from '../../shared/frame/rect.ts'
import type { Quality } from '../../shared/frame/view.ts'
import { type CellRange, cellRange, type TileCells } from '../../shared/protocol/cell-costs.ts'
import { type PixelWork, pixelWork } from '../engine/work.ts'
import { TileRoom } from './shared-room.ts'

/** Approximate steps per ray, and the largest expected sum: a cell may exceed it 2^32 / 2^28 times and still fit 32 bits. */
const STEPS_PER_RAY = 64
const LARGEST_EXPECTED = 2 ** 28

/** Cells of a tile in shared memory; the buffers may be longer. */
export interface SharedCells {
  /** Side of a cell, px. */
  readonly cell: number
  /** u32 per cell, work times `scale`, row-major over the tile's cells. */
  readonly sums: SharedArrayBuffer
  readonly scale: number
  /** f32 per cell. */
  readonly depths: SharedArrayBuffer
  readonly pixelWork: PixelWork
}

/** @param quality of the pass: with the number of samples that are taken */
export function shareCells(rect: Rect, cell: number, quality: Quality, room = new TileRoom()): SharedCells {
  const { columns, rows } = cellRange(rect, cell)
  const bytes = columns * rows * 4
  const [sums, depths] = [room.sums.ofBytes(bytes), room.depths.ofBytes(bytes)]
  new Uint32Array(sums, 0, columns * rows).fill(0)
  new Float32Array(depths, 0, columns * rows).fill(Number.NaN)
  const expected = cell * cell * raysPerPixel(quality) * STEPS_PER_RAY
  const scale = Math.min(1, LARGEST_EXPECTED / expected)
  return { cell, sums, scale, depths, pixelWork: pixelWork(quality) }
}

/** A thread's view of the cells of one tile. */
export class CellSums {
  readonly #cell: number
  readonly #scale: number
  readonly #pixelWork: PixelWork
  readonly #range: CellRange
  readonly #sums: Uint32Array
  readonly #depths: Float32Array
  /** Sums of one batch. */
  #batch = new Float64Array(0)

  constructor({ cell, sums, scale, depths, pixelWork }: SharedCells, rect: Rect) {
    this.#cell = cell
    this.#scale = scale
    this.#pixelWork = pixelWork
    this.#range = cellRange(rect, cell)
    this.#sums = new Uint32Array(sums)
    this.#depths = new Float32Array(depths)
  }

  /** Adds the pixels of a set, some rows of the tile. */
  add(set: PixelSet, steps: Uint32Array, depths: Float32Array): void {
    const cell = this.#cell
    const { column, row, columns } = this.#range
    const firstRow = Math.floor(set.rect.y / cell)
    const count = columns * cellRange(set.rect, cell).rows
    if (this.#batch.length < count) this.#batch = new Float64Array(count)
    const batch = this.#batch.fill(0, 0, count)
    const { every, met } = this.#pixelWork
    const centre = cell >> 1
    let at = 0
    forEachRun(set, (left, y, length) => {
      const line = (Math.floor(y / cell) - firstRow) * columns - column
      const [start, end] = [at, left + length]
      for (let x = left; x < end; ) {
        const here = Math.floor(x / cell)
        const next = Math.min(end, (here + 1) * cell)
        let sum = 0
        let hits = 0
        for (const stop = at + next - x; at < stop; at++) {
          sum += steps[at]!
          hits += depths[at]! < Number.POSITIVE_INFINITY ? 1 : 0
        }
        batch[line + here]! += sum + (next - x) * every + hits * met
        x = next
      }
      if (y % cell !== centre) return
      const above = (Math.floor(y / cell) - row) * columns - column
      const first = Math.ceil((left - centre) / cell)
      for (let here = first; here * cell + centre < end; here++)
        this.#depths[above + here] = depths[start + here * cell + centre - left]!
    })
    const offset = (firstRow - row) * columns
    for (let i = 0; i < count; i++)
      if (batch[i]! > 0) Atomics.add(this.#sums, offset + i, Math.round(batch[i]! * this.#scale))
  }
}

/** The cells of the completed rows `rect` of a tile, and their total work. */
export function readCells({ cell, sums, scale, depths }: SharedCells, rect: Rect): { cells: TileCells; work: number } {
  const { columns, rows } = cellRange(rect, cell)
  const costs = Float64Array.from(new Uint32Array(sums, 0, columns * rows), sum => sum / scale)
  const work = costs.reduce((total, cost) => total + cost, 0)
  return { cells: { cell, costs, depths: new Float32Array(depths, 0, columns * rows).slice() }, work }
}
