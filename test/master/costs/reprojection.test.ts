import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cameraMove } from '../../../master/costs/camera-move.ts'
import { reprojectedCosts } from '../../../master/costs/reprojected-costs.ts'
import { reproject } from '../../../master/costs/reprojection.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Camera, Vec3 } from '../../../shared/frame/view.ts'
import { cameraFrom, mapOf, row } from '../../support/seen-walls.ts'

const size: Size = [80, 80]
const start = cameraFrom([0, 0, 0])
/** At depth 10 the view is 20 wide: ten cells of two units. */
const twoUnits = (cells: number): Camera => cameraFrom([2 * cells, 0, 0])

describe('a camera move', () => {
  const anyPoint = fc.tuple(...[1, 2, 3].map(() => fc.double({ min: -3, max: 3, noNaN: true })))
  const anyCamera = fc
    .tuple(anyPoint, fc.double({ min: -1, max: 1, noNaN: true }))
    .map(([origin, turned]) => cameraFrom(origin as unknown as Vec3, turned))

  it('finds a point where the second camera would see it, as far away as it is', () => {
    const unit = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(anyCamera, anyCamera, unit, unit, fc.double({ min: 5, max: 50, noNaN: true }), (a, b, u, v, t) => {
        const point = pointAt(a, u, v, t)
        const [x, y, z] = seen(cameraMove(a, b), u, v, 1 / t)
        // Behind the eye there is no picture.
        if (z <= 0.01) return true
        const back = pointAt(b, x / z, y / z, t * z)
        return back.every((value, i) => Math.abs(value - point[i]!) < 1e-6 * t)
      }),
    )
  })

  it('keeps the sky where it is for an eye that only walks', () => {
    const [x, y, z] = seen(cameraMove(start, cameraFrom([5, -3, 8])), 0.4, -0.7, 0)
    expect([x / z, y / z]).toEqual([expect.closeTo(0.4, 12), expect.closeTo(-0.7, 12)])
  })

  const pointAt = ({ origin, right, up, back, tanHalfX, tanHalfY }: Camera, u: number, v: number, t: number) =>
    origin.map((o, i) => o + t * (-back[i]! + right[i]! * u * tanHalfX + up[i]! * v * tanHalfY))
  const seen = (m: Float64Array, u: number, v: number, inverse: number) =>
    [0, 4, 8].map(i => m[i]! * inverse + m[i + 1]! + m[i + 2]! * u + m[i + 3]! * v) as [number, number, number]
})

