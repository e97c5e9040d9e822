/** Skins and morph targets of THREE scenes are imported in their pose, as three.js itself would show them. */
import fc from 'fast-check'
import {
  Bone,
  BoxGeometry,
  BufferAttribute,
  type BufferGeometry,
  DataTexture,
  DetachedBindMode,
  Float32BufferAttribute,
  Group,
  type Material,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PlaneGeometry,
  Scene,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Vector3,
} from 'three'
import { describe, expect, it, vi } from 'vitest'
import { importThree } from '../../../../scenes/import/import-three.ts'
import { triangleCount } from '../../../../shared/scene/bake.ts'
import { offsetOf, strideOf } from '../../../../shared/scene/description.ts'
import { UNIT_TOLERANCE } from '../../../../shared/scene/look-schema.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { bakedThree } from '../../../support/baked.ts'
import { cornersOf } from '../../../support/triangles.ts'

const number = fc.double({ min: -2, max: 2, noNaN: true })
const size = fc.double({ min: 0.25, max: 2, noNaN: true })
const place = fc.record({ at: fc.tuple(number, number, number), turn: fc.tuple(number, number, number), size })
type Place = { at: [number, number, number]; turn: [number, number, number]; size: number }

function put(object: Object3D, { at, turn, size }: Place): void {
  object.position.set(...at)
  object.rotation.set(...turn)
  object.scale.setScalar(size)
}

/** Two joints, the second below the first; each vertex follows both. */
function skinned(geometry: BufferGeometry, material: Material = new MeshStandardMaterial()): SkinnedMesh {
  const { count } = geometry.getAttribute('position')
  const share = (vertex: number) => ((vertex * 7) % 11) / 10
  geometry.setAttribute(
    'skinIndex',
    new BufferAttribute(
      Uint16Array.from({ length: count * 4 }, (_, i) => (i % 4 === 1 ? 1 : 0)),
      4,
    ),
  )
  geometry.setAttribute(
    'skinWeight',
    new Float32BufferAttribute(
      Array.from({ length: count }, (_, vertex) => [1 - share(vertex), share(vertex), 0, 0]).flat(),
      4,
    ),
  )
  const root = new Bone()
  const tip = new Bone()
  tip.position.y = 1
  root.add(tip)
  const mesh = new SkinnedMesh(geometry, material)
  mesh.add(root)
  mesh.updateMatrixWorld(true)
  mesh.bind(new Skeleton([root, tip]))
  return mesh
}

/** Targets that move each vertex its own way. */
function morphed(geometry: BufferGeometry, relative = true): BufferGeometry {
  const position = geometry.getAttribute('position')
  const target = (by: number) =>
    new Float32BufferAttribute(
      Array.from(position.array, (value, i) => ((i * by) % 5) / 5 + (relative ? 0 : value)),
      3,
    )
  geometry.morphAttributes.position = [target(3), target(4)]
  geometry.morphTargetsRelative = relative
  return geometry
}

/** Corners of all triangles in world coordinates, as imported. */
function importedCorners(scene: Scene): number[][] {
  const { description } = importThree(scene)
  return description.instances.flatMap(({ mesh: number, transform }) => {
    const { vertices, attributes, indices } = description.meshes[number]!
    const [a, b, c, d, e, f, g, h, i, j, k, l] = transform as [
      ...[number, number, number, number, number, number],
      ...[number, number, number, number, number, number],
    ]
    const matrix = new Matrix4().set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1)
    return [...indices].map(vertex =>
      new Vector3()
        .fromArray(vertices, vertex * strideOf(attributes))
        .applyMatrix4(matrix)
        .add(new Vector3(...description.centre))
        .toArray(),
    )
  })
}

/** The same, by three. */
function threeCorners(mesh: Mesh): number[][] {
  const { index, attributes } = mesh.geometry
  const corners = index ? [...index.array] : [...Array(attributes.position!.count).keys()]
  return corners.map(vertex => mesh.getVertexPosition(vertex, new Vector3()).applyMatrix4(mesh.matrixWorld).toArray())
}

function expectAsInThree(scene: Scene, mesh: Mesh): void {
  const corners = importedCorners(scene)
  const expected = threeCorners(mesh)
  expect(corners).toHaveLength(expected.length)
  corners.forEach((corner, i) => {
    corner.forEach((value, axis) => {
      expect(value).toBeCloseTo(expected[i]![axis]!, 4)
    })
  })
}

const bumpy = () => {
  const texture = new DataTexture(new Uint8Array(4).fill(128), 1, 1)
  return new MeshStandardMaterial({ normalMap: texture })
}

