/** What objects and materials are called, and which numbers they have. */
import {
  BoxGeometry,
  Color,
  DataTexture,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Scene,
} from 'three'
import { describe, expect, it } from 'vitest'
import { ImportMemo } from '../../../scenes/import/import-memo.ts'
import { importThree } from '../../../scenes/import/import-three.ts'
import { NameTable } from '../../../scenes/import/scene-names.ts'
import { idNames } from '../../../shared/scene/id-names.ts'
import { OTHERS } from '../../../shared/scene/scene-names.ts'

const box = new BoxGeometry()
const painted = (name: string, color = 0xffffff) => Object.assign(new MeshStandardMaterial({ color }), { name })
const mesh = (name: string, material: MeshStandardMaterial | MeshStandardMaterial[] = painted('paint')) =>
  Object.assign(new Mesh(box, material), { name })
const sceneOf = (...objects: Object3D[]) => new Scene().add(...objects)

/** The names of the object of each instance, and of its materials. */
function namesOf(scene: Scene, memo?: ImportMemo) {
  const { description, names } = importThree(scene, memo)
  return description.instances.map(({ object = 0, materials }) => ({
    object: names.objects[object],
    materials: materials.map(number => names.materials[description.materials[number]!.label ?? 0]),
  }))
}

describe('an object', () => {
  it('is called as its mesh, or as the nearest thing around it that has a name', () => {
    const wheel = Object.assign(new Group(), { name: 'wheel' }).add(mesh('tyre'), new Group().add(mesh('')))
    const scene = sceneOf(wheel, mesh('wheel'), mesh(''))
    expect(namesOf(scene).map(({ object }) => object)).toEqual(['tyre', 'wheel', 'wheel', 'mesh 3'])
    expect(importThree(scene).names.objects).toEqual(['tyre', 'wheel', 'mesh 3'])
  })

  it('is one, however many instances it has', () => {
    const many = Object.assign(new InstancedMesh(box, painted('bark'), 3), { name: 'tree' })
    for (let i = 0; i < 3; i++) {
      many.setMatrixAt(i, new Matrix4().makeTranslation(i, 0, 0))
      many.setColorAt(i, new Color(i / 3, 1, 1))
    }
    // Each has a colour of its own, and so a material, of one name.
    expect(namesOf(sceneOf(many))).toEqual(Array(3).fill({ object: 'tree', materials: ['bark'] }))
  })
})

describe('a material', () => {
  it('is told apart by its name, also from one that looks alike, and by its look without', () => {
    const texture = new DataTexture(new Uint8Array(4), 1, 1)
    const nameless = [painted(''), painted(''), painted('', 0xff0000), new MeshStandardMaterial({ map: texture })]
    const all = [painted('a'), painted('b'), painted('a', 0x00ff00), ...nameless]
    const { description, names } = importThree(sceneOf(...all.map(material => mesh('m', material))))
    expect(names.materials).toEqual(['a', 'b', 'material 0', 'material 1', 'material 2'])
    const labels = description.instances.map(({ materials }) => description.materials[materials[0]!]!.label ?? 0)
    expect(labels).toEqual([0, 1, 0, 2, 2, 3, 4])
    // Two of one name and another look are two materials, and two of one look without a name are one.
    expect(description.materials).toHaveLength(6)
  })
})

describe('numbers', () => {
  it('stay, whatever is in sight and whatever it looks like, and what is new has none of its own', () => {
    const [a, b, c] = [mesh('a', painted('x')), mesh('b', painted('y')), mesh('c', painted(''))]
    const scene = sceneOf(a, b, c)
    a.visible = false
    const memo = new ImportMemo()
    const first = importThree(scene, memo)
    expect(first.names).toEqual({ objects: ['a', 'b', 'c'], materials: ['x', 'y', 'material 0'] })
    a.visible = true
    b.visible = false
    ;(c.material as MeshStandardMaterial).color.set(0x123456)
    scene.add(mesh('late', painted('z')), mesh('a', painted('y')))
    const { description, names } = importThree(scene, memo)
    expect(names).toEqual(first.names)
    const numbers = description.instances.map(({ object, materials }) => [
      object,
      description.materials[materials[0]!]!.label ?? 0,
    ])
    expect(numbers).toEqual([
      [0, 0],
      [2, 2],
      [OTHERS, OTHERS],
      [0, 1],
    ])
  })

  it('of all that is one too many are those of what is new', () => {
    const table = new NameTable()
    const material = painted('paint')
    const meshes = Array.from({ length: OTHERS + 2 }, (_, i) => mesh(`m${i}`, material))
    const scene = new Scene()
    for (const each of meshes) scene.add(each)
    table.fill(scene)
    expect(table.objects).toHaveLength(OTHERS)
    expect([OTHERS - 1, OTHERS, OTHERS + 1].map(i => table.objectOf(meshes[i]!, scene))).toEqual([
      OTHERS - 1,
      OTHERS,
      OTHERS,
    ])
  })
})

it('names are listed by the ids that pictures have', () => {
  const names = { objects: ['a', 'b'], materials: ['x'] }
  expect(idNames(names, ['depth', 'id'])).toBeUndefined()
  expect(idNames(names, ['objectId'])).toEqual({
    objects: [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ],
  })
  expect(idNames(names, ['materialId', 'objectId'])).toMatchObject({ materials: [{ id: 1, name: 'x' }] })
})