describe('reprojection', () => {
  /** Ten cells of two units, at any depth. */
  const parallel = (x: number): Camera => ({ ...cameraFrom([x, 0, 0]), tanHalfX: 10, tanHalfY: 10, orthographic: true })

  it('moves everything alike between orthographic cameras, however deep it is', () => {
    const costs = mapOf(size, { costAt: column => column + 1, depthAt: column => 3 + 7 * column })
    const { costs: next } = reproject({ camera: parallel(0), costs }, parallel(6))
    expect(row(next, 5)).toEqual([4, 5, 6, 7, 8, 9, 10, 10, 10, 10].map(cost => expect.closeTo(cost, 4)))
  })

  it('finds a wall again at which both kinds of camera see the same', () => {
    // At depth 10 the view of the perspective camera is 20 wide, too.
    const costs = mapOf(size, { costAt: (column, y) => 1 + column * y, depthAt: () => 10 })
    for (const [from, to] of [
      [start, parallel(0)],
      [parallel(0), start],
    ] as const) {
      const { costs: next, seen } = reproject({ camera: from, costs }, to)
      expect([...next.costs]).toEqual([...costs.costs].map(cost => expect.closeTo(cost, 3)))
      expect(seen).toBe(1)
    }
  })

  it('gives a camera that has not moved the same costs', () => {
    const costs = mapOf(size, { costAt: (column, y) => 1 + column * y, depthAt: column => 3 + column })
    const { costs: again, seen } = reproject({ camera: start, costs }, { ...start })
    expect([...again.costs]).toEqual([...costs.costs].map(cost => expect.closeTo(cost, 4)))
    expect(seen).toBe(1)
  })

  it('moves a wall against the camera, and takes what comes into view to be like what is beside it', () => {
    const costs = mapOf(size, { costAt: column => column + 1 })
    const { costs: next, seen } = reproject({ camera: start, costs }, twoUnits(3))
    expect(row(next, 5)).toEqual([4, 5, 6, 7, 8, 9, 10, 10, 10, 10].map(cost => expect.closeTo(cost, 4)))
    expect(seen).toBeCloseTo(49 / 79, 4)
  })

  it('lets what is near hide what is far, and sees no nearer surface than there is', () => {
    // A post of one cell at half the distance goes twice as far.
    const costs = mapOf(size, {
      costAt: column => (column === 5 ? 100 : 1),
      depthAt: column => (column === 5 ? 5 : 10),
    })
    const next = row(reproject({ camera: start, costs }, twoUnits(1)).costs, 4)
    expect(next[3]).toBeCloseTo(100, 3)
    expect(next[5]).toBeCloseTo(1, 3)
    expect(Math.max(...next.toSpliced(3, 1))).toBeLessThan(60)
  })

  it('turns the sky with the camera but never moves it', () => {
    const sky = { costAt: (column: number) => column + 1, depthAt: () => Number.POSITIVE_INFINITY }
    const costs = mapOf(size, sky)
    const frame = { camera: start, costs }
    expect([...reproject(frame, cameraFrom([7, 2, -9])).costs.costs]).toEqual(
      [...costs.costs].map(cost => expect.closeTo(cost, 4)),
    )
    expect(row(reproject(frame, cameraFrom([0, 0, 0], Math.PI / 4)).costs, 5)[0]).toBeGreaterThan(5)
  })

  it('says how little a view has in common with another', () => {
    const costs = mapOf(size, { costAt: () => 1 })
    expect(reproject({ camera: start, costs }, cameraFrom([0, 0, 0], Math.PI)).seen).toBe(0)
    expect(reproject({ camera: start, costs }, twoUnits(1)).seen).toBeCloseTo(0.9, 5)
  })

  it('makes costs of anything: none negative, none that is no number, also without depths', () => {
    const anyDepth = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 1e-3, 1, 7, 1e6)
    fc.assert(
      fc.property(
        fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }), fc.constantFrom(4, 8, 16)),
        fc.array(anyDepth, { minLength: 1, maxLength: 20 }),
        fc.double({ min: -4, max: 4, noNaN: true }),
        ([w, h, cell], depths, turned) => {
          const depthAt = (column: number, y: number) => depths[(3 * column + 5 * y) % depths.length]!
          const costs = mapOf([w, h], { costAt: column => column % 3, depthAt }, cell)
          const { costs: next, seen } = reproject({ camera: start, costs }, cameraFrom([1, 2, 3], turned))
          return next.costs.every(cost => cost >= 0 && cost < 1e9) && seen >= 0 && seen <= 1
        },
      ),
    )
  })
})

describe('moved costs', () => {
  it('are those of the frame itself where the camera did not move, and made once where it did', () => {
    const frame = { camera: start, costs: mapOf(size, { costAt: () => 1 }) }
    expect(reprojectedCosts(frame, { camera: { ...start, origin: [0, 0, 0] } }).costs).toBe(frame.costs)
    const there = reprojectedCosts(frame, { camera: twoUnits(1) })
    expect(reprojectedCosts(frame, { camera: twoUnits(1) })).toBe(there)
    expect(reprojectedCosts(frame, { camera: twoUnits(2) })).not.toBe(there)
  })
})

