import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AmbientMaterial, BakedScene } from '../../../../shared/scene/ambient-look.ts'
import type { Vec3 } from '../../../../shared/view.ts'
import { buildBvh } from '../../../../worker/engine/reference/bvh-builder.ts'
import { type Bvh, openStructure, SLOT_FLOATS } from '../../../../worker/engine/reference/bvh-layout.ts'
import { hitDistance } from '../../../../worker/engine/reference/ray-tests.ts'
import { GLASS_SHADOW, Traversal } from '../../../../worker/engine/reference/traversal.ts'
import { GREY, mixedScene, quad, sceneOf, soup, sphere, unit } from '../../support/meshes.ts'

const prepare = (scene: BakedScene) => {
  const bvh = openStructure(buildBvh(scene))
  return { scene, bvh, traversal: new Traversal(bvh, scene) }
}
const closest = (traversal: Traversal, origin: Vec3, direction: Vec3) =>
  traversal.closestHit(...origin, ...direction, 0, Number.POSITIVE_INFINITY)

const f = Math.fround

/** Every triangle tested, no tree: number of the first one met, and where. */
function bruteForce(bvh: Bvh, ...ray: [origin: Vec3, direction: Vec3]): { id: number; distance: number } | undefined {
  const [origin, direction] = ray.map(v => v.map(f)) as [number[], number[]]
  const sizes = direction.map(Math.abs)
  const kz = sizes.indexOf(Math.max(...sizes))
  const [kx, ky] = [(kz + 1) % 3, (kz + 2) % 3]
  const scale = f(1 / direction[kz]!)
  const [shearX, shearY] = [f(direction[kx]! * scale), f(direction[ky]! * scale)]
  let best: { id: number; distance: number } | undefined
  bvh.triangleIds.forEach((id, slot) => {
    const from = slot * SLOT_FLOATS
    const distance = hitDistance(
      bvh.triangles,
      from,
      kx,
      ky,
      kz,
      origin[kx]!,
      origin[ky]!,
      origin[kz]!,
      shearX,
      shearY,
      scale,
    )
    if (!(distance >= 0)) return
    if (!best || distance < best.distance || (distance === best.distance && id < best.id)) best = { id, distance }
  })
  return best
}

/** Another way to meet a triangle: Möller and Trumbore 1997, without any claim about edges. */
function mollerTrumbore(
  t: Float32Array,
  at: number,
  o: Vec3,
  d: Vec3,
): { distance: number; margin: number; slope: number } {
  const corner = (k: number): Vec3 => [t[at + k]!, t[at + k + 1]!, t[at + k + 2]!]
  const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
  const cross = (a: Vec3, b: Vec3): Vec3 => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ]
  const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
  const [e1, e2, s] = [minus(corner(3), corner(0)), minus(corner(6), corner(0)), minus(o, corner(0))]
  const p = cross(d, e2)
  const determinant = dot(e1, p)
  const [u, v] = [dot(s, p) / determinant, dot(d, cross(s, e1)) / determinant]
  const [normal, length] = [cross(e1, e2), (x: Vec3) => Math.sqrt(dot(x, x))]
  return {
    distance: dot(e2, cross(s, e1)) / determinant,
    margin: Math.min(u, v, 1 - u - v),
    /** Sine of the angle between ray and triangle. */
    slope: Math.abs(determinant) / (length(normal) * length(d)),
  }
}

