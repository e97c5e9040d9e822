import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CostHistory, MeasuredFrame } from '../../../../master/costs/cost-history.ts'
import type { CostMap } from '../../../../master/costs/cost-map.ts'
import { adaptiveBlend } from '../../../../master/costs/predictors/adaptive-blend.ts'
import { predictorByName, predictors } from '../../../../master/costs/predictors/index.ts'
import { last } from '../../../../master/costs/predictors/last.ts'
import { median } from '../../../../master/costs/predictors/median.ts'
import { reprojected } from '../../../../master/costs/predictors/reprojected.ts'
import { trend } from '../../../../master/costs/predictors/trend.ts'
import { UnknownNameError } from '../../../../shared/errors.ts'
import type { Size } from '../../../../shared/frame/rect.ts'
import type { Camera } from '../../../../shared/frame/view.ts'
import { PREDICTOR_NAMES } from '../../../../shared/session/strategy-words.ts'
import { cameraFrom, mapOf, row } from '../../../support/seen-walls.ts'

const size: Size = [160, 80]
const still = cameraFrom([0, 0, 0])

/** Frames of one cost all over, newest first. */
const evenHistory = (costs: readonly number[]): CostHistory =>
  costs.map(cost => ({ camera: still, costs: mapOf(size, { costAt: () => cost }) }))

/** Σ|a − b| over Σ b. */
const errorOf = (a: CostMap | undefined, b: CostMap): number => {
  let off = 0
  for (let i = 0; i < b.costs.length; i++) off += Math.abs(a!.costs[i]! - b.costs[i]!)
  return off / b.total
}

describe.each(predictors)('predictor $name', predictor => {
  it('predicts nothing from nothing', () => {
    expect(predictor.predict([], still)).toBeUndefined()
  })

  it('predicts what was, of a view and costs that stay', () => {
    for (const frames of [1, 2, 3, 6]) {
      const history = evenHistory(Array(frames).fill(3))
      expect([...predictor.predict(history, still)!.costs]).toEqual([...history[0]!.costs.costs])
    }
  })

  it('makes costs of anything, none below 0, and changes nothing that it is given', () => {
    const anyFrame = fc.record({
      x: fc.double({ min: -3, max: 3, noNaN: true }),
      turned: fc.double({ min: -2, max: 2, noNaN: true }),
      costs: fc.array(fc.constantFrom(0, 1, 1e-9, 4000), { minLength: 1, maxLength: 9 }),
      depths: fc.array(fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 2, 30), { minLength: 1, maxLength: 7 }),
    })
    fc.assert(
      fc.property(fc.array(anyFrame, { minLength: 1, maxLength: 6 }), fc.constantFrom(4, 8, 16), (frames, cell) => {
        const history = frames.map(({ x, turned, costs, depths }): MeasuredFrame => {
          const costAt = (column: number, y: number) => costs[(2 * column + 3 * y) % costs.length]!
          const depthAt = (column: number, y: number) => depths[(5 * column + y) % depths.length]!
          return { camera: cameraFrom([x, 0, 0], turned), costs: mapOf([50, 30], { costAt, depthAt }, cell) }
        })
        const before = structuredClone(history.map(frame => frame.costs.costs))
        const map = predictor.predict(history, still)!
        return (
          map.cell === cell &&
          map.costs.length === before[0]!.length &&
          map.costs.every(cost => cost >= 0 && cost < Number.POSITIVE_INFINITY) &&
          history.every(({ costs }, k) => costs.costs.every((cost, i) => cost === before[k]![i]!))
        )
      }),
      { numRuns: 50 },
    )
  })

  it('says in one line what it takes the next frame to be like', () => {
    expect(predictor.summary).toMatch(/^[^\n]{10,120}$/)
  })
})

describe('the registry', () => {
  it('has every predictor that can be asked for, by its name', () => {
    expect(predictors.map(predictor => predictor.name)).toEqual([...PREDICTOR_NAMES])
    for (const name of PREDICTOR_NAMES) expect(predictorByName(name).name).toBe(name)
    expect(() => predictorByName('lats')).toThrow(UnknownNameError)
  })
})

