import { BoxGeometry, BufferAttribute, BufferGeometry, Mesh, MeshLambertMaterial, Scene } from 'three'
import { describe, expect, it } from 'vitest'
import { importThree } from '../../../../scenes/import/import-three.ts'
import { type SceneMesh, strideOf } from '../../../../shared/scene/description.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'

/** A box with eight vertices, and a colour that follows from each one's place. */
function box(): BufferGeometry {
  const corners = new BoxGeometry(2, 2, 2)
  const number = (x: number, y: number, z: number) => (x + 1) / 2 + (y + 1) + (z + 1) * 2
  const { array } = corners.getAttribute('position')
  const numbers = Array.from({ length: array.length / 3 }, (_, i) =>
    number(array[i * 3]!, array[i * 3 + 1]!, array[i * 3 + 2]!),
  )
  const places = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2].map(bit => bit * 2 - 1))
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(places.flat()), 3))
  geometry.setAttribute('color', new BufferAttribute(Float32Array.from(places.flatMap(colorAt)), 3))
  geometry.setIndex([...corners.index!.array].map(corner => numbers[corner]!))
  return geometry
}

const colorAt = (place: readonly number[]) => place.map(x => (x + 1) / 4 + 0.25)

const tinted = (settings = {}) => new MeshLambertMaterial({ vertexColors: true, ...settings })
const imported = (...meshes: Mesh[]) => importThree(new Scene().add(...meshes))
const ignored = (problems: readonly string[]) => problems.filter(problem => problem.includes('were ignored'))

/** Position and colour of each corner. */
function cornersOf({ attributes, vertices, indices }: SceneMesh): { place: number[]; color: number[] }[] {
  const stride = strideOf(attributes)
  return Array.from(indices, vertex => {
    const own = vertices.subarray(vertex * stride, (vertex + 1) * stride)
    return { place: [...own.subarray(0, 3)], color: [...own.subarray(stride - 4)] }
  })
}

describe('colours of vertices', () => {
  it.each([
    ['split at creases', {}, ['position', 'normal', 'color']],
    ['flat', { flatShading: true }, ['position', 'color']],
    ['seen from behind', { side: 1 }, ['position', 'normal', 'color']],
  ])('stay with their vertices when a mesh is %s', (_, settings, attributes) => {
    const { description, problems } = imported(new Mesh(box(), tinted(settings)))
    expect(description.meshes[0]!.attributes).toEqual(attributes)
    const corners = cornersOf(description.meshes[0]!)
    expect(corners).toHaveLength(36)
    for (const { place, color } of corners) expect(color).toEqual([...colorAt(place), 1])
    expect(ignored(problems)).toEqual([])
    expect(packScene(description).bytes.length).toBeGreaterThan(0)
  })

  it('may be of any type, have an opacity, and are clamped', () => {
    const geometry = box()
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => (i % 4 === 3 ? 51 : 255))
    geometry.setAttribute('color', new BufferAttribute(bytes, 4, true))
    const [corner] = cornersOf(imported(new Mesh(geometry, tinted())).description.meshes[0]!)
    expect(corner!.color).toEqual([1, 1, 1, Math.fround(0.2)])
    const wild = Float32Array.from({ length: 24 }, (_, i) => [Number.NaN, 7, -1][i % 3]!)
    geometry.setAttribute('color', new BufferAttribute(wild, 3))
    const [other] = cornersOf(imported(new Mesh(geometry, tinted())).description.meshes[0]!)
    expect(other!.color).toEqual([0, 1, 0, 1])
  })

  it('are left out where no material asks for them, with one mesh for each kind', () => {
    const geometry = box()
    const { description, problems } = imported(
      new Mesh(geometry, new MeshLambertMaterial()),
      new Mesh(geometry, tinted()),
      new Mesh(geometry, tinted({ color: 0xff0000 })),
    )
    expect(description.meshes.map(({ attributes }) => attributes.includes('color'))).toEqual([false, true])
    expect(description.instances.map(({ mesh }) => mesh)).toEqual([0, 1, 1])
    expect(ignored(problems)).toEqual([])
  })

  it('that cannot be used are reported', () => {
    const some = box()
    some.addGroup(0, 18, 0)
    some.addGroup(18, 18, 1)
    const few = box()
    few.setAttribute('color', new BufferAttribute(new Float32Array(21), 3))
    const meshes = [new Mesh(some, [tinted(), new MeshLambertMaterial()]), new Mesh(few, tinted())]
    meshes.forEach((mesh, i) => {
      mesh.name = ['some', 'few'][i]!
    })
    const { description, problems } = imported(...meshes)
    expect(description.meshes.some(({ attributes }) => attributes.includes('color'))).toBe(false)
    expect(ignored(problems)).toEqual([
      "mesh 'some': vertex colours were ignored: only 1 of its 2 materials use them",
      "mesh 'few': vertex colours were ignored: 7 for 8 vertices",
    ])
  })
})
