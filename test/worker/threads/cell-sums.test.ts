import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forEachRun, type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { cellRange } from '../../../shared/protocol/cell-costs.ts'
import { pixelWork } from '../../../worker/engine/work.ts'
import { CellSums, readCells, shareCells } from '../../../worker/threads/cell-sums.ts'
import { pixelSetOf } from '../../support/pixel-sets.ts'

const size: Size = [90, 60]
const quality = { samples: 2, ambientRays: 2, maxDepth: 4 }
const stepsAt = (x: number, y: number) => (x * 31 + y * 17) % 200
const depthAt = (x: number, y: number) => ((x + y) % 5 === 0 ? Number.POSITIVE_INFINITY : Math.fround(1 + x / 7 + y))

/** Steps and depths of the pixels of a set, packed. */
function countsOf(set: PixelSet): { steps: Uint32Array; depth: Float32Array } {
  const [steps, depth] = [new Uint32Array(pixelCount(set)), new Float32Array(pixelCount(set))]
  let at = 0
  forEachRun(set, (left, y, length) => {
    for (let x = left; x < left + length; x++, at++) {
      steps[at] = stepsAt(x, y)
      depth[at] = depthAt(x, y)
    }
  })
  return { steps, depth }
}

/** The same costs and depths, pixel by pixel. */
function cellsByDefinition(set: PixelSet, cell: number): { costs: number[]; depths: number[] } {
  const { column, row, columns, rows } = cellRange(set.rect, cell)
  const costs = Array<number>(columns * rows).fill(0)
  const depths = Array<number>(columns * rows).fill(Number.NaN)
  const { every, met } = pixelWork(quality)
  forEachRun(set, (left, y, length) => {
    for (let x = left; x < left + length; x++) {
      const at = (Math.floor(y / cell) - row) * columns + Math.floor(x / cell) - column
      costs[at]! += stepsAt(x, y) + every + (Number.isFinite(depthAt(x, y)) ? met : 0)
      if (x % cell === cell >> 1 && y % cell === cell >> 1) depths[at] = depthAt(x, y)
    }
  })
  return { costs, depths }
}

describe('the cells of a tile', () => {
  it('hold the work of their own pixels and the depth at their centres, in whatever rows it was added', () => {
    const anyCell = fc.constantFrom(4, 8, 16, 64)
    const anyCuts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(pixelSetOf(size), anyCell, anyCuts, (set, cell, cuts) => {
        const shared = shareCells(set.rect, cell, quality)
        const [one, two] = [new CellSums(shared, set.rect), new CellSums(shared, set.rect)]
        const { y, h } = set.rect
        for (let from = 0, i = 0; from < h; i++) {
          const to = Math.min(h, from + cuts[i % cuts.length]!)
          const rows = { ...set, rect: { ...set.rect, y: y + from, h: to - from } }
          const { steps, depth } = countsOf(rows)
          const sums = i % 2 === 0 ? one : two
          sums.add(rows, steps, depth)
          from = to
        }
        const { cells, work } = readCells(shared, set.rect)
        const expected = cellsByDefinition(set, cell)
        // A batch's work is rounded to whole numbers, cell by cell.
        const most = 0.5 * h + 1e-9
        return (
          expected.costs.every((cost, i) => Math.abs(cells.costs[i]! - cost) <= most) &&
          expected.depths.every((depth, i) => Object.is(cells.depths[i], depth)) &&
          Math.abs(work - cells.costs.reduce((sum, cost) => sum + cost, 0)) < 1e-6
        )
      }),
      { numRuns: 200 },
    )
  })

  it('are those of the rows that were traced, where a tile was trimmed', () => {
    const rect = { x: 3, y: 5, w: 40, h: 30 }
    const rows = { ...rect, h: 13 }
    const shared = shareCells(rect, 8, quality)
    const { steps, depth } = countsOf({ rect: rows })
    new CellSums(shared, rect).add({ rect: rows }, steps, depth)
    const { cells } = readCells(shared, rows)
    const expected = cellsByDefinition({ rect: rows }, 8)
    expect([...cells.costs].map(Math.round)).toEqual(expected.costs.map(Math.round))
    expect([...cells.depths]).toEqual(expected.depths)
  })

  it('hold what the heaviest frames cost', () => {
    const rect = { x: 0, y: 0, w: 64, h: 64 }
    const heavy = { samples: 1024, ambientRays: 64, maxDepth: 16 }
    const shared = shareCells(rect, 64, heavy)
    // 200 steps for each of its rays.
    const steps = new Uint32Array(64 * 64).fill(200 * 1024 * 66)
    new CellSums(shared, rect).add({ rect }, steps, new Float32Array(64 * 64))
    expect(readCells(shared, rect).work / (64 * 64 * 200 * 1024 * 66)).toBeCloseTo(1, 2)
  })
})
