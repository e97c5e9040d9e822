import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bake, inverseTransposed, isPoint, type Triangles, triangleCount } from '../../../shared/scene/bake.ts'
import { IDENTITY, type Instance, type SceneMesh, type Transform } from '../../../shared/scene/description.ts'
import { fullScene } from '../../support/full-scene.ts'
import { cornersOf, materialsOf, vertexNumbers, verticesOf } from '../../support/triangles.ts'

const number = fc.integer({ min: -16, max: 16 }).map(i => i / 4)
const transforms: fc.Arbitrary<Transform> = fc.array(number, { minLength: 12, maxLength: 12 })
const flattens = (transform: Transform) => inverseTransposed(transform).every(element => element === 0)
const keepingSpace = transforms.filter(transform => !flattens(transform))
/** Often all zeros, or but for one row. */
const anyTransforms = fc.oneof(
  transforms,
  fc.tuple(fc.nat(3), transforms).map(([row, t]) => t.map((x, k) => (k % 4 === 3 || k >> 2 === row ? x : 0))),
)

const anyMesh: fc.Arbitrary<SceneMesh> = fc
  .tuple(fc.array(number, { minLength: 12, maxLength: 12 }), fc.array(fc.nat(3), { minLength: 3, maxLength: 18 }))
  .map(([vertices, corners]) => {
    const indices = Uint32Array.from(corners.slice(0, Math.floor(corners.length / 3) * 3))
    const slots = Uint16Array.from({ length: indices.length / 3 }, (_, i) => i % 2)
    return { attributes: ['position'], vertices: Float32Array.from(vertices), indices, slots, slotCount: 2 }
  })

/** The same mesh in place: its vertices are transformed, its triangles turned where the transform mirrors. */
function inPlace(mesh: SceneMesh, t: Transform): SceneMesh {
  const vertices = mesh.vertices.slice()
  for (let at = 0; at < vertices.length; at += 3) {
    const [x, y, z] = mesh.vertices.subarray(at, at + 3) as unknown as [number, number, number]
    for (let row = 0; row < 3; row++)
      vertices[at + row] = t[row * 4]! * x + t[row * 4 + 1]! * y + t[row * 4 + 2]! * z + t[row * 4 + 3]!
  }
  const [a, b, c, , d, e, f, , g, h, i] = t as [number, ...number[]] as never as number[]
  const mirrored = a! * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!) < 0
  const indices = mesh.indices.slice()
  if (mirrored)
    for (let at = 0; at < indices.length; at += 3) {
      indices[at + 1] = mesh.indices[at + 2]!
      indices[at + 2] = mesh.indices[at + 1]!
    }
  return { ...mesh, vertices, indices }
}

const plainly = (triangles: Triangles) => ({ vertices: verticesOf(triangles), corners: [...triangles.corners] })

describe('baking', () => {
  it('gives instances the triangles that meshes in their places have', () => {
    const placed = fc.tuple(anyMesh, fc.array(keepingSpace, { minLength: 1, maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(placed, { minLength: 1, maxLength: 3 }), parts => {
        const meshes = parts.map(([mesh]) => mesh)
        const instances = parts.flatMap(([, places], mesh) =>
          places.map((transform, i): Instance => ({ mesh, transform, materials: [mesh, 7 + i] })),
        )
        const apart = instances.map(({ mesh, transform }) => inPlace(meshes[mesh]!, transform))
        const stays = instances.map((instance, mesh) => ({ ...instance, mesh, transform: IDENTITY }))
        expect(plainly(bake({ meshes, instances }))).toEqual(plainly(bake({ meshes: apart, instances: stays })))
      }),
    )
  })

  it('leaves out triangles that can have no area, and where space is flattened all that have none; others become points', () => {
    fc.assert(
      fc.property(anyMesh, anyTransforms, (mesh, transform) => {
        const triangles = bake({ meshes: [mesh], instances: [{ mesh: 0, transform, materials: [0, 1] }] })
        for (let triangle = 0; triangle < triangleCount(triangles); triangle++) {
          const [a, b, c] = cornersOf(triangles, triangle)
          const u = b.map((x, k) => x - a[k]!) as [number, number, number]
          const v = c.map((x, k) => x - a[k]!) as [number, number, number]
          const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
          if (cross.every(x => x === 0))
            expect([isPoint(triangles, triangle), flattens(transform)]).toEqual([true, false])
          else expect(isPoint(triangles, triangle)).toBe(false)
        }
      }),
    )
  })

  it('turns normals with their instance, keeps them unit, and computes those that are missing', () => {
    const triangles = bake(fullScene())
    expect(vertexNumbers(triangles)).toEqual([0, 1, 2, 2, 1, 0, 3, 5, 4, 5, 3, 4, 6, 8, 7])
    expect(materialsOf(triangles)).toEqual([0, 1, 1, 1, 2])
    expect(verticesOf(triangles).map(({ normal }) => normal.join(' '))).toEqual([
      ...['0 0 1', '0 0 1', '0 1 0'],
      ...['0 0 1', '0 0 1', '0 1 0'],
      ...['0 1 0', '0 1 0', '0 1 0'],
    ])
  })

  it('gives vertices the texture coordinates of their mesh, and zeros where it has none', () => {
    expect(verticesOf(bake(fullScene())).map(({ uv }) => uv?.join(' '))).toEqual([
      ...['0 0', '1 0', '0 1'],
      ...['0 0', '1 0', '0 1'],
      ...['0 0', '0 0', '0 0'],
    ])
  })

  it('leaves texture coordinates out where there are no textures', () => {
    expect(bake({ ...fullScene(), textures: [] }).extras?.uv).toBeUndefined()
  })
})
