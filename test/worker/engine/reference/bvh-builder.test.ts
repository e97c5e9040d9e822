import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../../../shared/errors.ts'
import type { AmbientScene } from '../../../../shared/scene/ambient-look.ts'
import { buildBvh } from '../../../../worker/engine/reference/bvh-builder.ts'
import {
  type Bvh,
  MAX_DEPTH,
  NODE_COUNT,
  NODE_LINK,
  NODE_MAX,
  NODE_MIN,
  NODE_WORDS,
  openStructure,
  SLOT_FLOATS,
} from '../../../../worker/engine/reference/bvh-layout.ts'
import { GREY, mixedScene, quad, soup, sphere, unbakedScene } from '../../support/meshes.ts'

const trianglesOf = (positions: readonly number[]) => unbakedScene([{ mesh: soup(positions), material: GREY }])
const row = (count: number, triangle: (i: number) => number[]) =>
  trianglesOf(Array.from({ length: count }, (_, i) => triangle(i)).flat())

const SCENES: readonly [string, AmbientScene][] = [
  ['a scene of many parts', mixedScene()],
  ['one triangle', trianglesOf([0, 0, 0, 1, 0, 0, 0, 1, 0])],
  ['a flat floor', unbakedScene([{ mesh: quad([-1, 0, 1], [2, 0, 0], [0, 0, -2]), material: GREY }])],
  ['a sphere far away', unbakedScene([{ mesh: sphere([1e6, -1e6, 1e6], 1, 3), material: GREY }])],
  ['coincident triangles', row(1000, () => [0, 0, 0, 1, 0, 0, 0, 1, 0])],
  ['points at one place', row(50, () => [0, 0, 0, 0, 0, 0, 0, 0, 0])],
  [
    'triangles that are lines and points',
    row(200, i => (i % 2 ? [i, 0, 0, i, 1, 0, i, 2, 0] : [i, i, i, i, i, i, i, i, i])),
  ],
  // Each is so much larger than all before it that every split cuts off one: the deepest tree there can be.
  ['sizes from 1e-37 to 1e37', row(250, i => [0, 0, 0, 1e-37 * 2 ** i, 0, 0, 0, 1e-37 * 2 ** i, 0])],
  ['coordinates on a doubling grid', row(240, i => [2 ** (i - 120), 0, 0, 2 ** (i - 120), 1, 0, 2 ** (i - 120), 0, 1])],
]

describe.each(SCENES)('the BVH of %s', (_, scene) => {
  const bvh = openStructure(buildBvh(scene))

  it('has every triangle in exactly one leaf, unchanged', () => {
    const seen = new Int32Array(bvh.triangleIds.length)
    for (const { count, link } of nodesOf(bvh)) for (let slot = link; slot < link + count; slot++) seen[slot]!++
    expect(seen.every(times => times === 1)).toBe(true)
    expect([...bvh.triangleIds].sort((a, b) => a - b)).toEqual(Array.from(bvh.triangleIds.keys()))
    bvh.triangleIds.forEach((id, slot) => {
      const corners = [0, 1, 2].flatMap(k => {
        const at = scene.indices[id * 3 + k]! * 3
        return [...scene.positions.subarray(at, at + 3)]
      })
      expect([...bvh.triangles.subarray(slot * SLOT_FLOATS, (slot + 1) * SLOT_FLOATS)]).toEqual(corners)
    })
  })

  it('has boxes that hold their triangles and their children', () => {
    for (const { count, link, at } of nodesOf(bvh)) {
      for (let axis = 0; axis < 3; axis++) {
        const [low, high] = [bvh.nodeBounds[at + NODE_MIN + axis]!, bvh.nodeBounds[at + NODE_MAX + axis]!]
        for (let slot = link; slot < link + count; slot++) {
          for (let k = 0; k < 3; k++) {
            const x = bvh.triangles[slot * SLOT_FLOATS + k * 3 + axis]!
            // Strictly: the traversal relies on a margin around every triangle.
            if (!(low < x && x < high)) expect.fail(`slot ${slot}: ${x} is not within ${low} to ${high}`)
          }
        }
        for (const child of count > 0 ? [] : [link, link + 1]) {
          expect(bvh.nodeBounds[child * NODE_WORDS + NODE_MIN + axis]).toBeGreaterThanOrEqual(low)
          expect(bvh.nodeBounds[child * NODE_WORDS + NODE_MAX + axis]).toBeLessThanOrEqual(high)
        }
      }
    }
  })

  it('is no deeper than a traversal can hold, with small leaves', () => {
    const nodes = [...nodesOf(bvh)]
    expect(Math.max(...nodes.map(({ depth }) => depth + 1))).toBeLessThanOrEqual(MAX_DEPTH)
    expect(Math.max(...nodes.map(({ count }) => count))).toBeLessThanOrEqual(4)
    expect(nodes.length).toBe(bvh.nodeLinks.length / NODE_WORDS)
  })

  it('has the same bytes when it is built again', () => {
    const digest = (buffer: SharedArrayBuffer) => createHash('sha256').update(new Uint8Array(buffer)).digest('hex')
    expect(digest(buildBvh(scene))).toBe(digest(buildBvh(scene)))
  })
})

describe('building a BVH', () => {
  it('refuses a scene without triangles', () => {
    const empty = { ...mixedScene(), indices: new Uint32Array(0), materialIds: new Uint16Array(0) }
    expect(() => buildBvh(empty)).toThrow(InvariantError)
  })

  it('costs a random ray far less than testing everything', () => {
    const scene = unbakedScene([{ mesh: sphere([0, 0, 0], 1, 5), material: GREY }])
    const bvh = openStructure(buildBvh(scene))
    const area = (at: number) => {
      const [x, y, z] = [0, 1, 2].map(k => bvh.nodeBounds[at + NODE_MAX + k]! - bvh.nodeBounds[at + NODE_MIN + k]!)
      return x! * y! + y! * z! + z! * x!
    }
    // Expected nodes and triangles per ray through the root's box, by the surface area heuristic.
    const cost = [...nodesOf(bvh)].reduce((sum, { at, count }) => sum + ((count || 2) * area(at)) / area(0), 0)
    expect(cost).toBeGreaterThan(1)
    expect(cost).toBeLessThan(60)
  })

  it('keeps its promises for random triangles', () => {
    const coordinate = fc.float({ min: -1000, max: 1000, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(fc.array(coordinate, { minLength: 9, maxLength: 9 }), { minLength: 1, maxLength: 60 }),
        all => {
          const bvh = openStructure(buildBvh(trianglesOf(all.flat())))
          const slots = [...nodesOf(bvh)].reduce((sum, { count }) => sum + count, 0)
          expect(slots).toBe(all.length)
          expect(new Set(bvh.triangleIds).size).toBe(all.length)
        },
      ),
      { numRuns: 50 },
    )
  })
})

/** All nodes that can be reached from the root, with their depth and the word where each begins. */
function* nodesOf(bvh: Bvh): Generator<{ at: number; depth: number; link: number; count: number }> {
  const open = [{ node: 0, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const at = next.node * NODE_WORDS
    const link = bvh.nodeLinks[at + NODE_LINK]!
    const count = bvh.nodeLinks[at + NODE_COUNT]!
    yield { at, depth: next.depth, link, count }
    if (count === 0) for (const node of [link, link + 1]) open.push({ node, depth: next.depth + 1 })
  }
}
