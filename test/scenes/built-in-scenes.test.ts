/** What every built-in scene promises. The scenes are loaded once and shared by the tests. */
import { existsSync } from 'node:fs'
import { Box3, Mesh, Vector3 } from 'three'
import { beforeAll, describe, expect, it } from 'vitest'
import { cameraAt } from '../../scenes/cameras/camera-paths.ts'
import { CAMERA_PATHS } from '../../scenes/cameras/camera-words.ts'
import { importThree } from '../../scenes/import/import-three.ts'
import { BUILT_IN_SCENES } from '../../scenes/index.ts'
import type { LoadedScene } from '../../scenes/scene-source.ts'
import { cameraSchema } from '../../shared/frame/view.ts'
import { bake, NORMAL_AT, triangleCount, VERTEX_FLOATS } from '../../shared/scene/bake.ts'
import type { PackedScene } from '../../shared/scene/packed-layout.ts'
import { packScene, readPackedScene } from '../../shared/scene/packed-scene.ts'
import { type BakedThree, bakedThree } from '../support/baked.ts'

it('are named after their files, each name once, the dragon first', () => {
  const names = BUILT_IN_SCENES.map(scene => scene.name)
  expect(names[0]).toBe('dragon')
  expect(new Set(names).size).toBe(names.length)
  const extension = import.meta.url.slice(-3) // of the sources, or of what they were compiled to
  for (const name of names)
    expect(existsSync(new URL(`../../scenes/built-in/${name}${extension}`, import.meta.url))).toBe(true)
})

describe.each(BUILT_IN_SCENES)('built-in scene $name', source => {
  let loaded: LoadedScene
  let imported: BakedThree
  let packed: PackedScene
  beforeAll(async () => {
    loaded = await source.load()
    imported = bakedThree(loaded.scene)
    packed = packScene(imported.description)
  })

  it('describes itself in one line', () => {
    expect(source.description).toMatch(/^[^\n]{10,110}$/)
    expect(loaded.name).toBe(source.name)
    expect(loaded.problems).toEqual([])
    // Lamps are for the path tracer, and say so.
    const others = imported.problems.filter(problem => !/only in path-traced pictures$/.test(problem))
    expect(others).toEqual([])
    if (source.name !== 'lamps') expect(imported.problems).toEqual([])
  })

  it('is the same bytes when built again', async () => {
    const again = packScene(bakedThree((await source.load()).scene).description)
    expect(Buffer.compare(again.bytes, packed.bytes)).toBe(0)
  })

  it('survives packing', () => {
    const read = readPackedScene(packed.bytes.slice())
    expect(read.materials).toEqual(imported.description.materials)
    expect(read.lights).toEqual(imported.description.lights)
    expect(read.centre).toEqual([0, 0, 0])
    const baked = bake(read)
    expect(Buffer.compare(bytesOf(baked.vertices), bytesOf(imported.data.vertices))).toBe(0)
    expect(Buffer.compare(bytesOf(baked.corners), bytesOf(imported.data.corners))).toBe(0)
  })

  it('has triangles, a bounded size, unit normals and light', () => {
    const { data } = imported
    expect(triangleCount(data)).toBeGreaterThan(10_000)
    expect(triangleCount(data)).toBe(imported.triangles - imported.degenerate)
    expect(data.vertices.every(value => Math.abs(value) < 2000)).toBe(true)
    let worst = 0
    for (let at = NORMAL_AT; at < data.vertices.length; at += VERTEX_FLOATS)
      worst = Math.max(worst, Math.abs(squared(data.vertices, at) - 1))
    expect(worst).toBeLessThan(1e-5)
    // The sky alone lights the lamps' room for the ambient integrator.
    expect(Math.max(...(source.name === 'lamps' ? data.sky.zenith : data.sun.irradiance))).toBeGreaterThan(0.5)
    expect(squared(data.sun.direction, 0)).toBeCloseTo(1, 12)
    expect(data.sun.direction[1]).toBeGreaterThan(0)
    expect(loaded.exposure).toBeGreaterThan(0)
  })

  it('keeps its cameras upright, out of things and above the floor', () => {
    const ground = new Box3().setFromObject(loaded.scene.getObjectByName('tiles')!).max.y
    const solids: Box3[] = []
    loaded.scene.traverse(object => {
      if (object instanceof Mesh && !['tiles', 'ground'].includes(object.name) && !('isInstancedMesh' in object))
        solids.push(new Box3().setFromObject(object))
    })
    for (const path of CAMERA_PATHS)
      for (let frame = 0; frame <= 80; frame++) {
        const camera = cameraAt(path, loaded, frame, 16 / 9)
        const numbers = [...camera.origin, ...camera.right, ...camera.up, ...camera.back, camera.tanHalfX, camera.far]
        expect(numbers.every(Number.isFinite)).toBe(true)
        expect(squared(camera.right, 0)).toBeCloseTo(1, 12)
        expect(squared(camera.up, 0)).toBeCloseTo(1, 12)
        const { right, up } = camera
        expect(Math.abs(right[0] * up[0] + right[1] * up[1] + right[2] * up[2])).toBeLessThan(1e-12)
        expect(camera.origin[1], `${path} ${frame}`).toBeGreaterThan(ground + 0.05)
        const eye = new Vector3(...camera.origin)
        expect(
          solids.some(solid => solid.containsPoint(eye)),
          `${path} ${frame} is inside something`,
        ).toBe(false)
      }
  })
})

