import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectCoverage } from '../../../master/coverage/project.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Camera } from '../../../shared/frame/view.ts'
import { IDENTITY } from '../../../shared/scene/description.ts'

const camera: Camera = {
  origin: [0, 0, 0],
  right: [1, 0, 0],
  up: [0, 1, 0],
  back: [0, 0, 1],
  tanHalfX: 0.8,
  tanHalfY: 0.5,
  near: 0.5,
  far: 100,
}

type Point = readonly number[]

/** Whether a triangle touches the closed square of a pixel grown by `slack` px on all sides: clips it plane by plane. */
function touches(corners: readonly Point[], x: number, y: number, [w, h]: Size, slack: number): boolean {
  const lineX = (px: number) => ((px - w / 2) / (w / 2)) * camera.tanHalfX
  const lineY = (py: number) => ((h / 2 - py) / (h / 2)) * camera.tanHalfY
  // Planes through the eye and the pixel's four sides, and the near plane: inside where the value is not negative.
  const planes: ((p: Point) => number)[] = [
    p => -p[2]! - camera.near * (1 - 1e-6),
    p => p[0]! + p[2]! * lineX(x - slack),
    p => -p[0]! - p[2]! * lineX(x + 1 + slack),
    p => -p[1]! - p[2]! * lineY(y - slack),
    p => p[1]! + p[2]! * lineY(y + 1 + slack),
  ]
  let polygon = [...corners]
  for (const inside of planes) {
    polygon = polygon.flatMap((from, i) => {
      const to = polygon[(i + 1) % polygon.length]!
      const [a, b] = [inside(from), inside(to)]
      const kept = a >= 0 ? [from] : []
      if (a >= 0 === b >= 0) return kept
      const t = a / (a - b)
      return [...kept, from.map((value, k) => value + t * (to[k]! - value))]
    })
  }
  return polygon.length > 0
}

describe('meshes that stand in many places', () => {
  const size: Size = [64, 40]
  /** 128 triangles within a unit cube. */
  const indices = Uint32Array.from({ length: 384 }, (_, i) => (i * 7 + (i >> 3)) % 60)
  const points = Array.from({ length: 60 }, (_, i) => [0.754877, 0.56984, 0.430159].map(step => (i * step) % 1))
  const mesh = (triangles: Uint32Array) => ({
    attributes: ['position'] as const,
    vertices: Float32Array.from(points.flat()),
    indices: triangles,
    slots: new Uint16Array(triangles.length / 3),
    slotCount: 1,
  })
  const anyPlace = fc.record({
    scale: fc.double({ min: 0.001, max: 2, noNaN: true }),
    x: fc.double({ min: -8, max: 8, noNaN: true }),
    y: fc.double({ min: -5, max: 5, noNaN: true }),
    z: fc.double({ min: -12, max: 1, noNaN: true }),
  })

  it('set all that their triangles touch, and no more than their boxes besides', () => {
    // Meshes of few triangles are projected one triangle after the other.
    const parts = Array.from({ length: 8 }, (_, part) => mesh(indices.slice(part * 48, part * 48 + 48)))
    fc.assert(
      fc.property(fc.array(anyPlace, { minLength: 1, maxLength: 12 }), places => {
        const transforms = places.map(({ scale, x, y, z }) => [scale, 0, 0, x, 0, scale, 0, y, 0, 0, scale, z])
        const of = (meshes: readonly ReturnType<typeof mesh>[]) => {
          const instances = transforms.flatMap(transform =>
            meshes.map((_, i) => ({ mesh: i, transform, materials: [0] })),
          )
          return projectCoverage({ meshes, instances, centre: [0, 0, 0] }, camera, size)
        }
        const [whole, exact] = [of([mesh(indices)]), of(parts)]
        let more = 0
        for (let y = 0; y < size[1]; y++)
          for (let x = 0; x < size[0]; x++) {
            if (exact.has(x, y)) expect(whole.has(x, y)).toBe(true)
            else more += Number(whole.has(x, y))
          }
        // A box that is set as a whole has at most a sixteenth as many pixels as the mesh has triangles.
        expect(more).toBeLessThanOrEqual(places.length * 8)
      }),
      { numRuns: 300, endOnFailure: true },
    )
  })
})

