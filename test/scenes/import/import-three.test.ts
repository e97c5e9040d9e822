import fc from 'fast-check'
import {
  AmbientLight,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  FogExp2,
  Group,
  InstancedBufferGeometry,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Line,
  LineSegments,
  LOD,
  type Material,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  Points,
  Quaternion,
  Scene,
  SphereGeometry,
  Sprite,
  Vector3,
} from 'three'
import { describe, expect, it } from 'vitest'
import { EmptySceneError, SceneMeshError } from '../../../scenes/errors.ts'
import { type Triangles, triangleCount } from '../../../shared/scene/bake.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { bakedThree } from '../../support/baked.ts'
import { cornersOf, materialsOf, normalOf, vertexNumbers, verticesOf } from '../../support/triangles.ts'

const white = () => new MeshLambertMaterial({ color: new Color(1, 1, 1) })
const black = () => new MeshLambertMaterial({ color: new Color(0, 0, 0) })
const flat = (...objects: Object3D[]) => bakedThree(new Scene().add(...objects))

describe('importing a THREE.Scene', () => {
  it('bakes the world: triangles keep facing out under any matrix, mirrored or not', () => {
    const factor = fc.oneof(
      fc.double({ min: 0.2, max: 3, noNaN: true }),
      fc.double({ min: -3, max: -0.2, noNaN: true }),
    )
    const turn = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.tuple(factor, factor, factor), fc.tuple(turn, turn, turn, turn), ([x, y, z], [a, b, c, d]) => {
        const mesh = new Mesh(new SphereGeometry(1, 12, 8), white())
        mesh.scale.set(x, y, z)
        mesh.quaternion.copy(new Quaternion(a, b, c, d + 2).normalize())
        mesh.position.set(a * 5, b * 5, c * 5)
        const parent = new Group().add(mesh)
        parent.scale.set(1, 1, -1)
        const { data, description } = flat(parent)
        const centre = new Vector3(a * 5, b * 5, -c * 5).sub(new Vector3(...description.centre))
        for (let triangle = 0; triangle < triangleCount(data); triangle++) {
          const { normal, middle, shading } = triangleOf(data, triangle)
          const out = middle.sub(centre)
          expect(normal.dot(out)).toBeGreaterThan(0)
          expect(shading.dot(normal)).toBeGreaterThan(0)
        }
        for (const vertex of verticesOf(data)) expect(Math.hypot(...vertex.normal)).toBeCloseTo(1, 5)
      }),
      { numRuns: 25 },
    )
  })

  it('reads indexed, plain, interleaved and quantised attributes alike', () => {
    const box = new BoxGeometry(2, 2, 2)
    const expected = trianglesOf(flat(new Mesh(box, white())).data)
    expect(trianglesOf(flat(new Mesh(box.toNonIndexed(), white())).data)).toEqual(expected)

    const position = box.getAttribute('position') as BufferAttribute
    const normal = box.getAttribute('normal') as BufferAttribute
    const both = new Float32Array(position.count * 6)
    for (let i = 0; i < position.count; i++)
      both.set([...position.array.slice(i * 3, i * 3 + 3), ...normal.array.slice(i * 3, i * 3 + 3)], i * 6)
    const buffer = new InterleavedBuffer(both, 6)
    const interleaved = new BufferGeometry().setIndex(box.index)
    interleaved.setAttribute('position', new InterleavedBufferAttribute(buffer, 3, 0))
    interleaved.setAttribute('normal', new InterleavedBufferAttribute(buffer, 3, 3))
    expect(trianglesOf(flat(new Mesh(interleaved, white())).data)).toEqual(expected)

    const quantised = new BufferGeometry().setIndex(box.index)
    quantised.setAttribute(
      'position',
      new BufferAttribute(
        Int16Array.from(position.array, v => v * 32767),
        3,
        true,
      ),
    )
    quantised.setAttribute(
      'normal',
      new BufferAttribute(
        Int8Array.from(normal.array, v => v * 127),
        3,
        true,
      ),
    )
    expect(trianglesOf(flat(new Mesh(quantised, white())).data)).toEqual(expected)
  })

  it('places every instance, with its colour', () => {
    const mesh = new InstancedMesh(new BoxGeometry(), new MeshLambertMaterial({ color: new Color(0.5, 1, 1) }), 3)
    for (let i = 0; i < 3; i++) {
      mesh.setMatrixAt(i, new Matrix4().makeTranslation(i * 10, 0, 0))
      mesh.setColorAt(i, new Color(i === 1 ? 0.5 : 1, 1, 1))
    }
    mesh.position.y = 7
    const { data } = flat(mesh)
    expect(triangleCount(data)).toBe(36)
    expect(data.materials.map(material => material.color)).toEqual([
      [0.5, 1, 1],
      [0.25, 1, 1],
    ])
    expect(materialsOf(data).slice(0, 24)).toEqual([...Array(12).fill(0), ...Array(12).fill(1)])
    expect(triangleOf(data, 35).middle.x).toBeGreaterThan(19)
    expect(triangleOf(data, 35).middle.y).toBeGreaterThan(6)
  })

  it('stores a geometry once, however many meshes and instances share it', () => {
    const box = new BoxGeometry()
    const many = new InstancedMesh(box, white(), 3)
    for (let i = 0; i < 3; i++) many.setMatrixAt(i, new Matrix4().makeTranslation(i, 0, 0))
    const facetted = new MeshLambertMaterial({ flatShading: true })
    const inside = white()
    inside.side = 1
    const { description, triangles } = flat(
      new Mesh(box, white()),
      new Mesh(box, black()),
      many,
      new Mesh(box, facetted),
      new Mesh(box, inside),
    )
    expect(description.instances.map(({ mesh }) => mesh)).toEqual([0, 0, 0, 0, 0, 1, 2])
    expect(description.instances.map(({ materials }) => materials)).toEqual([[0], [1], [0], [0], [0], [0], [0]])
    expect([description.meshes.length, triangles]).toEqual([3, 84])
  })

  it('gives each group its material, and leaves out what is hidden', () => {
    const box = new BoxGeometry()
    const hidden = black()
    hidden.visible = false
    const sides: Material[] = [white(), black(), white(), hidden, black()]
    const invisible = new Mesh(new BoxGeometry(), black())
    invisible.visible = false
    const { data } = flat(new Mesh(box, sides), new Group().add(invisible))
    // Six groups of two triangles: the fourth is hidden, the sixth has no material.
    expect(materialsOf(data)).toEqual([0, 0, 1, 1, 0, 0, 1, 1])
  })

  it('honours the draw range, whole triangles only', () => {
    const box = new BoxGeometry()
    box.setDrawRange(3, 10)
    expect(triangleCount(flat(new Mesh(box, white())).data)).toBe(3)
    expect(triangleCount(flat(new Mesh(box, [white(), black()])).data)).toBe(3)
  })

  it('turns triangles around that only show their backs', () => {
    const inside = white()
    inside.side = 1
    const { data } = flat(new Mesh(new BoxGeometry(), inside))
    const { normal, middle } = triangleOf(data, 0)
    expect(normal.dot(middle)).toBeLessThan(0)
  })

  it('computes normals where there are none: smooth over shared vertices, flat without', () => {
    const smooth = new SphereGeometry(1, 24, 16)
    smooth.deleteAttribute('normal')
    const { data } = flat(new Mesh(smooth, white()))
    for (let triangle = 0; triangle < triangleCount(data); triangle++)
      cornersOf(data, triangle).forEach((place, corner) => {
        const normal = new Vector3(...normalOf(data, triangle, corner))
        expect(normal.dot(new Vector3(...place))).toBeGreaterThan(0.95)
      })
    const facets = new MeshLambertMaterial({ flatShading: true })
    const flatData = flat(new Mesh(new SphereGeometry(1, 8, 6), facets)).data
    for (let triangle = 0; triangle < triangleCount(flatData); triangle++) {
      const { normal, shading } = triangleOf(flatData, triangle)
      expect(shading.normalize().dot(normal.normalize())).toBeCloseTo(1, 5)
    }
  })

  it('replaces normals that are zero or not finite, however small the triangles', () => {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from([0, 0, 0, 1e-20, 0, 0, 0, 1e-20, 0]), 3))
    geometry.setAttribute('normal', new BufferAttribute(Float32Array.from([0, 0, 0, Number.NaN, 0, 0, 0, 1, 0]), 3))
    expect(verticesOf(flat(new Mesh(geometry, white())).data).map(({ normal }) => normal)).toEqual([
      [0, 0, 1],
      [0, 0, 1],
      [0, 1, 0],
    ])
  })

  it('counts triangles without area; of those whose corners are apart a point keeps the number', () => {
    const geometry = new BufferGeometry()
    const corners = [
      0, 0, 0, 1, 1, 1, 2, 2, 2, /* in line */ 0, 0, 0, 1, 0, 0, 0, 1, 0, /* proper */ 5, 5, 5, 5, 5, 5, 6, 6, 5,
    ]
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners), 3))
    const { data, degenerate } = flat(new Mesh(geometry, white()))
    expect(degenerate).toBe(2)
    expect(vertexNumbers(data)).toEqual([0, 0, 0, 3, 4, 5])
    expect(triangleCount(data)).toBe(2)
  })

  it('a mesh flattened to a plane keeps its triangles, with the normals of the plane', () => {
    const mesh = new Mesh(new BoxGeometry(), white())
    mesh.scale.y = 0
    const { data, degenerate } = flat(mesh)
    expect([triangleCount(data), degenerate]).toEqual([4, 8])
    for (let triangle = 0; triangle < 4; triangle++)
      for (const corner of [0, 1, 2]) expect(Math.abs(normalOf(data, triangle, corner)[1])).toBe(1)
  })

  it('names the mesh and the vertex or triangle that is broken', () => {
    const broken = new Mesh(new BoxGeometry(), white())
    broken.name = 'wheel'
    broken.geometry.getAttribute('position').setY(5, Number.NaN)
    expect(() => flat(broken)).toThrow(SceneMeshError)
    expect(() => flat(broken)).toThrow("mesh 'wheel': vertex 5: expected a finite position, got ")
    const far = new Mesh(new BoxGeometry(), white())
    far.position.x = 1e39
    expect(() => flat(new Mesh(new BoxGeometry(), white()), far)).toThrow(
      'mesh 1 (unnamed): vertex 0: expected a finite',
    )
    const lost = new Mesh(new BoxGeometry(), white())
    lost.position.x = Number.NaN
    expect(() => flat(new Mesh(new BoxGeometry(), white()), lost)).toThrow(
      'mesh 1 (unnamed): expected a finite world matrix, got one that is not',
    )
    const herd = new InstancedMesh(new BoxGeometry(), white(), 3)
    herd.setMatrixAt(2, new Matrix4().makeScale(1, Number.POSITIVE_INFINITY, 1))
    herd.name = 'herd'
    expect(() => flat(new Mesh(new BoxGeometry(), white()), herd)).toThrow("mesh 'herd', instance 2: expected a finite")
    const dangling = new Mesh(new BoxGeometry(), white())
    dangling.geometry.index!.setX(4, 99)
    expect(() => flat(dangling)).toThrow('triangle 1: expected vertices below 24, got ')
    expect(() => flat(new Mesh(new BufferGeometry(), white()))).toThrow('expected positions, got none')
  })

  it('draws nothing where a list of materials has a hole', () => {
    const holed = new Mesh(new BoxGeometry(), [white(), null, undefined, white()] as never)
    expect(triangleCount(flat(holed).data)).toBe(4)
  })

  it('refuses a scene without triangles', () => {
    expect(() => flat(new Group())).toThrow(EmptySceneError)
    const speck = new Mesh(new BoxGeometry(0, 0, 0), white())
    expect(() => flat(speck)).toThrow('expected at least one triangle, got none: all have zero area')
  })

  it('says what is not traced', () => {
    const line = new Line(new BufferGeometry(), undefined)
    line.name = 'wire'
    expect(flat(new Mesh(new BoxGeometry(), white()), line).problems).toEqual([
      "line 'wire' was ignored: only triangles are supported",
      'the scene has no light: a plain white sky was added',
    ])
  })

  it('names what it ignores once for all of a kind', () => {
    const named = (name: string) => Object.assign(new Sprite(), { name })
    const sprites = ['a', 'b', 'b', 'c', 'd'].map(named)
    const { problems } = flat(
      new Mesh(new BoxGeometry(), white()),
      ...sprites,
      new Points(),
      new LineSegments(),
      new Line(),
    )
    expect(problems.slice(0, -1)).toEqual([
      "5 sprites ('a', 'b', 'c', …) were ignored: only triangles are supported",
      'points (unnamed) was ignored: only triangles are supported',
      '2 lines were ignored: only triangles are supported',
    ])
  })

  it('names what the scene itself has that is not shown', () => {
    const scene = new Scene().add(new Mesh(new BoxGeometry(), white()), new AmbientLight())
    scene.background = new Color(1, 0, 0)
    scene.fog = new FogExp2(0, 1)
    scene.overrideMaterial = white()
    expect(bakedThree(scene).problems).toEqual([
      "the scene's fog 'FogExp2' is not shown",
      "the scene's overrideMaterial is not used: each mesh is shown in its own",
      "the scene's background colour is not shown: light 'AmbientLight' surrounds it",
    ])
  })

  it('names meshes that three would draw otherwise', () => {
    const layered = Object.assign(new Mesh(new BoxGeometry(), white()), { name: 'high' })
    layered.layers.set(3)
    const repeated = Object.assign(new InstancedBufferGeometry(), { attributes: new BoxGeometry().attributes })
    const swaying = new BoxGeometry()
    swaying.morphAttributes.position = [swaying.getAttribute('position')]
    const herd = Object.assign(new InstancedMesh(swaying, white(), 2), { name: 'herd' })
    herd.setMorphAt(1, new Mesh(swaying))
    const { problems } = flat(layered, Object.assign(new Mesh(repeated, white()), { name: 'grass' }), herd)
    expect(problems.slice(0, -1)).toEqual([
      "mesh 'high' is shown: layers are not supported",
      "mesh 'grass' is shown once: instanced geometries are not supported, instanced meshes are",
      "mesh 'herd' is shown with instances of one shape: morphs of single instances are not supported",
    ])
  })

  it('shows the finest level of detail, or that which the scene has chosen', () => {
    const level = (segments: number) => new Mesh(new BoxGeometry(1, 1, 1, segments), white())
    const object = new LOD().addLevel(level(3), 0).addLevel(level(2), 10).addLevel(level(1), 20)
    object.add(level(1))
    const shown = () => flat(object).triangles
    expect(shown()).toBe(28 + 12)
    object.levels.forEach(({ object }, i) => {
      object.visible = i === 1
    })
    expect(shown()).toBe(20 + 12)
  })

  it('changes nothing in the scene, and gives the same again', () => {
    const mesh = new Mesh(new BoxGeometry(), new MeshLambertMaterial({ flatShading: true }))
    mesh.rotation.set(1, 2, 3)
    const scene = new Scene().add(mesh)
    const before = JSON.stringify(mesh.geometry.toJSON())
    const first = packScene(bakedThree(scene).description)
    expect(packScene(bakedThree(scene).description).bytes).toEqual(first.bytes)
    expect(JSON.stringify(mesh.geometry.toJSON())).toBe(before)
  })
})

function triangleOf(triangles: Triangles, triangle: number) {
  const [a, b, c] = cornersOf(triangles, triangle).map(corner => new Vector3(...corner)) as [Vector3, Vector3, Vector3]
  const normal = (corner: number) => new Vector3(...normalOf(triangles, triangle, corner))
  return {
    normal: b.clone().sub(a).cross(c.clone().sub(a)),
    middle: a.clone().add(b).add(c).divideScalar(3),
    shading: normal(0).add(normal(1)).add(normal(2)),
  }
}

/** Position and normal of every triangle's corners. */
function trianglesOf(triangles: Triangles) {
  const vertices = verticesOf(triangles).map(({ position, normal }) => [...position, ...normal])
  return vertexNumbers(triangles).map(vertex => vertices[vertex])
}