describe('what has moved', () => {
  /** A box at depth 10, two cells wide, before a wall at depth 20; moved along x, and turned a quarter about the line of sight. */
  const box = [-4, -10, -10.5, 0, 10, -9.5]
  const at = (x: number) => Float64Array.from([...box, 1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0])
  const turned = Float64Array.from([...box, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0])
  const isBox = (column: number) => column === 3 || column === 4
  const costs = mapOf(size, {
    costAt: column => (isBox(column) ? 9 : 1),
    depthAt: column => (isBox(column) ? 10 : 20),
  })
  const frame = { camera: start, bodies: at(0), costs }

  it('takes its costs along, and what it hid costs what is behind it', () => {
    const { costs: next, seen } = reproject(frame, start, at(2))
    expect(row(next, 5)).toEqual([1, 1, 1, 1, 9, 9, 1, 1, 1, 1].map(cost => expect.closeTo(cost, 4)))
    expect(seen).toBeGreaterThan(0.8)
  })

  it('moves under a camera that moves, too', () => {
    // The camera follows the box: it stays where it was, and the wall, twice as deep, moves by half as much.
    const { costs: next } = reproject(frame, twoUnits(2), at(4))
    expect(row(next, 5).map(Math.round)).toEqual([1, 1, 1, 9, 9, 1, 1, 1, 1, 1])
  })

  it('turns', () => {
    // What was left of the middle is above it now.
    const { costs: next } = reproject(frame, start, turned)
    const columns = Array.from({ length: 10 }, (_, i) => Math.round(next.costs[i * 10 + 7]!))
    expect(columns).toEqual([1, 1, 1, 9, 9, 1, 1, 1, 1, 1])
  })

  it('is nothing if bodies are where they were', () => {
    expect(reprojectedCosts(frame, { camera: start, bodies: at(0) }).costs).toBe(costs)
    expect(reprojectedCosts(frame, { camera: start, bodies: at(4) }).costs).not.toBe(costs)
  })

  it('leaves none of its costs behind, however many cells it goes, and takes along its edges', () => {
    // The edges are cells of the wall in which a part of the box is.
    const edged = mapOf(size, {
      costAt: column => (isBox(column) ? 9 : column === 2 || column === 5 ? 4 : 1),
      depthAt: column => (isBox(column) ? 10 : 20),
    })
    const { costs: next } = reproject({ ...frame, costs: edged }, start, at(8))
    expect(row(next, 5).map(Math.round)).toEqual([1, 1, 1, 1, 1, 1, 4, 9, 9, 4])
  })

  it('may have something standing in its box that does not move', () => {
    // A pillar in the box, four cells wide now, that is a body itself.
    const wide = [-8, -10, -10.5, 8, 10, -9.5]
    const pillar = [0, -10, -10.2, 2, 10, -9.8, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
    const scene = (x: number) => Float64Array.from([...wide, 1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, ...pillar])
    const inside = mapOf(size, {
      costAt: column => (column === 5 ? 9 : column === 2 ? 4 : 1),
      depthAt: column => (column === 5 || column === 2 ? 10 : 20),
    })
    const { costs: next } = reproject({ camera: start, bodies: scene(0), costs: inside }, start, scene(2))
    expect(next.costs[5 * 10 + 5]).toBeCloseTo(9, 4)
    expect(next.costs[5 * 10 + 3]).toBeGreaterThan(3)
    expect(next.costs[5 * 10 + 6]).toBeLessThan(2)
  })

  it('may be gone: then there is what is beside it', () => {
    const { costs: next, seen } = reproject(frame, start, new Float64Array(0))
    expect(row(next, 5)).toEqual(Array(10).fill(expect.closeTo(1, 4)))
    expect(seen).toBeCloseTo(0.6, 4)
  })

  it('may be new: then it is not known, and taken to be expensive', () => {
    const { costs: next, seen } = reproject({ ...frame, bodies: new Float64Array(0) }, start, at(10))
    const [, , , ...others] = row(next, 5).map(Math.round)
    expect(others).toEqual([9, 9, 1, 1, 1, 9, 9])
    expect(seen).toBeLessThan(0.7)
  })

  it('makes costs of any bodies', () => {
    const number = fc.double({ min: -20, max: 20, noNaN: true })
    const anyBodies = fc
      .array(fc.array(number, { minLength: 18, maxLength: 18 }), { maxLength: 4 })
      .map(bodies => Float64Array.from(bodies.flat()))
    fc.assert(
      fc.property(anyBodies, anyBodies, number, (from, to, x) => {
        const { costs: next, seen } = reproject({ ...frame, bodies: from }, cameraFrom([x, 0, 0]), to)
        return next.costs.every(cost => cost >= 0 && cost < 1e9) && seen >= 0 && seen <= 1
      }),
    )
  })
})
