import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Mesh, Scene } from 'three'
import { afterAll, describe, expect, it } from 'vitest'
import { importThree } from '../../../scenes/import/import-three.ts'
import { loadModule } from '../../../scenes/module/load-module.ts'
import { openScene } from '../../../scenes/open-scene.ts'
import { picture } from '../files/named-files.ts'

/** Far from any package. */
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-modules-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0

/** A file of its own for each: modules are loaded once. */
function module(text: string, name = `scene-${count++}.js`): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const BOX = `import * as THREE from 'three'
const scene = new THREE.Scene().add(new THREE.AmbientLight())
const box = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshStandardMaterial())
scene.add(box)
const camera = new THREE.PerspectiveCamera(90, 1, 0.1, 10)
camera.position.z = 3
`

describe('a scene’s module', () => {
  it.each([
    ['an object', 'export default { scene, camera }'],
    ['a promise', 'export default Promise.resolve({ scene, camera })'],
    ['a function', 'export default () => ({ scene, camera })'],
    ['an async function', 'export default async function build() { return { scene, camera: [camera] } }'],
  ])('exports %s', async (_, text) => {
    const loaded = await loadModule(module(BOX + text))
    expect(loaded.scene).toBeInstanceOf(Scene)
    expect(loaded).toMatchObject({ exposure: 1, defaultCamera: 'orbit', problems: [], files: [] })
    expect(loaded.name).toMatch(/^scene-\d+\.js$/)
    expect(loaded.motion).toBeUndefined()
    expect(loaded.cameras).toMatchObject([{ origin: [0, 0, 3], tanHalfY: expect.closeTo(1) }])
    expect(loaded.subject.max.toArray()).toEqual([0.5, 0.5, 0.5])
    expect(importThree(loaded.scene)).toMatchObject({ triangles: 12, problems: [] })
  })

  it('has the classes of the one copy of three.js, whatever it imports, in a folder of any kind', async () => {
    mkdirSync(join(folder, 'package', 'node_modules', 'three'), { recursive: true })
    writeFileSync(join(folder, 'package', 'package.json'), '{ "type": "commonjs" }')
    writeFileSync(join(folder, 'package', 'node_modules', 'three', 'index.js'), 'throw new Error("another copy")')
    module("import { Group } from 'three'\nexport const group = new Group()", 'package/parts.mjs')
    const path = module(
      `import { Scene } from 'three'
       import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js'
       import { Mesh, MeshStandardNodeMaterial } from 'three/webgpu'
       import { group } from './parts.mjs'
       group.add(new Mesh(new RoundedBoxGeometry(), new MeshStandardNodeMaterial()))
       export default { scene: new Scene().add(group), name: 'parts', exposure: 2 }`,
      'package/scene.js',
    )
    const loaded = await openScene(path)
    expect(loaded).toMatchObject({ name: 'parts', exposure: 2, cameras: [] })
    expect(importThree(loaded.scene).problems).toEqual([
      "material 'MeshStandardNodeMaterial' of mesh 0 (unnamed): is shown diffuse, in its plain colour: nodes are not evaluated",
      'the scene has no light: a plain white sky was added',
    ])
  })

  it('has the cameras in its scene if it names none', async () => {
    const text = `${BOX}camera.name = 'mine'
      const plan = new THREE.OrthographicCamera(1, 3, 1, -1, 0.1, 10)
      plan.setViewOffset(100, 100, 0, 0, 10, 10)
      scene.add(camera, plan, new THREE.PerspectiveCamera(50, 1, 1, Infinity))
      export default { scene }`
    const { cameras, problems } = await loadModule(module(text))
    expect(cameras).toMatchObject([{ name: 'mine' }, { orthographic: true, origin: [2, 0, 0], aspect: 1 }])
    expect(problems).toEqual([
      "camera 'OrthographicCamera' shows its whole picture: view offsets are not supported",
      expect.stringMatching(/^camera 'PerspectiveCamera' was left out: expected a finite range/),
    ])
  })

  it('is framed by what is shown of it', async () => {
    const text = `${BOX}
      const far = (x, y, z) => [new THREE.Vector3(x, y, z)]
      const hidden = new THREE.Mesh(new THREE.SphereGeometry(100))
      hidden.visible = false
      const group = new THREE.Group()
      group.visible = false
      group.add(new THREE.Mesh(new THREE.SphereGeometry(100)))
      const herd = new THREE.InstancedMesh(box.geometry, box.material, 2)
      herd.setMatrixAt(0, new THREE.Matrix4().makeTranslation(0, 2, 0))
      herd.setMatrixAt(1, new THREE.Matrix4().makeTranslation(0, 90, 0))
      herd.count = 1
      const parent = new THREE.Mesh(new THREE.BoxGeometry(2, 1, 1))
      parent.add(hidden.clone())
      const levels = new THREE.LOD()
      levels.addLevel(new THREE.Mesh(new THREE.SphereGeometry(0.1)), 0)
      levels.addLevel(new THREE.Mesh(new THREE.SphereGeometry(50)), 9)
      scene.add(hidden, group, herd, parent, levels, new THREE.Sprite().translateX(80))
      scene.add(new THREE.Points(new THREE.BufferGeometry().setFromPoints(far(70, 0, 0))))
      scene.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(far(0, 60, 0))))
      export default { scene }`
    const { subject } = await loadModule(module(text))
    expect([subject.min.toArray(), subject.max.toArray()]).toEqual([
      [-1, -0.5, -0.5],
      [1, 2.5, 0.5],
    ])
  })

  it('is framed by what appears in it later, too', async () => {
    const text = `${BOX}
      const later = new THREE.Mesh(new THREE.BoxGeometry(8, 8, 8), box.material)
      later.visible = false
      const never = new THREE.Mesh(new THREE.SphereGeometry(100))
      never.visible = false
      scene.add(later, never)
      export default { scene, seconds: 4, update(time) { later.visible = time >= 2; later.position.x = time } }`
    const { subject, scene } = await loadModule(module(text))
    const { min, max } = subject
    expect([min.y, max.y]).toEqual([-4, 4])
    // Where it is at the first look after it has appeared.
    expect(max.x).toBeCloseTo(6, 0)
    // It shows what it does at time 0 again.
    expect(scene.children.filter(child => child instanceof Mesh && child.visible)).toHaveLength(1)
  })

  it('is not looked at again for coarser levels of detail, which are not shown either', async () => {
    const text = `${BOX}
      const levels = new THREE.LOD()
      levels.addLevel(new THREE.Mesh(box.geometry, box.material), 0)
      levels.addLevel(new THREE.Mesh(new THREE.SphereGeometry(50)), 9)
      scene.add(levels)
      export const times = []
      scene.userData.times = times
      export default { scene, update(time) { times.push(time) } }`
    const { scene } = await loadModule(module(text))
    expect(scene.userData.times).toEqual([0])
  })

  it('says what of it is not understood', async () => {
    const { problems } = await loadModule(module(`${BOX}export default { scene, updte() {} }`))
    expect(problems).toEqual([
      'its property updte was ignored: expected scene, camera, update, seconds, exposure, name',
    ])
  })
})

