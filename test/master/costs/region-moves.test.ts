/** Where the pictures are parts of what their cameras see, predictions are those of the whole frames, cut out. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoxRays, placeOf } from '../../../master/costs/box-cells.ts'
import { cameraMove } from '../../../master/costs/camera-move.ts'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { projectCoverage } from '../../../master/coverage/project.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { planePart, type Region } from '../../../shared/frame/region.ts'
import type { Camera } from '../../../shared/frame/view.ts'
import { IDENTITY } from '../../../shared/scene/description.ts'
import { cameraFrom } from '../../support/seen-walls.ts'

const SIZE: Size = [80, 64]
const anyRegion = fc
  .tuple(fc.nat(SIZE[0] - 1), fc.nat(SIZE[1] - 1), fc.nat(), fc.nat())
  .map(([x, y, w, h]): Region => ({ x, y, w: 1 + (w % (SIZE[0] - x)), h: 1 + (h % (SIZE[1] - y)), of: SIZE }))
const unit = fc.double({ min: -1, max: 1, noNaN: true })
const anyCamera = fc.tuple(unit, unit, unit, unit, fc.boolean()).map(([x, y, z, turned, isParallel]): Camera => {
  const camera = cameraFrom([x, y, z], turned)
  return isParallel ? { ...camera, tanHalfX: 9, tanHalfY: 7, orthographic: true } : { ...camera, tanHalfY: 0.8 }
})

/** Where a move puts what is at (u, v) and depth t, as the comment of `cameraMove` says. */
function moved(from: Camera, to: Camera, u: number, v: number, t: number): readonly [u: number, v: number, z: number] {
  const m = cameraMove(from, to)
  const spread = from.orthographic ? 1 / t : 1
  const [x, y, z] = [0, 4, 8].map(i => m[i]! / t + m[i + 1]! + (m[i + 2]! * u + m[i + 3]! * v) * spread)
  const shrink = to.orthographic ? 1 / t : z!
  return [x! / shrink, y! / shrink, z!]
}

describe('regions', () => {
  it('a move between two of them is that between their frames', () => {
    const depth = fc.double({ min: 5, max: 50, noNaN: true })
    fc.assert(
      fc.property(anyCamera, anyCamera, anyRegion, anyRegion, unit, unit, depth, (a, b, of, seen, u, v, t) => {
        const [first, second] = [planePart({ region: of }), planePart({ region: seen })]
        const frame = moved(a, b, first.u.scale * u + first.u.shift, first.v.scale * v + first.v.shift, t)
        if (frame[2] <= 0.01) return
        const got = moved({ ...a, region: of }, { ...b, region: seen }, u, v, t)
        expect(second.u.scale * got[0] + second.u.shift).toBeCloseTo(frame[0], 6)
        expect(second.v.scale * got[1] + second.v.shift).toBeCloseTo(frame[1], 6)
        expect(got[2]).toBeCloseTo(frame[2], 9)
      }),
    )
  })

  it('a point is in the cell whose ray goes to it, and as many px from the corner as in the frame', () => {
    fc.assert(
      fc.property(anyCamera, anyRegion, fc.double({ min: 5, max: 50, noNaN: true }), (camera, region, t) => {
        const cut = { ...camera, region }
        const [map, frame] = [new CostMap([region.w, region.h], 8), new CostMap(SIZE, 8)]
        const rays = new BoxRays(IDENTITY, cut, map)
        const [column, row] = [map.columns - 1, map.rows - 1]
        rays.at(column, row)
        const point = [0, 1, 2].map(k => rays.point[k]! + t * rays.direction[k]!) as [number, number, number]
        const place = placeOf(point, cut, map)!
        expect(place).toEqual([expect.closeTo(column + 0.5, 6), expect.closeTo(row + 0.5, 6)])
        const whole = placeOf(point, camera, frame)!
        expect(whole.map(cells => cells * 8)).toEqual([
          expect.closeTo(region.x + place[0] * 8, 5),
          expect.closeTo(region.y + place[1] * 8, 5),
        ])
      }),
    )
  })

  it('geometry covers the pixels that it covers in the frame', () => {
    const coordinate = fc.double({ min: -6, max: 6, noNaN: true })
    const anyTriangles = fc.array(coordinate, { minLength: 18, maxLength: 18 })
    fc.assert(
      fc.property(anyCamera, anyRegion, anyTriangles, (camera, region, values) => {
        const vertices = Float32Array.from(values, (value, i) => (i % 3 === 2 ? value - 8 : value))
        const mesh = { attributes: ['position' as const], vertices, slotCount: 1 }
        const indices = Uint32Array.from({ length: 6 }, (_, i) => i)
        const scene = {
          meshes: [{ ...mesh, indices, slots: new Uint16Array(2) }],
          instances: [{ mesh: 0, transform: IDENTITY, materials: [0] }],
          centre: [0, 0, 0] as const,
        }
        const whole = projectCoverage(scene, camera, SIZE)
        const part = projectCoverage(scene, { ...camera, region }, [region.w, region.h])
        let others = 0
        for (let y = 0; y < region.h; y++)
          for (let x = 0; x < region.w; x++) if (part.has(x, y) !== whole.has(region.x + x, region.y + y)) others++
        // Rounding decides about a pixel that an edge touches.
        expect(others).toBeLessThanOrEqual(2)
      }),
    )
  })
})
