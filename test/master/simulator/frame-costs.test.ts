import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { FrameCosts } from '../../../master/simulator/frame-costs.ts'
import { forEachPart } from '../../../master/simulator/pixel-parts.ts'
import { forEachRun, type PixelSet } from '../../../shared/frame/pixel-set.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { cellRange } from '../../../shared/protocol/cell-costs.ts'
import { pixelSetOf } from '../../support/pixel-sets.ts'

const SIZE: Size = [53, 37]

/** Every cell another cost, every third nothing to be seen. */
function unevenMap(cell: number): CostMap {
  const map = new CostMap(SIZE, cell)
  for (let i = 0; i < map.costs.length; i++) {
    map.costs[i] = ((i * 7) % 11) + 1
    map.depths[i] = i % 3 === 0 ? Number.POSITIVE_INFINITY : 1 + i
  }
  return map
}

const cellAt = (map: CostMap, x: number, y: number): number =>
  Math.floor(y / map.cell) * map.columns + Math.floor(x / map.cell)

const costOf = (map: CostMap, x: number, y: number): number => {
  const [column, row] = [Math.floor(x / map.cell), Math.floor(y / map.cell)]
  return map.costs[row * map.columns + column]! / map.area(column, row)
}

function pixelsOf(set: PixelSet): [x: number, y: number][] {
  const pixels: [number, number][] = []
  forEachRun(set, (x, y, length) => {
    for (let i = 0; i < length; i++) pixels.push([x + i, y])
  })
  return pixels
}

describe('parts of a set', () => {
  it('hold each of its pixels once, and no other', () => {
    fc.assert(
      fc.property(pixelSetOf(SIZE), set => {
        const times = new Map<number, number>()
        forEachPart(set, ({ x, y, w, h }, sign) => {
          for (let j = y; j < y + h; j++)
            for (let i = x; i < x + w; i++) times.set(j * 100 + i, (times.get(j * 100 + i) ?? 0) + sign)
        })
        const pixels = pixelsOf(set)
        const counted = [...times.values()].filter(count => count !== 0)
        return counted.length === pixels.length && pixels.every(([x, y]) => times.get(y * 100 + x) === 1)
      }),
    )
  })
})

describe('costs of a frame', () => {
  const cells = fc.constantFrom(1, 4, 8)

  it('are those of a set’s pixels, in all and by rows', () => {
    fc.assert(
      fc.property(pixelSetOf(SIZE), cells, (set, cell) => {
        const map = unevenMap(cell)
        const costs = new FrameCosts(map)
        const pixels = pixelsOf(set)
        const total = (above: number) =>
          pixels.reduce((sum, [x, y]) => (y < set.rect.y + above ? sum + costOf(map, x, y) : sum), 0)
        const rows = costs.above(set)
        const half = set.rect.h >> 1
        return (
          rows.length === set.rect.h + 1 &&
          near(costs.sum(set), total(set.rect.h)) &&
          near(rows[half]!, total(half)) &&
          near(rows.at(-1)!, total(set.rect.h))
        )
      }),
    )
  })

  it('come by cells as whoever traces would count them, with the depth of the pixel at each cell’s centre', () => {
    fc.assert(
      fc.property(pixelSetOf(SIZE), cells, fc.constantFrom(4, 8, 16), (set, truthCell, cell) => {
        const map = unevenMap(truthCell)
        const { costs, depths } = new FrameCosts(map).cells(set, cell)
        const range = cellRange(set.rect, cell)
        const [expected, seen] = [new Float64Array(costs.length), new Map<number, number>()]
        for (const [x, y] of pixelsOf(set)) {
          const at = (Math.floor(y / cell) - range.row) * range.columns + Math.floor(x / cell) - range.column
          expected[at]! += costOf(map, x, y)
          if (x % cell === cell >> 1 && y % cell === cell >> 1) seen.set(at, map.depths[cellAt(map, x, y)]!)
        }
        return (
          costs.every((cost, i) => near(cost, expected[i]!)) &&
          depths.every((depth, i) => Object.is(depth, seen.get(i) ?? Number.NaN))
        )
      }),
    )
  })

  it('cover the pixels where something is to be seen', () => {
    const map = unevenMap(8)
    const mask = new FrameCosts(map).coverage()
    let wrong = 0
    for (let y = 0; y < SIZE[1]; y++)
      for (let x = 0; x < SIZE[0]; x++)
        if (mask.has(x, y) !== map.depths[cellAt(map, x, y)]! < Number.POSITIVE_INFINITY) wrong++
    expect(wrong).toBe(0)
  })
})

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9 * Math.max(1, b)
