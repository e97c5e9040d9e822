import {
  Box3,
  BoxGeometry,
  Color,
  DirectionalLight,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  PointLight,
  Scene,
} from 'three'
import { describe, expect, it } from 'vitest'
import { mapCameras } from '../../../scenes/cameras/map-camera.ts'
import { importThree } from '../../../scenes/import/import-three.ts'
import { addDaylight } from '../../../scenes/import/lights/daylight.ts'
import { contentsOf, type SceneContents } from '../../../scenes/import/scene-contents.ts'
import { markAdded } from '../../../scenes/look/added.ts'
import { floorUnder } from '../../../scenes/look/floor.ts'
import { relight } from '../../../scenes/look/relight.ts'
import type { DeclaredContents } from '../../../scenes/scene-source.ts'

/** A box, and three instances of another one in two colours. */
function boxes(): Scene {
  const scene = new Scene()
  const red = new MeshStandardMaterial({ color: 'red' })
  scene.add(new Mesh(new BoxGeometry(), red))
  const crowd = new InstancedMesh(new BoxGeometry(), new MeshStandardMaterial(), 3)
  for (let i = 0; i < 3; i++) {
    crowd.setMatrixAt(i, new Matrix4().makeTranslation(i + 2, 0, 0))
    crowd.setColorAt(i, new Color(i === 0 ? 'red' : 'blue'))
  }
  scene.add(crowd)
  return scene
}

const contents = (scene: Scene, declared?: DeclaredContents): SceneContents =>
  contentsOf({ scene, cameras: mapCameras(scene), ...(declared ? { declared } : {}) }, importThree(scene))

/** As a file is shown. */
function furnished(scene: Scene): Scene {
  const own = [...scene.children]
  scene.add(floorUnder(new Box3().setFromObject(scene)))
  addDaylight(scene)
  for (const object of scene.children) if (!own.includes(object)) markAdded(object)
  return scene
}

describe('the contents of a scene', () => {
  it('are its meshes once, and what is drawn of them', () => {
    expect(contents(boxes())).toMatchObject({
      triangles: { unique: 24, drawn: 48 },
      meshes: 2,
      instances: 4,
      lights: 0,
      cameras: 0,
    })
  })

  it('have as many materials as look different', () => {
    expect(contents(boxes()).materials).toBe(2)
  })

  it('have a mesh that stands in two places once', () => {
    const scene = new Scene()
    const geometry = new BoxGeometry()
    for (const x of [0, 2]) {
      const mesh = new Mesh(geometry, new MeshStandardMaterial())
      mesh.position.x = x
      scene.add(mesh)
    }
    expect(contents(scene)).toMatchObject({ triangles: { unique: 12, drawn: 24 }, meshes: 1, instances: 2 })
  })

  it('do not include what was added, which is told apart', () => {
    const scene = boxes()
    const { added, environment, ...own } = contents(scene)
    const { added: addedNow, environment: _, ...furnishedOwn } = contents(furnished(scene))
    expect(added).toEqual({ triangles: 0, lights: 0, sky: false })
    expect(environment).toBe('sky')
    expect(furnishedOwn).toEqual(own)
    expect(addedNow).toEqual({ triangles: expect.any(Number), lights: 1, sky: true })
    expect(addedNow.triangles).toBeGreaterThan(1000)
    const { triangles } = importThree(scene)
    expect(furnishedOwn.triangles.drawn + addedNow.triangles).toBe(triangles)
  })

  it('keep a sun of their own when it is moved, and an added one stays added', () => {
    const sunny = boxes()
    sunny.add(new DirectionalLight())
    relight(sunny, { sun: [0, 30] })
    expect(contents(sunny)).toMatchObject({ lights: 1, added: { lights: 0 } })
    const dull = furnished(boxes())
    relight(dull, { sun: [0, 30] })
    expect(contents(dull)).toMatchObject({ lights: 0, added: { lights: 1 } })
  })

  it('cannot be mistaken for added by what a file says', () => {
    const scene = boxes()
    for (const object of scene.children) object.userData.added = true
    expect(contents(scene)).toMatchObject({ instances: 4, added: { triangles: 0 } })
  })

  it('have lights and cameras', () => {
    const scene = boxes()
    scene.add(new PointLight(), new DirectionalLight(), new PerspectiveCamera(40, 1.5, 0.1, 100))
    expect(contents(scene)).toMatchObject({ lights: 2, cameras: 1 })
  })

  it('have what the loader declares, and otherwise nothing of the kind', () => {
    const declared: DeclaredContents = {
      textures: { count: 2, bytes: 4096 },
      animations: [{ name: 'walk', seconds: 1.5 }],
      variants: ['red'],
      extensions: [{ name: 'KHR_materials_ior', required: false, honoured: true }],
    }
    expect(contents(boxes(), declared)).toMatchObject(declared)
    expect(contents(boxes())).toMatchObject({ animations: [], variants: [], extensions: [] })
  })
})