describe('a skinned mesh', () => {
  it.each([
    ['with normals', () => new BoxGeometry(1, 2, 1), () => new MeshStandardMaterial()],
    ['with tangents that it lacked', () => new SphereGeometry(1, 6, 4), bumpy],
    ['with flat triangles', () => new SphereGeometry(1, 6, 4), () => new MeshStandardMaterial({ flatShading: true })],
    [
      'without normals, split at its creases',
      () => {
        const box = new BoxGeometry(1, 2, 1, 2, 2, 2)
        box.deleteAttribute('normal')
        return box
      },
      () => new MeshStandardMaterial(),
    ],
  ])('%s stands where three shows it', (_, geometry, material) => {
    fc.assert(
      fc.property(place, place, place, fc.boolean(), (parent, own, joint, isDetached) => {
        const mesh = skinned(morphed(geometry()), material())
        if (isDetached) mesh.bindMode = DetachedBindMode
        const [root, tip] = mesh.skeleton.bones as [Bone, Bone]
        put(mesh, own)
        put(root, joint)
        tip.rotation.z = 1
        mesh.morphTargetInfluences = [0.5, -0.25]
        const group = new Group().add(mesh)
        put(group, parent)
        expectAsInThree(new Scene().add(group), mesh)
      }),
      { numRuns: 15 },
    )
  })

  it('has the normals of what its joints make of it, also of unequal scales and mirrored', () => {
    const mesh = skinned(new SphereGeometry(1, 24, 16))
    const [root] = mesh.skeleton.bones as [Bone, Bone]
    root.scale.set(-1, 3, 0.5)
    mesh.geometry.getAttribute('skinWeight').array.fill(0)
    for (let vertex = 0; vertex < mesh.geometry.getAttribute('skinWeight').count; vertex++)
      mesh.geometry.getAttribute('skinWeight').setX(vertex, 1)
    const [made] = importThree(new Scene().add(mesh)).description.meshes
    const { vertices, attributes } = made!
    const at = offsetOf(made!, 'normal')!
    for (let from = 0; from < vertices.length; from += strideOf(attributes)) {
      const [x, y, z] = vertices.subarray(from, from + 3)
      // Of an ellipsoid: its gradient.
      const expected = new Vector3(x!, y! / 9, z! / 0.25).normalize()
      expect(expected.dot(new Vector3().fromArray(vertices, from + at))).toBeGreaterThan(0.999)
    }
  })

  it.each([
    ['with its joints', (mesh: SkinnedMesh, group: Group) => void group.add(mesh), true],
    ['alone', (mesh: SkinnedMesh, group: Group) => void group.add(mesh).parent!.add(mesh.skeleton.bones[0]!), false],
    [
      'detached',
      (mesh: SkinnedMesh, group: Group) => {
        mesh.bindMode = DetachedBindMode
        group.add(mesh).parent!.add(mesh.skeleton.bones[0]!)
      },
      true,
    ],
  ])('faces the way that three shows when it is mirrored: %s', (_, arrange, outward) => {
    const mesh = skinned(new BoxGeometry(1, 2, 1))
    const group = new Group()
    const scene = new Scene().add(group)
    arrange(mesh, group)
    const volume = () => {
      const { data } = bakedThree(scene)
      return Array.from({ length: triangleCount(data) }, (_, i) => {
        const [a, b, c] = cornersOf(data, i).map(corner => new Vector3(...corner)) as [Vector3, Vector3, Vector3]
        return a.dot(b.cross(c)) / 6
      }).reduce((sum, each) => sum + each)
    }
    expect(volume()).toBeCloseTo(2)
    group.scale.z = -1
    expect(volume()).toBeCloseTo(outward ? 2 : -2)
    group.scale.z = 1
    expect(volume()).toBeCloseTo(2)
  })

  it('has bitangents that are mirrored with it', () => {
    const mesh = skinned(new SphereGeometry(1, 6, 4), bumpy())
    const scene = new Scene().add(mesh)
    const sides = () => {
      const [made] = importThree(scene).description.meshes
      const [at, stride] = [offsetOf(made!, 'tangent')!, strideOf(made!.attributes)]
      return made!.vertices.filter((_, i) => i % stride === at + 3)
    }
    const before = sides()
    mesh.skeleton.bones[0]!.scale.x = -1
    expect(sides()).toEqual(before.map(side => -side))
  })

  it('keeps its precision far from the origin', () => {
    const mesh = skinned(new BoxGeometry(1, 2, 1))
    const group = new Group().add(mesh)
    group.position.set(5e6, 0, 1e6)
    mesh.skeleton.bones[1]!.rotation.z = 1
    expectAsInThree(new Scene().add(group), mesh)
  })

  it('follows joints that are not in the scene', () => {
    const mesh = skinned(new BoxGeometry())
    const [root] = mesh.skeleton.bones as [Bone]
    const elsewhere = new Group().add(root)
    elsewhere.position.x = 5
    mesh.removeFromParent()
    const corners = importedCorners(new Scene().add(mesh))
    expect(Math.min(...corners.map(([x]) => x!))).toBeCloseTo(4.5)
  })

  it('is named if its joints are not there', () => {
    const mesh = skinned(new BoxGeometry())
    mesh.name = 'arm'
    mesh.geometry.getAttribute('skinIndex').setX(4, 7)
    expect(() => importThree(new Scene().add(mesh))).toThrow("mesh 'arm': vertex 4: expected joints below 2, got 7")
    const short = new Mesh(new BoxGeometry(), new MeshStandardMaterial())
    short.geometry.morphAttributes.position = [new Float32BufferAttribute([1, 2, 3], 3)]
    short.updateMorphTargets()
    short.morphTargetInfluences = [1]
    expect(() => importThree(new Scene().add(short))).toThrow(
      'mesh 0 (unnamed): expected morph targets of 24 vertices, got 1',
    )
  })

  it('is not posed by three.js, vertex by vertex', () => {
    const mesh = skinned(new PlaneGeometry(1, 1, 330, 302))
    const scene = new Scene().add(mesh)
    importThree(scene)
    const asked = [
      vi.spyOn(SkinnedMesh.prototype, 'applyBoneTransform'),
      vi.spyOn(SkinnedMesh.prototype, 'getVertexPosition'),
      ...(['fromBufferAttribute', 'applyMatrix4'] as const).map(method => vi.spyOn(Vector3.prototype, method)),
      vi.spyOn(Matrix4.prototype, 'multiplyMatrices'),
    ]
    const { vertices } = importThree(scene).description.meshes[0]!
    expect(vertices.length).toBeGreaterThan(3 * 100_000)
    for (const method of asked) expect(method.mock.calls.length, method.getMockName()).toBeLessThan(100)
    vi.restoreAllMocks()
  })
})