it('the documented module is one, and all of it is shown', async () => {
  const readme = readFileSync(new URL('../../../../scenes/README.md', import.meta.url), 'utf8')
  const [, text] = /```js\n(\/\/ box\.js\n[\s\S]*?)```/.exec(readme)!
  const { scene, motion, problems } = await loadModule(module(text!))
  await motion!.setTime(1, 24)
  expect([motion!.seconds, motion!.cameras().length, problems, importThree(scene).problems]).toEqual([4, 1, [], []])
})

describe('a module that moves', () => {
  const place = (scene: Scene) => scene.children.find(child => 'isMesh' in child)!.matrixWorld.elements[12]

  it.each([
    ['a property', 'export default { scene, camera, seconds: 2, update }\nfunction update', ''],
    ['an export', 'export default () => ({ scene, camera, seconds: 2 })\nexport async function update', ''],
    ['a method', 'export default { scene, camera, seconds: 2, by: 0, update', '}'],
  ])('is as it is in a frame, in any order; its update is %s', async (_, begin, end) => {
    const text = `${BOX}${begin}(time, frame) { box.position.x = time + 100 * frame; camera.position.x = time }${end}`
    const { scene, motion, cameras } = await loadModule(module(text))
    expect(place(scene)).toBe(0)
    expect(motion!.seconds).toBe(2)
    expect(motion!.cameras()).toEqual(cameras)
    await motion!.setTime(1.5, 3)
    expect(place(scene)).toBe(301.5)
    expect(motion!.cameras()).toMatchObject([{ origin: [1.5, 0, 3] }])
    await motion!.setTime(0.5, 1)
    expect(place(scene)).toBe(100.5)
    // Time begins again.
    await motion!.setTime(4.5, 9)
    expect(place(scene)).toBe(900.5)
    expect(motion!.cameras()).toMatchObject([{ origin: [0.5, 0, 3] }])
  })

  it('goes on without an end, if it names none', async () => {
    const { scene, motion } = await loadModule(
      module(`${BOX}export default { scene, update(time) { this.scene.children[1].position.x = time } }`),
    )
    expect(motion!.seconds).toBeUndefined()
    await motion!.setTime(1000, 0)
    expect(place(scene)).toBe(1000)
  })

  it('says in which frame it fails, and where', async () => {
    const path = module(`${BOX}export default {
      scene, camera,
      update(time, frame) {
        if (frame === 7) null.x
        if (frame === 8) camera.fov = 200
        if (frame === 9) throw 'no'
      },
    }`)
    const { motion } = await loadModule(path)
    const failure = async (time: number, frame: number) =>
      String(
        await motion!.setTime(time, frame)?.then(
          () => '',
          (error: Error) => error.message,
        ),
      )
    expect(await failure(7 / 24, 7)).toBe(
      `${path}: update(0.2917, 7) threw: Cannot read properties of null (reading 'x') (line 10)`,
    )
    expect(await failure(1, 8)).toBe(`${path}: camera: expected a field of view between 0° and 180°, got 200°`)
    expect(await failure(1, 9)).toBe(`${path}: update(1, 9) threw: no`)
  })

  it('keeps its cameras', async () => {
    const path = module(`${BOX}scene.add(camera)
      export default { scene, update(time, frame) { if (frame === 1) camera.removeFromParent() } }`)
    const { motion } = await loadModule(path)
    await expect(motion!.setTime(1, 1)).rejects.toThrow('update(1, 1): expected as many cameras as before, 1, got 0')
  })
})