it('the dragon is the whole scan', async () => {
  const { scene, subject } = await BUILT_IN_SCENES[0]!.load()
  const scan = scene.getObjectByName('dragon') as Mesh
  expect(scan.geometry.index!.count / 3).toBe(871_414)
  expect(subject.min.y).toBeCloseTo(0, 2)
  expect(subject.getSize(new Vector3()).y).toBeCloseTo(2.02, 1)
})

it('the lamps are of three kinds, and meshes; the room hides the sky', async () => {
  const { scene } = await builtIn('lamps')
  const { description, triangles } = importThree(scene)
  const kinds = new Set(description.lights.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(['point', 'rectangle', 'spot'])
  const emissive = description.instances.filter(({ materials }) =>
    materials.some(material => description.materials[material]!.emission.some(channel => channel > 0)),
  )
  expect(emissive.length).toBeGreaterThan(5)
  expect(triangles).toBeLessThan(300_000)
  const walls = ['back wall', 'front wall', 'left wall', 'right wall', 'ceiling', 'screed']
  const [back, front, left, right, top, bottom] = walls.map(name =>
    new Box3().setFromObject(scene.getObjectByName(name)!),
  )
  for (const wall of [back!, front!, left!, right!]) {
    expect(wall.max.y).toBeGreaterThan(top!.min.y)
    expect(wall.min.y).toBeLessThan(bottom!.max.y)
  }
  for (const wall of [back!, front!]) {
    expect(wall.min.x).toBeLessThan(left!.max.x)
    expect(wall.max.x).toBeGreaterThan(right!.min.x)
  }
})

it('the still life is glass and metal through a lens, with the goblet in focus', async () => {
  const loaded = await builtIn('still-life')
  const { materials } = importThree(loaded.scene).description
  const glass = materials.filter(({ transmission }) => transmission === 1)
  expect(glass.some(({ thin }) => thin)).toBe(true)
  expect(glass.some(({ absorption }) => absorption[2] > 1)).toBe(true)
  expect(glass.some(({ roughness }) => roughness > 0.3)).toBe(true)
  expect(
    new Set(materials.filter(({ metallic }) => metallic === 1).map(({ roughness }) => roughness)).size,
  ).toBeGreaterThan(2)
  const camera = cameraAt(loaded.defaultCamera, loaded, 0, 16 / 9)
  const goblet = new Box3().setFromObject(loaded.scene.getObjectByName('goblet')!).getCenter(new Vector3())
  const towards = goblet.sub(new Vector3(...camera.origin))
  expect(camera.lens!.radius).toBeGreaterThan(0)
  expect(camera.lens!.focus).toBeCloseTo(-towards.dot(new Vector3(...camera.back)), 0)
  expect(cameraSchema.safeParse(camera).error).toBeUndefined()
})

const builtIn = (name: string): Promise<LoadedScene> => BUILT_IN_SCENES.find(scene => scene.name === name)!.load()

const squared = (v: ArrayLike<number>, at: number): number => v[at]! ** 2 + v[at + 1]! ** 2 + v[at + 2]! ** 2

const bytesOf = (array: Float32Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