describe('morph targets', () => {
  it.each([true, false])('that are relative (%s) are where three shows them', relative => {
    const mesh = new Mesh(morphed(new BoxGeometry(), relative), new MeshStandardMaterial())
    mesh.morphTargetInfluences = [0.75, 0.5]
    mesh.position.set(1, 2, 3)
    const scene = new Scene().add(mesh)
    expectAsInThree(scene, mesh)
    expect(importThree(scene).problems.join()).not.toContain('pose')
  })

  it('turn normals, which stay unit vectors', () => {
    const mesh = new Mesh(new BoxGeometry(), new MeshStandardMaterial())
    const { geometry } = mesh
    geometry.morphAttributes.position = [new Float32BufferAttribute(new Float32Array(72), 3)]
    geometry.morphAttributes.normal = [new Float32BufferAttribute(new Float32Array(72).fill(1), 3)]
    geometry.morphTargetsRelative = true
    mesh.updateMorphTargets()
    mesh.morphTargetInfluences = [0.5]
    const { description } = importThree(new Scene().add(mesh))
    expect(() => packScene(description)).not.toThrow()
    const [made] = description.meshes
    const first = new Vector3().fromArray(made!.vertices, offsetOf(made!, 'normal'))
    const expected = new Vector3().fromBufferAttribute(geometry.getAttribute('normal'), 0).addScalar(0.5).normalize()
    expect(first.distanceTo(expected)).toBeLessThan(1e-6)
  })

  it('of two meshes with one geometry are two shapes; unmoved ones share one', () => {
    const geometry = morphed(new BoxGeometry())
    const meshes = [0, 0, 1].map((influence, i) => {
      const mesh = new Mesh(geometry, new MeshStandardMaterial())
      mesh.morphTargetInfluences = [influence, 0]
      mesh.position.x = i * 3
      return mesh
    })
    const { description } = importThree(new Scene().add(...meshes))
    expect(description.instances.map(({ mesh }) => mesh)).toEqual([0, 0, 1])
  })
})

it('normals whose length is at the edge of what counts as 1 are stored with a length that counts', () => {
  const geometry = new SphereGeometry(1, 32, 16)
  const normals = geometry.getAttribute('normal')
  for (let i = 0; i < normals.array.length; i++) normals.array[i]! *= Math.sqrt(1 + UNIT_TOLERANCE)
  const mesh = skinned(geometry)
  mesh.skeleton.bones[0]!.rotation.set(0.3, 0.5, 0.7)
  const scene = new Scene()
  scene.add(mesh)
  scene.updateMatrixWorld(true)
  expect(() => packScene(importThree(scene).description)).not.toThrow()
})
