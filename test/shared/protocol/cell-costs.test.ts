import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rect } from '../../../shared/frame/rect.ts'
import { cellRange, decodeCells, encodeCells, type TileCells } from '../../../shared/protocol/cell-costs.ts'
import { packCells, unpackCells } from '../../../shared/protocol/node/cell-packing.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'

const anyRect: fc.Arbitrary<Rect> = fc.record({
  x: fc.nat(100),
  y: fc.nat(100),
  w: fc.integer({ min: 1, max: 120 }),
  h: fc.integer({ min: 1, max: 120 }),
})
/** Costs that lie less than 2^15 apart, or are none. */
const anyCost = fc.oneof(fc.constant(0), fc.double({ min: 2 ** -4, max: 2 ** 11, noNaN: true }))
const anyDepth = fc.oneof(
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY),
  fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
)

const anyTile = fc.tuple(
  anyRect,
  fc.constantFrom(4, 8, 16, 32, 64),
  fc.infiniteStream(anyCost),
  fc.infiniteStream(anyDepth),
)

function tileOf(rect: Rect, cell: number, cost: Iterator<number>, depth: Iterator<number>): TileCells {
  const { columns, rows } = cellRange(rect, cell)
  const next = (of: Iterator<number>) => () => of.next().value as number
  const length = columns * rows
  return { cell, costs: Float64Array.from({ length }, next(cost)), depths: Float32Array.from({ length }, next(depth)) }
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)

describe('costs and depths of cells', () => {
  it('come back about as they were, their sum made the time that the tile took', () => {
    fc.assert(
      fc.property(anyTile, fc.double({ min: 1e-3, max: 1e4, noNaN: true }), ([rect, cell, cost, depth], total) => {
        const tile = tileOf(rect, cell, cost, depth)
        const back = unpackCells(packCells(tile), rect, cell, total)
        const sum = sumOf(tile.costs)
        if (Math.abs(sumOf(back.costs) - total) > 1e-9 * total) return false
        if (sum === 0) return back.costs.every(value => Math.abs(value * back.costs.length - total) < 1e-9 * total)
        // All of them may be off one way by half a step, and any of them the other way.
        const near = (got: number, was: number) => Math.abs(got * (sum / total) - was) <= 0.045 * was
        if (!tile.costs.every((was, i) => near(back.costs[i]!, was))) return false
        return tile.depths.every((was, i) => {
          const got = back.depths[i]!
          if (!Number.isFinite(was)) return Object.is(got, was)
          // 253 steps from 10^-3 to 10^6 are 8 % each.
          return Math.abs(got / was - 1) < 0.05
        })
      }),
      { numRuns: 300 },
    )
  })

  it('are finer in depth where a tile has little of it', () => {
    const depths = Float32Array.from({ length: 9 }, (_, i) => 10 + i / 4)
    const tile = { cell: 8, costs: new Float64Array(9).fill(1), depths }
    const back = decodeCells(encodeCells(tile), { x: 0, y: 0, w: 24, h: 24 }, 8, 9)
    for (const [i, depth] of depths.entries()) expect(back.depths[i]! / depth).toBeCloseTo(1, 3)
  })

  it('range over the cells of the frame that a rectangle touches', () => {
    expect(cellRange({ x: 8, y: 0, w: 8, h: 17 }, 8)).toEqual({ column: 1, row: 0, columns: 1, rows: 3 })
    expect(cellRange({ x: 7, y: 15, w: 2, h: 2 }, 8)).toEqual({ column: 0, row: 1, columns: 2, rows: 2 })
  })

  it('take at most half a percent of the pixels where neighbours are alike, and hardly more than two bytes each in any case', () => {
    const rect = { x: 0, y: 0, w: 320, h: 360 }
    const { columns, rows } = cellRange(rect, 8)
    const smooth = Float64Array.from({ length: columns * rows }, (_, i) => 100 + (i % columns) ** 2 + ((i * 7) % 13))
    const depths = Float32Array.from(smooth, (_, i) => 5 + Math.floor(i / columns) / 9)
    expect(packCells({ cell: 8, costs: smooth, depths }).length).toBeLessThan(0.005 * 3 * 320 * 360)
    let state = 1
    const noise = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 32
    }
    const wild = { cell: 8, costs: smooth.map(noise), depths: depths.map(() => 1 + noise()) }
    expect(packCells(wild).length).toBeLessThan(2.05 * columns * rows)
  })

  it('are refused when they are not as many as the rectangle has, or make no sense', () => {
    const rect = { x: 3, y: 3, w: 20, h: 20 }
    const tile = { cell: 8, costs: new Float64Array(9).fill(2), depths: new Float32Array(9).fill(3) }
    const [encoded, packed] = [encodeCells(tile), packCells(tile)]
    expect(() => decodeCells(encoded.subarray(1), rect, 8, 1)).toThrow('expected 26 bytes, got 25')
    expect(() => unpackCells(packed, { ...rect, w: 30 }, 8, 1)).toThrow('expected 38 bytes, got 26')
    expect(() => unpackCells(packed, { ...rect, w: 5 }, 8, 1)).toThrow(ProtocolError)
    expect(() => unpackCells(packed.subarray(2), rect, 8, 1)).toThrow(ProtocolError)
    const mad = encoded.slice()
    new DataView(mad.buffer).setFloat32(0, 1e9, true)
    expect(() => decodeCells(mad, rect, 8, 1)).toThrow('expected a depth range, got 1000000000 to 3')
    new DataView(mad.buffer).setFloat32(4, Number.POSITIVE_INFINITY, true)
    expect(() => decodeCells(mad, rect, 8, 1)).toThrow(ProtocolError)
  })

  it('never do worse than a protocol error, whatever comes', () => {
    const rect = { x: 0, y: 0, w: 24, h: 16 }
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.uint8Array({ maxLength: 60 }),
        (bytes, packed) => {
          for (const read of [() => decodeCells(bytes, rect, 8, 1), () => unpackCells(packed, rect, 8, 1)]) {
            try {
              const { costs } = read()
              if (!costs.every(cost => cost >= 0) || Math.abs(sumOf(costs) - 1) > 1e-9) return false
            } catch (error) {
              if (!(error instanceof ProtocolError)) return false
            }
          }
          return true
        },
      ),
      { numRuns: 300 },
    )
  })
})