describe('the closest hit', () => {
  const prepared = prepare(mixedScene())
  const { bvh, traversal } = prepared
  const inSight = fc.double({ min: -3, max: 3, noNaN: true })
  const anywhere = fc.tuple(inSight, inSight, inSight)
  // Directions with zeros among them: rays along axes and planes of axes.
  const part = fc.oneof(fc.constantFrom(0, 1, -1), inSight)
  const direction = fc.tuple(part, part, part).filter(d => d.some(x => Math.abs(x) > 1e-3))

  const expectSame = (origin: Vec3, d: Vec3, { bvh, traversal } = prepared) => {
    const expected = bruteForce(bvh, origin, d)
    expect(closest(traversal, origin, d)).toBe(expected !== undefined)
    if (!expected) return
    // Adding 0 makes 0 of -0, which is as good.
    expect([bvh.triangleIds[traversal.slot], traversal.distance + 0]).toEqual([expected.id, expected.distance + 0])
  }

  it('is what testing every triangle finds', () => {
    fc.assert(
      fc.property(anywhere, direction, (origin, d) => expectSame(origin, d)),
      { numRuns: 2000 },
    )
  })

  it('is so for rays through vertices and middles of edges', () => {
    const corner = fc.tuple(fc.nat({ max: bvh.triangleIds.length - 1 }), fc.nat({ max: 2 }), fc.boolean())
    fc.assert(
      fc.property(anywhere, corner, (origin, [slot, k, edge]) => {
        const at = (which: number, axis: number) => bvh.triangles[slot * SLOT_FLOATS + (which % 3) * 3 + axis]!
        const target = [0, 1, 2].map(axis => (edge ? (at(k, axis) + at(k + 1, axis)) / 2 : at(k, axis)))
        expectSame(origin, target.map((x, axis) => x - origin[axis]!) as unknown as Vec3)
      }),
      { numRuns: 1000 },
    )
  })

  it('is so for rays that start on vertices, or run along the floor', () => {
    for (let slot = 0; slot < 200; slot++) {
      const start = [...bvh.triangles.subarray(slot * SLOT_FLOATS, slot * SLOT_FLOATS + 3)] as unknown as Vec3
      for (const d of [
        [1, 0, 0],
        [0, -1, 0],
        [0, 0, 1],
        [1, 1, 0],
        [-1, 0, 1],
      ] as Vec3[])
        expectSame(start, d)
    }
    for (let x = -7; x <= 7; x += 0.5)
      for (const d of [
        [0, 0, -1],
        [1e-9, 0, -1],
        [0, -1e-9, -1],
      ] as Vec3[])
        expectSame([x, 0, 8], d)
  })

  it('is so for rays that start next to large triangles', () => {
    // Within some float steps of a triangle's plane, as seen from its farthest corner, rounding decides what is a hit.
    const near = fc.double({ min: -1e-6, max: 1e-6, noNaN: true })
    const slanted = prepare(
      sceneOf([
        { mesh: quad([-6, 0, 6], [12, 0, 0], [0, 0, -12]), material: GREY },
        { mesh: soup([-6, -3, 5, 6, -3, 5.5, 0, 3, -7, -6, 3, 5, 6, 3.5, 5, 0, -3, -7]), material: GREY },
      ]),
    )
    fc.assert(
      fc.property(fc.nat({ max: 3 }), inSight, inSight, near, direction, (slot, u, v, off, d) => {
        const at = (corner: number, axis: number) => slanted.bvh.triangles[slot * SLOT_FLOATS + corner * 3 + axis]!
        const origin = [0, 1, 2].map(
          k => at(0, k) + ((at(1, k) - at(0, k)) * (u + 3)) / 6 + ((at(2, k) - at(0, k)) * (v + 3)) / 6 + off,
        )
        expectSame(origin as unknown as Vec3, d, slanted)
      }),
      { numRuns: 20_000 },
    )
  })

  it('is where another formula meets the triangle', () => {
    let compared = 0
    // The other formula has no answer for coordinates next to nothing.
    const rounded = (v: Vec3) => v.map(x => f(Math.round(x * 1e6) / 1e6)) as unknown as Vec3
    fc.assert(
      fc.property(anywhere.map(rounded), direction.map(rounded), (origin, d) => {
        if (!closest(traversal, origin, d)) return
        const other = mollerTrumbore(bvh.triangles, traversal.slot * SLOT_FLOATS, origin, d)
        // Floats and doubles may differ about a triangle's edge, or where it is seen almost from there.
        if (Math.abs(other.margin) < 1e-4 || other.slope < 1e-2) return
        compared++
        expect(other.margin).toBeGreaterThan(0)
        expect(other.distance).toBeCloseTo(traversal.distance, 4)
      }),
      { numRuns: 3000 },
    )
    expect(compared).toBeGreaterThan(100)
  })

  it('counts only between the distances asked for', () => {
    const wall = prepare(sceneOf([{ mesh: quad([-1, -1, 0], [2, 0, 0], [0, 2, 0]), material: GREY }]))
    const hit = (min: number, max: number) => wall.traversal.closestHit(0.1, 0.2, 4, 0, 0, -2, min, max)
    expect([hit(0, 2), wall.traversal.distance]).toEqual([true, 2])
    expect([hit(0, 1.999), hit(2.001, 9), hit(2, 9)]).toEqual([false, false, true])
  })

  it('of two triangles at one place is the one with the lower number', () => {
    const triangle = [-1, -1, 0, 1, -1, 0, 0, 1, 0]
    const { bvh: pair, traversal: both } = prepare(
      sceneOf([{ mesh: soup([...Array(40)].flatMap(() => triangle)), material: GREY }]),
    )
    expect(closest(both, [0, 0, 3], [0, 0, -1])).toBe(true)
    expect(pair.triangleIds[both.slot]).toBe(0)
  })
})

