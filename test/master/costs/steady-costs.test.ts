import { describe, expect, it } from 'vitest'
import { assembleCosts } from '../../../master/costs/assemble-costs.ts'
import { type CountedTile, SteadyCosts } from '../../../master/costs/steady-costs.ts'
import type { Rect, Size } from '../../../shared/frame/rect.ts'
import { cellRange } from '../../../shared/protocol/cell-costs.ts'

const size: Size = [64, 32]
const left: Rect = { x: 0, y: 0, w: 28, h: 32 }
const right: Rect = { x: 28, y: 0, w: 36, h: 32 }

/** A tile of which every cell is one unit of work a pixel, and takes `pace` ms for it. */
function tile(rect: Rect, pace: number): CountedTile {
  const { columns, rows, column, row } = cellRange(rect, 8)
  const costs = new Float64Array(columns * rows)
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const x = Math.max(rect.x, (column + i) * 8)
      const w = Math.min(rect.x + rect.w, (column + i + 1) * 8) - x
      const h = Math.min(rect.y + rect.h, (row + j + 1) * 8) - Math.max(rect.y, (row + j) * 8)
      costs[j * columns + i] = w * h * pace
    }
  }
  const work = rect.w * rect.h
  return { rect, work, cpuMs: work * pace, cells: { cell: 8, costs, depths: new Float32Array(costs.length).fill(4) } }
}

function steadyCosts(tiles: readonly CountedTile[], before?: Float64Array, scale = 1): SteadyCosts {
  const steady = new SteadyCosts(size, 8, before)
  for (const each of tiles) steady.take(each, scale)
  return steady
}
const perPixel = (costs: Float64Array) => costs.map(cost => cost / 64)

describe('steady costs', () => {
  it('are what was measured, where nothing is known from before', () => {
    const tiles = [tile(left, 1), tile(right, 3)]
    const { costs, paces } = steadyCosts(tiles)
    const plain = assembleCosts(size, 8, tiles, () => 1)
    expect([...costs.costs]).toEqual([...plain.costs].map(cost => expect.closeTo(cost, 9)))
    expect([...costs.depths]).toEqual([...plain.depths])
    expect(paces[0]).toBeCloseTo(1)
    expect(paces[7]).toBeCloseTo(3)
    // A cell that both have pixels of.
    expect(paces[3]).toBeCloseTo(2)
  })

  it('follow a small change a little, and a large one altogether', () => {
    const before = new Float64Array(32).fill(1)
    const paced = (pace: number) => perPixel(steadyCosts([tile(left, pace), tile(right, 1)], before).costs.costs)
    expect(paced(1.02)[0]).toBeCloseTo(1.02 ** 0.25, 6)
    expect(paced(1.02)[7]).toBeCloseTo(1, 6)
    expect(paced(2)[0]).toBeCloseTo(2, 6)
  })

  it('vary less than what is measured', () => {
    let paces: Float64Array | undefined
    const off: number[] = []
    for (let frame = 0; frame < 40; frame++) {
      const chance = 1 + 0.02 * Math.sin(frame * frame)
      const steady = steadyCosts([tile(left, chance), tile(right, 1)], paces)
      paces = steady.paces
      off.push((perPixel(steady.costs.costs)[0]! - 1) ** 2)
    }
    const later = off.slice(10)
    expect(Math.sqrt(later.reduce((sum, square) => sum + square) / later.length)).toBeLessThan(0.009)
  })

  it('are of a worker of speed 1, and know nothing of tiles without work', () => {
    const halved = steadyCosts([tile(left, 1), { ...tile(right, 1), work: 0 }], undefined, 0.5)
    expect(perPixel(halved.costs.costs)[0]).toBeCloseTo(0.5)
    expect(halved.costs.costs[7]).toBe(0)
    expect(halved.paces[7]).toBe(0)
  })
})
