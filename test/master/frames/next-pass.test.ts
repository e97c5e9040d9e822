import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { nextCosts, nextTiles } from '../../../master/frames/next-pass.ts'
import { CellMask, NOISE_CELL } from '../../../shared/frame/cell-mask.ts'
import type { Size } from '../../../shared/frame/rect.ts'

const size: Size = [50, 37]
const masked = (keep: (column: number, row: number) => boolean) => new CellMask(size, NOISE_CELL, keep)

function costs(cell: number): CostMap {
  const map = new CostMap(size, cell)
  for (const i of map.costs.keys()) map.costs[i] = 1 + (i % 5)
  map.depths.fill(3)
  return map
}

describe('the costs of the next pass', () => {
  it('are those of the open cells, times the samples', () => {
    const open = masked((column, row) => (column + row) % 2 === 0)
    const measured = costs(8)
    const next = nextCosts(measured, { open, factor: 2 })
    for (const [i, cost] of next.costs.entries())
      expect(cost).toBeCloseTo(open.has(i % 7, Math.floor(i / 7)) ? 2 * measured.costs[i]! : 0, 12)
    expect(next.depths).toEqual(measured.depths)
    // They cost nothing now, and nothing more is known of them.
    const fewer = masked((column, row) => (column + row) % 4 === 0)
    const after = nextCosts(next, { open: fewer, before: open, factor: 2 })
    for (const [i, cost] of after.costs.entries())
      expect(cost).toBeCloseTo(fewer.has(i % 7, Math.floor(i / 7)) ? 4 * measured.costs[i]! : 0, 12)
  })

  it('are right for cells of any size: those of a part are its share of the pixels', () => {
    fc.assert(
      fc.property(fc.constantFrom(4, 5, 8, 16, 33), fc.nat(20), (cell, seed) => {
        const before = masked((column, row) => (column * 3 + row + seed) % 4 !== 0)
        const open = masked((column, row) => before.has(column, row) && (column + row * 2 + seed) % 3 === 0)
        const even = new CostMap(size, cell)
        // Every open pixel of the pass before cost 1.
        for (let y = 0; y < size[1]; y++)
          for (let x = 0; x < size[0]; x++)
            if (before.has(x >> 3, y >> 3)) even.costs[Math.floor(y / cell) * even.columns + Math.floor(x / cell)]! += 1
        expect(nextCosts(even, { open, before, factor: 2 }).total).toBeCloseTo(2 * open.pixels, 8)
      }),
    )
  })

  it('are a share of the time of tiles, for strategies that know no cells', () => {
    const open = masked(column => column < 2)
    const rect = { x: 0, y: 0, w: 32, h: 37 }
    const tiles = nextTiles(
      [
        { rect, worker: 'a', cpuMs: 8, wallMs: 10, work: 100 },
        { rect: { x: 32, y: 0, w: 18, h: 37 }, worker: 'b', cpuMs: 8, wallMs: 10 },
      ],
      { open, factor: 2 },
    )
    expect(tiles[0]).toEqual({ rect, worker: 'a', cpuMs: 8, wallMs: 10, work: 100 })
    expect(tiles[1]).toMatchObject({ worker: 'b', cpuMs: 0, wallMs: 0 })
  })
})