const coordinate = fc.double({ min: -3, max: 3, noNaN: true })
const anyCorner = fc.tuple(coordinate, coordinate, fc.double({ min: -6, max: 1.5, noNaN: true }))
/** Triangles of all sizes, some of them behind the eye or through the near plane. */
const anyTriangle = fc.oneof(
  fc.tuple(anyCorner, anyCorner, anyCorner),
  fc
    .tuple(anyCorner, fc.double({ min: -0.2, max: 0.2, noNaN: true }), fc.double({ min: -0.2, max: 0.2, noNaN: true }))
    .map(
      ([[x, y, z], a, b]) =>
        [
          [x, y, z],
          [x + a, y + b, z],
          [x - b, y + a, z - a],
        ] as const,
    ),
)

/** Triangles without common vertices, nine coordinates each. */
const soup = (positions: Float32Array) => ({
  meshes: [
    {
      attributes: ['position' as const],
      vertices: positions,
      indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
      slots: new Uint16Array(positions.length / 9),
      slotCount: 1,
    },
  ],
  instances: [{ mesh: 0, transform: IDENTITY, materials: [0] }],
  centre: [0, 0, 0] as const,
})

describe('projectCoverage', () => {
  const size: Size = [37, 23]

  it('sets every pixel that a triangle touches and no other, by a clipping rasteriser', () => {
    fc.assert(
      fc.property(fc.array(anyTriangle, { minLength: 1, maxLength: 4 }), triangles => {
        const positions = Float32Array.from(triangles.flat(2))
        const corners = (t: number) => [0, 1, 2].map(k => [...positions.subarray(t * 9 + k * 3, t * 9 + k * 3 + 3)])
        const mask = projectCoverage(soup(positions), camera, size)
        const wrong: string[] = []
        for (let y = 0; y < size[1]; y++) {
          for (let x = 0; x < size[0]; x++) {
            const within = (slack: number) => triangles.some((_, t) => touches(corners(t), x, y, size, slack))
            // Squares are grown by a thousandth: between an untouched and a twice grown square either answer is right.
            if (mask.has(x, y) ? !within(4e-3) : within(0)) wrong.push(`${x},${y}`)
          }
        }
        expect(wrong).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('does not take the edge of the frame for the edge of a triangle', () => {
    // A sliver along the upper border whose right end is above it.
    const positions = Float32Array.from([
      0, 0, 0, 0.011770385783165693, 0, 0.0001908767080749385, 0, 2.9999998807907104, -6,
    ])
    const mask = projectCoverage(soup(positions), camera, size)
    expect([mask.has(18, 0), mask.has(19, 0)]).toEqual([true, false])
  })

  it('projects along parallel lines with an orthographic camera', () => {
    const parallel: Camera = { ...camera, tanHalfX: 4, tanHalfY: 4, orthographic: true }
    // A square of side 2 about the axis, far away, is a quarter of the frame wide and high.
    const positions = Float32Array.from(
      [-1, -1, 1, -1, 1, 1, -1, -1, 1, 1, -1, 1].flatMap((side, i, all) =>
        i % 2 ? [] : [side * 0.99, all[i + 1]! * 0.99, -90],
      ),
    )
    const mask = projectCoverage(soup(positions), parallel, [64, 64])
    const columns = Array.from({ length: 64 }, (_, x) => x).filter(x => mask.has(x, 32))
    expect([columns[0], columns.at(-1)]).toEqual([24, 39])
    expect([mask.has(32, 23), mask.has(32, 24), mask.has(32, 39), mask.has(32, 40)]).toEqual([false, true, true, false])
  })

  it('sees a triangle that reaches from before the eye to behind it', () => {
    const positions = Float32Array.from([-1, -0.4, -5, 1, -0.4, -5, 0, -0.4, 5])
    const mask = projectCoverage(soup(positions), camera, size)
    expect(mask.has(18, 22)).toBe(true)
    expect(mask.has(18, 2)).toBe(false)
  })

  it('leaves out what is wholly behind the near plane', () => {
    const positions = Float32Array.from([-1, -1, 3, 1, -1, 3, 0, 1, 3, -0.1, -0.1, -0.3, 0.1, -0.1, -0.3, 0, 0.1, -0.3])
    const mask = projectCoverage(soup(positions), camera, size)
    expect(mask.bits.every(word => word === 0)).toBe(true)
  })
})