describe('a wrong module', () => {
  it.each([
    ['nothing', '', 'expected a default export that builds a scene, got none'],
    [
      'a number',
      'export default 4',
      'its default export: expected { scene, camera }, or a function that returns that, got 4',
    ],
    ['a scene alone', `${BOX}export default scene`, 'or a function that returns that, got a Scene'],
    ['a function of nothing', 'export default () => {}', 'or a function that returns that, got none'],
    ['no scene', 'export default {}', 'scene: expected a THREE.Scene, got none'],
    ['a mesh', `${BOX}export default { scene: box }`, 'scene: expected a THREE.Scene, got a Mesh'],
    [
      'a scene of another copy',
      "import { Scene } from 'three/src/Three.js'\nexport default { scene: new Scene() }",
      /got a Scene of another copy of three.js than sortfirst’s \(r\d+\)/,
    ],
    [
      'another camera',
      `${BOX}export default { scene, camera: box }`,
      'camera: expected a PerspectiveCamera or an Orth',
    ],
    [
      'no cameras',
      `${BOX}export default { scene, camera: [] }`,
      'camera: expected at least one camera, or no list, got',
    ],
    [
      'a camera that sees nothing',
      `${BOX}camera.far = 0; export default { scene, camera }`,
      'camera: expected a finite range of depths, got 0.1 to 0',
    ],
    [
      'no length',
      `${BOX}export default { scene, seconds: 0, update() {} }`,
      'seconds: expected a number above 0, got 0',
    ],
    [
      'a length of nothing',
      `${BOX}export default { scene, seconds: 1 }`,
      'seconds: expected update(time, frame) with it',
    ],
    ['no motion', `${BOX}export default { scene, update: 'spin' }`, "update: expected a function, got 'spin'"],
    ['darkness', `${BOX}export default { scene, exposure: -1 }`, 'exposure: expected a number above 0, got -1'],
    ['no name', `${BOX}export default { scene, name: '' }`, "name: expected 1 to 100 characters, got ''"],
    [
      'bad light',
      `${BOX}scene.children[0].intensity = -1; export default { scene }`,
      "light 'AmbientLight': expected light",
    ],
    [
      'what throws',
      `${BOX}export default () => {\n  throw new Error('oh\\nno')\n}`,
      'its default export threw: oh (line 8)',
    ],
    ['what throws at once', `${BOX}null.x`, "cannot be loaded: Cannot read properties of null (reading 'x') (line 7)"],
    ['bad syntax', 'const a = 1\nconst b = = 2', "cannot be loaded: Unexpected token '=' (line 2)"],
    ['a wrong name', "import { Scen } from 'three'", "does not provide an export named 'Scen' (line 1)"],
    ['a missing file', "import './nothing.js'", /cannot be loaded: Cannot find module '.*nothing\.js' imported from/],
    ['a browser', 'export default () => document.body', 'document is not defined (line 1); there is no browser here: '],
    [
      'the network',
      'export default ({ loadModel }) => loadModel("https://a.b/c.glb")',
      'got https://a.b/c.glb: nothing is fetched',
    ],
    [
      'no path',
      'export default ({ loadModel }) => loadModel()',
      "loadModel: expected a path or a file's URL, got undefined",
    ],
  ])('that exports or does %s is refused in one sentence', async (_, text, message) => {
    const path = module(text)
    const error: unknown = await loadModule(path).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ exitCode: 2, path })
    const said = (error as Error).message
    expect(said).toMatch(message)
    expect(said.startsWith(`${path}: `)).toBe(true)
    expect(said).not.toContain('\n')
  })

  it('that does not exist is told as a missing file', async () => {
    await expect(openScene(join(folder, 'none.mjs'))).rejects.toMatchObject({ code: 'SCENE_FILE_MISSING' })
    mkdirSync(join(folder, 'folder.js'))
    await expect(openScene(join(folder, 'folder.js'))).rejects.toMatchObject({ code: 'SCENE_FILE_IS_FOLDER' })
  })
})