describe('predictors that do not look at the camera', () => {
  const cost = (map: CostMap | undefined) => map?.costs[7]

  it('last: the newest', () => {
    expect(cost(last.predict(evenHistory([5, 1, 1]), cameraFrom([9, 0, 0])))).toBe(5)
  })

  it('median: of an odd number of frames, three to five; the newest before that', () => {
    expect(cost(median.predict(evenHistory([9, 1]), still))).toBe(9)
    expect(cost(median.predict(evenHistory([9, 1, 2]), still))).toBe(2)
    expect(cost(median.predict(evenHistory([9, 1, 2, 50]), still))).toBe(2)
    expect(cost(median.predict(evenHistory([9, 8, 7, 1, 1]), still))).toBe(7)
    expect(cost(median.predict(evenHistory([9, 8, 7, 1, 1, 1]), still))).toBe(7)
  })

  it('trend: goes on as before, but never doubles or halves', () => {
    expect(cost(trend.predict(evenHistory([5]), still))).toBe(5)
    expect(cost(trend.predict(evenHistory([5, 4]), still))).toBe(6)
    expect(cost(trend.predict(evenHistory([5, 0]), still))).toBe(10)
    expect(cost(trend.predict(evenHistory([5, 50]), still))).toBe(2.5)
  })
})

describe('reprojected', () => {
  it('moves costs with the camera', () => {
    // At depth 10 the frame is 20 wide in 20 cells: one cell is one unit.
    const costs = mapOf(size, { costAt: column => column + 1 })
    const next = reprojected.predict([{ camera: still, costs }], cameraFrom([2, 0, 0]))!
    expect(row(next, 5).slice(0, 3)).toEqual([3, 4, 5].map(value => expect.closeTo(value, 4)))
  })
})

describe('adaptive-blend', () => {
  /** What is seen of a frame: costs that stay on the screen and costs on a wall at depth 10, so much of the one and the other. */
  const seenFrom = (x: number, onScreen: number, onWall: number): MeasuredFrame => ({
    camera: cameraFrom([x, 0, 0]),
    costs: mapOf(size, {
      costAt: column => onScreen * bump(column - 9) + onWall * (3 + bump(column + x - 9) + 0.6 * bump(column + x - 15)),
    }),
  })
  const bump = (x: number) => Math.exp(-x * x)
  /** The camera walks one cell a frame; how wrong a predictor is in the fourth frame. */
  const walk = (predict: (history: CostHistory, camera: Camera) => CostMap | undefined, stay: number, move: number) => {
    const frames = [3, 2, 1, 0].map(x => seenFrom(x, stay, move))
    return errorOf(predict(frames.slice(1), frames[0]!.camera), frames[0]!.costs)
  }

  it('moves what moves, leaves what stays, and is better than either where there is both', () => {
    expect(walk(adaptiveBlend.predict, 0, 1)).toBeLessThan(0.02)
    expect(walk(adaptiveBlend.predict, 5, 0)).toBeLessThan(0.1)
    expect(walk(reprojected.predict, 5, 0)).toBeGreaterThan(1)
    const both = walk(adaptiveBlend.predict, 3, 1)
    expect(both).toBeLessThan(0.7 * walk(last.predict, 3, 1))
    expect(both).toBeLessThan(0.7 * walk(reprojected.predict, 3, 1))
  })

  it('repeats an error that was there twice', () => {
    // The whole wall gets dearer by a fifth of its first cost from frame to frame.
    const frames = [3, 2, 1, 0].map(x => ({
      camera: cameraFrom([x / 10, 0, 0]),
      costs: mapOf(size, { costAt: () => 1 + x / 5 }),
    }))
    const { camera, costs } = frames[0]!
    expect(errorOf(adaptiveBlend.predict(frames.slice(1), camera), costs)).toBeLessThan(0.05)
    expect(errorOf(reprojected.predict(frames.slice(1), camera), costs)).toBeGreaterThan(0.1)
  })

  it('knows nothing better than moving after one frame, or after a cut', () => {
    const there = seenFrom(1, 2, 1)
    const next = cameraFrom([2, 0, 0])
    const moved = reprojected.predict([there], next)
    expect(adaptiveBlend.predict([there], next)).toEqual(moved)
    const elsewhere = { ...seenFrom(0, 0, 9), camera: cameraFrom([0, 0, 0], Math.PI) }
    expect(adaptiveBlend.predict([there, elsewhere, elsewhere], next)).toEqual(moved)
  })

  it('repeats nothing to a camera that stands still', () => {
    const frames = [1, 2, 3].map(x => seenFrom(x, 2, 1))
    expect(adaptiveBlend.predict(frames, frames[0]!.camera)).toBe(frames[0]!.costs)
  })
})