describe('a closed mesh', () => {
  it('lets no ray out, not even through its vertices and edges', () => {
    const { bvh, traversal } = prepare(sceneOf([{ mesh: sphere([0.3, -0.2, 0.1], 1, 4), material: GREY }]))
    let state = 1
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0
      return (state >>> 0) / 4294967296
    }
    for (let i = 0; i < 60_000; i++) {
      const origin: Vec3 = [0.3 + random() - 0.5, -0.2 + random() - 0.5, 0.1 + random() - 0.5]
      const slot = Math.floor(random() * bvh.triangleIds.length)
      const k = Math.floor(random() * 3)
      // A vertex, or any point of an edge; the direction as it comes, or rounded to floats as a camera's might be.
      const along = i % 3 === 0 ? 0 : random()
      const target = [0, 1, 2].map(axis => {
        const [a, b] = [
          bvh.triangles[slot * SLOT_FLOATS + k * 3 + axis]!,
          bvh.triangles[slot * SLOT_FLOATS + ((k + 1) % 3) * 3 + axis]!,
        ]
        return a + (b - a) * along - origin[axis]!
      })
      const d = (i % 2 === 0 ? target : target.map(Math.fround)) as unknown as Vec3
      if (!closest(traversal, origin, d)) expect.fail(`ray ${i} from ${origin} along ${d} escaped`)
      if (traversal.lightFrom(...origin, ...d) !== 0)
        expect.fail(`light came in against ray ${i} from ${origin} along ${d}`)
    }
  })
})

describe('light from a direction', () => {
  const glass: AmbientMaterial = { kind: 'glass', color: [1, 1, 1], ior: 1.5 }
  const pane = (z: number) => quad([-1, -1, z], [2, 0, 0], [0, 2, 0])
  const light = (...parts: { z: number; material: AmbientMaterial }[]) => {
    const scene = sceneOf([
      { mesh: pane(-9), material: GREY },
      ...parts.map(({ z, material }) => ({ mesh: pane(z), material })),
    ])
    return prepare(scene).traversal.lightFrom(0.1, 0.2, 0, ...unit([0.01, 0.02, 1]))
  }

  it('is all of it in the open', () => expect(light()).toBe(1))
  it('is none behind anything opaque', () => expect(light({ z: 1, material: GREY })).toBe(0))
  it('is dimmed by glass, once for all', () => {
    expect(light({ z: 1, material: glass })).toBe(GLASS_SHADOW)
    expect(light({ z: 1, material: glass }, { z: 2, material: glass }, { z: 3, material: glass })).toBe(GLASS_SHADOW)
  })
  it('is none behind glass and something opaque, in whatever order', () => {
    expect(light({ z: 1, material: glass }, { z: 2, material: GREY })).toBe(0)
    expect(light({ z: 2, material: glass }, { z: 1, material: GREY })).toBe(0)
  })
})
