import { describe, expect, it } from 'vitest'
import { normalize } from '../../../../../scripts/bench/pictures/model/vector.ts'
import { Bvh, type Ray } from '../../../../../scripts/bench/pictures/naive/bvh.ts'
import { RandomStream } from '../../../../../scripts/bench/pictures/naive/random-stream.ts'
import { SceneBuilder } from '../../../../../scripts/bench/pictures/scenes/meshes.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'

const NIGHT = { kind: 'sky', zenith: [0, 0, 0], horizon: [0, 0, 0], ground: [0, 0, 0] } as const
const FAR = Number.POSITIVE_INFINITY
const NONE: ReadonlySet<number> = new Set()

describe('the naive hierarchy', () => {
  it('finds what a search through all triangles finds', () => {
    const random = new RandomStream(1)
    const vector = (): Vec3 => [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5]
    const near = (center: Vec3): Vec3 => vector().map((x, i) => center[i]! + 0.3 * x) as unknown as Vec3
    const builder = new SceneBuilder()
    for (let i = 0; i < 300; i++) {
      const center = vector()
      builder.triangle(0, [near(center), near(center), near(center)])
    }
    const { positions } = builder.build(NIGHT)
    const all = new Bvh(positions)
    const single = Array.from({ length: 300 }, (_, i) => new Bvh(positions.slice(i * 9, i * 9 + 9)))
    let hits = 0
    for (let i = 0; i < 500; i++) {
      const ray: Ray = { origin: vector(), direction: normalize(vector()) }
      const distances = single.map(one => one.nearest(ray, NONE, 0, FAR)?.distance ?? FAR)
      const least = Math.min(...distances)
      const found = all.nearest(ray, NONE, 0, FAR)
      expect(found?.distance ?? FAR).toBe(least)
      expect(found?.triangle ?? -1).toBe(distances.findIndex(distance => distance === least && least < FAR))
      if (found) hits++
    }
    expect(hits).toBeGreaterThan(100)
  })

  it('meets flat boxes along their walls, skips the triangle it starts on, and keeps to its range', () => {
    const builder = new SceneBuilder()
    builder.rectangle(0, [0, 0, 0], [0, 0, 1], [1, 0, 0])
    builder.rectangle(0, [0, -1, 0], [0, 0, 1], [1, 0, 0])
    const bvh = new Bvh(builder.build(NIGHT).positions)
    // In the plane of the boxes' side, and of the triangles' edges.
    expect(bvh.nearest({ origin: [-1, 1, 0.5], direction: [0, -1, 0] }, NONE, 0, FAR)?.distance).toBe(1)
    expect(bvh.nearest({ origin: [-3, 0, 0.5], direction: [1, 0, 0] }, NONE, 0, FAR)).toBeUndefined()
    const ray: Ray = { origin: [0, 1, 0.5], direction: [0, -1, 0] }
    const first = bvh.nearest(ray, NONE, 0, FAR)!
    expect(first.distance).toBe(1)
    expect(bvh.nearest(ray, new Set([first.triangle]), 0, FAR)?.distance).toBe(2)
    expect(bvh.nearest(ray, NONE, 1.5, FAR)?.distance).toBe(2)
    expect(bvh.nearest(ray, NONE, 0, 0.5)).toBeUndefined()
  })

  it('finds of triangles in one place the first, one after the other', () => {
    const builder = new SceneBuilder()
    const corner = (x: number, y: number): Vec3 => [x, y, 0.25 * x + 0.5 * y]
    for (const size of [7, 3, 5]) builder.triangle(0, [corner(-size, -size), corner(size, -size), corner(0, size)])
    const bvh = new Bvh(builder.build(NIGHT).positions)
    const ray: Ray = { origin: [0.1, 0.2, 3], direction: normalize([0.1, -0.1, -1]) }
    const order = (rank: (triangle: number) => number) => {
      const passed = new Set<number>()
      for (let i = 0; i < 4; i++) passed.add(bvh.nearest(ray, passed, 0, FAR, rank)?.triangle ?? -1)
      return [...passed]
    }
    expect(order(triangle => triangle)).toEqual([0, 1, 2, -1])
    expect(order(triangle => -triangle)).toEqual([2, 1, 0, -1])
  })

  it('of nothing finds nothing', () => {
    const ray: Ray = { origin: [0, 0, 0], direction: [0, 0, 1] }
    expect(new Bvh(new Float64Array()).nearest(ray, NONE, 0, FAR)).toBeUndefined()
  })
})