describe('the files of a module', () => {
  const triangle = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n'
  const loads = (what: string) =>
    `${BOX}export default async files => { box.removeFromParent(); ${what}; return { scene, camera } }`

  it('are models of any kind, beside it or anywhere', async () => {
    mkdirSync(join(folder, 'models'))
    writeFileSync(join(folder, 'models', 'a.obj'), `mtllib no.mtl\n${triangle}f 1 2 3\n`)
    const url = pathToFileURL(join(folder, 'models', 'a.obj')).href
    const text = loads(
      `for (const at of ['models/a.obj', '${url}', new URL('./models/a.obj', import.meta.url)])
         scene.add((await files.loadModel(at)).scene)`,
    )
    const { scene, problems } = await loadModule(module(text))
    expect(importThree(scene).triangles).toBe(3)
    expect(problems[0]).toMatch(/^models\/a\.obj: .*no\.mtl/)
  })

  it('are textures, as three’s loader has them', async () => {
    writeFileSync(join(folder, 'red.png'), await picture([255, 0, 0, 255]))
    const text = loads(
      `scene.add(box); box.material.map = await files.loadTexture('red.png'); box.material.map.colorSpace = THREE.SRGBColorSpace`,
    )
    const { scene } = await loadModule(module(text))
    const [map] = [(scene.children[1] as Mesh & { material: { map: { flipY: boolean } } }).material.map]
    expect(map.flipY).toBe(true)
    const { description, problems } = importThree(scene)
    expect(problems).toEqual([])
    expect(description.textures).toMatchObject([{ width: 1, height: 1, srgb: true }])
  })

  it.each([
    ["loadModel('no.glb')", /no\.glb: no such file \(line \d+\)$/],
    ["loadTexture('no.png')", /loadTexture: .*no\.png'?: /],
    ["loadEnvironment('no.hdr')", /no\.hdr: no such file \(line \d+\)$/],
  ])('are told if they are missing: %s', async (call, message) => {
    const path = module(loads(`await files.${call}`))
    await expect(loadModule(path)).rejects.toThrow(message)
    await expect(loadModule(path)).rejects.toMatchObject({ exitCode: 2, path, code: 'BAD_SCENE_MODULE' })
  })
})
