import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bakedSize, bakeInto, type Triangles, VERTEX_FLOATS } from '../../../shared/scene/bake.ts'
import { extrasFor, extrasOf } from '../../../shared/scene/bake-extras.ts'
import { BakeTogether } from '../../../shared/scene/bake-together.ts'
import type { Instance, SceneMesh, VertexAttribute } from '../../../shared/scene/description.ts'
import { triangleBits } from '../../../shared/scene/triangle-bits.ts'

type Scene = { readonly meshes: readonly SceneMesh[]; readonly instances: readonly Instance[] }

const number = fc.integer({ min: -8, max: 8 }).map(i => i / 4)
const ATTRIBUTES: readonly (readonly VertexAttribute[])[] = [
  ['position'],
  ['position', 'normal'],
  ['position', 'normal', 'uv', 'color'],
]
const STRIDES = [3, 6, 12]

/** Few different numbers: many triangles have no area, and many normals are zero. */
const anyMesh: fc.Arbitrary<SceneMesh> = fc
  .tuple(fc.nat(2), fc.integer({ min: 3, max: 9 }), fc.integer({ min: 1, max: 12 }))
  .chain(([kind, vertices, triangles]) =>
    fc
      .tuple(
        fc.array(number, { minLength: vertices * STRIDES[kind]!, maxLength: vertices * STRIDES[kind]! }),
        fc.array(fc.nat(vertices - 1), { minLength: triangles * 3, maxLength: triangles * 3 }),
      )
      .map(([values, corners]) => ({
        attributes: ATTRIBUTES[kind]!,
        vertices: Float32Array.from(values, Math.abs),
        indices: Uint32Array.from(corners),
        slots: Uint16Array.from({ length: triangles }, (_, i) => i % 2),
        slotCount: 2,
      })),
  )
const anyScene: fc.Arbitrary<Scene> = fc.array(anyMesh, { minLength: 1, maxLength: 3 }).chain(meshes =>
  fc
    .array(
      fc.record({
        mesh: fc.nat(meshes.length - 1),
        transform: fc.array(number, { minLength: 12, maxLength: 12 }),
        materials: fc.constant([3, 5]),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map(instances => ({ meshes, instances })),
)

function roomFor(scene: Scene): Triangles {
  const { vertices, triangles } = bakedSize(scene)
  const bits = triangleBits(vertices, 6)
  return {
    vertices: new Float32Array(vertices * VERTEX_FLOATS),
    corners: new Uint32Array(triangles * bits.words),
    bits,
    extras: extrasFor([...extrasOf(scene), 'uv'], vertices),
  }
}

describe('threads that bake together', () => {
  it('write the bytes that one writes, in parts of any size', () => {
    fc.assert(
      fc.property(anyScene, fc.integer({ min: 1, max: 8 }), (scene, part) => {
        const [alone, together] = [roomFor(scene), roomFor(scene)]
        const ends = bakeInto(scene, alone)
        const shared = new SharedArrayBuffer(BakeTogether.sharedBytes(scene, part))
        const baking = new BakeTogether(scene, together, shared, part)
        // As if another had taken all before.
        new BakeTogether(scene, together, shared, part).help()
        expect(baking.finish()).toEqual(ends)
        expect(together).toEqual(alone)
      }),
    )
  })

  it('do not wait for a thread that has failed, and make nothing without its part', () => {
    const mesh = {
      attributes: ['position'] as const,
      vertices: new Float32Array(9),
      slots: new Uint16Array(1),
      slotCount: 1,
    }
    const scene = {
      meshes: [{ ...mesh, indices: Uint32Array.of(0, 1, 2) }],
      instances: [{ mesh: 0, transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], materials: [0] }],
    }
    const shared = new SharedArrayBuffer(BakeTogether.sharedBytes(scene))
    const baking = new BakeTogether(scene, roomFor(scene), shared)
    // Its only part of vertices has been taken, by a thread that ended.
    new Int32Array(shared)[0] = 1
    baking.abandon()
    expect(baking.help()).toBeUndefined()
    expect(() => baking.finish()).toThrow('a thread has failed')
  })
})
