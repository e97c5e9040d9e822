/** How dear a view is beside one that was seen, by what it would show. */
import { describe, expect, it } from 'vitest'
import { ViewCost } from '../../../master/page/view-cost.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Camera } from '../../../shared/frame/view.ts'
import type { FrameDepths } from '../../../shared/session/session.ts'

const SIZE: Size = [320, 180]
const CELL = 8
const [COLUMNS, ROWS] = [40, 23]

/** Looks along −z, from `z`. */
const at = (z: number): Camera => ({
  // What it sees 10 units away stands at the origin.
  origin: [0, 0, z],
  right: [1, 0, 0],
  up: [0, 1, 0],
  back: [0, 0, 1],
  tanHalfX: 0.8,
  tanHalfY: 0.45,
  near: 0.01,
  far: 1000,
})

/** In the middle something dear 10 units away, a tenth of the width and height; around it, sky. */
function seen(dear = 1, sky = 0.01): FrameDepths {
  const depths = new Float32Array(COLUMNS * ROWS).fill(Number.POSITIVE_INFINITY)
  const costs = new Float64Array(COLUMNS * ROWS).fill(sky)
  for (let row = 10; row < 13; row++)
    for (let column = 18; column < 22; column++) {
      depths[row * COLUMNS + column] = 10
      costs[row * COLUMNS + column] = dear
    }
  return { cell: CELL, columns: COLUMNS, rows: ROWS, depths, costs }
}

describe('the cost of a view', () => {
  it('is the same for all before anything is seen', () => {
    expect(new ViewCost().of(at(5))).toBe(1)
  })

  it('is that of the view that was seen, from there', () => {
    const cost = new ViewCost()
    cost.saw(at(10), SIZE, seen(), 3)
    expect(cost.of(at(10))).toBeCloseTo(3, 6)
  })

  it('grows with what is dear, and shrinks with it', () => {
    const cost = new ViewCost()
    cost.saw(at(10), SIZE, seen(), 1)
    // Three times as close, from 10 units to 10 / 3: nine times the pixels of 12 cells, of 920 that cost a hundredth.
    const before = 12 + 908 * 0.01
    expect(cost.of(at(10 / 3)) / ((108 + 812 * 0.01) / before)).toBeGreaterThan(0.85)
    expect(cost.of(at(10 / 3)) / ((108 + 812 * 0.01) / before)).toBeLessThan(1.15)
    // Four times as far away.
    expect(cost.of(at(40)) / ((12 / 16 + 919 * 0.01) / before)).toBeGreaterThan(0.85)
    expect(cost.of(at(40)) / ((12 / 16 + 919 * 0.01) / before)).toBeLessThan(1.15)
  })

  it('does not change when the camera turns around what stands there, or the picture has other cells', () => {
    const cost = new ViewCost()
    cost.saw(at(10), SIZE, seen(), 1)
    const [s, c] = [0.28, 0.96]
    // Around the middle, 10 units before it.
    const turned = {
      ...at(10),
      origin: [10 * s, 0, 10 * c] as const,
      right: [c, 0, -s] as const,
      back: [s, 0, c] as const,
    }
    expect(cost.of(turned)).toBeGreaterThan(0.8)
    expect(cost.of(turned)).toBeLessThan(1.25)
    // Nothing of what was seen is there.
    const away = { ...at(10), right: [-1, 0, 0] as const, back: [0, 0, -1] as const }
    expect(cost.of(away)).toBe(1)
  })

  it('is known as far as predictions hold, and goes on from the newest picture', () => {
    const cost = new ViewCost()
    for (let i = 0; i < 20; i++) {
      cost.saw(at(10), SIZE, seen(1000, 1e-9), 4 ** i)
      expect(cost.of(at(0.1))).toBeLessThanOrEqual(Math.min(1e6, 16 * 4 ** i))
    }
    cost.saw(at(10), SIZE, seen(), 2)
    expect(cost.of(at(10))).toBeCloseTo(2, 6)
  })

  it('is what it was where a picture tells nothing', () => {
    const cost = new ViewCost()
    cost.saw(at(10), SIZE, seen(), 2)
    cost.saw(at(10), SIZE, seen(0, 0), 5)
    expect(cost.of(at(10))).toBeCloseTo(2, 6)
    const unknown = seen()
    unknown.depths.fill(Number.NaN)
    cost.saw(at(10), SIZE, unknown, 7)
    expect(Number.isFinite(cost.of(at(3)))).toBe(true)
  })
})
