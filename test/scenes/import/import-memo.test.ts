/** A scene that is imported for every frame: what stays the same is the identical object, and the result that of a new import. */
import {
  AnimationClip,
  AnimationMixer,
  BoxGeometry,
  BufferGeometry,
  DataTexture,
  EquirectangularReflectionMapping,
  Float32BufferAttribute,
  FloatType,
  Mesh,
  MeshStandardMaterial,
  NumberKeyframeTrack,
  PerspectiveCamera,
  PointLight,
  Scene,
  SphereGeometry,
  VectorKeyframeTrack,
} from 'three'
import { describe, expect, it } from 'vitest'
import { ImportMemo } from '../../../scenes/import/import-memo.ts'
import { importThree } from '../../../scenes/import/import-three.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'

/** A still box, a ball that flies, a box that morphs, all textured, a lamp and a camera; and how it is at a time. */
function film() {
  const picture = new DataTexture(new Uint8Array(16).fill(200), 2, 2)
  const paint = () => new MeshStandardMaterial({ map: picture, normalMap: picture, transparent: true })
  const box = new Mesh(new BoxGeometry(), paint())
  const ball = new Mesh(new SphereGeometry(0.5, 12, 8), paint())
  ball.name = 'ball'
  const morphing = new Mesh(new BoxGeometry(), new MeshStandardMaterial({ flatShading: true }))
  morphing.name = 'morphing'
  morphing.geometry.morphAttributes.position = [
    new Float32BufferAttribute(
      Array.from({ length: 72 }, (_, i) => (i % 7) / 7),
      3,
    ),
  ]
  morphing.geometry.morphTargetsRelative = true
  morphing.updateMorphTargets()
  const sky = new DataTexture(new Float32Array(32).fill(1), 4, 2, undefined, FloatType)
  sky.mapping = EquirectangularReflectionMapping
  const scene = new Scene().add(box, ball, morphing, new PointLight(), new PerspectiveCamera())
  scene.background = sky
  scene.position.x = 1e6
  const mixer = new AnimationMixer(scene)
  const tracks = [
    new VectorKeyframeTrack('ball.position', [0, 2], [0, 0, 0, 9, 0, 0]),
    new NumberKeyframeTrack('morphing.morphTargetInfluences', [0, 1, 2], [0, 1, 0]),
  ]
  mixer.clipAction(new AnimationClip('film', 2, tracks)).play()
  const at = (seconds: number) => {
    mixer.setTime(seconds)
    ball.visible = seconds < 1.5
    return scene
  }
  return { scene, at, picture, box, ball, sky }
}

describe('importing with a memo', () => {
  it('gives what a new import gives, in any order of times', () => {
    const { at } = film()
    const memo = new ImportMemo()
    const { centre } = importThree(at(0), memo).description
    for (const seconds of [0.5, 1.75, 0, 1.99, 0.5, 1]) {
      const again = importThree(at(seconds), memo)
      const anew = importThree(film().at(seconds), new ImportMemo(centre))
      expect(again).toEqual(anew)
      expect(packScene(again.description).bytes).toEqual(packScene(anew.description).bytes)
    }
  })

  it('gives identical objects for what has not changed', () => {
    const { at } = film()
    const memo = new ImportMemo()
    const before = importThree(at(0.25), memo).description
    const after = importThree(at(0.5), memo).description
    expect(after.meshes).toHaveLength(3)
    expect(after.meshes[0]).toBe(before.meshes[0])
    expect(after.meshes[1]).toBe(before.meshes[1])
    expect(after.meshes[2]).not.toBe(before.meshes[2])
    // The triangles of what is posed do not change.
    expect(after.meshes[2]!.indices).toBe(before.meshes[2]!.indices)
    expect(after.textures[0]).toBe(before.textures[0])
    expect(after.environment).toMatchObject({ kind: 'map' })
    expect('texels' in after.environment && 'texels' in before.environment).toBe(true)
    if ('texels' in after.environment && 'texels' in before.environment)
      expect(after.environment.texels).toBe(before.environment.texels)
    const still = importThree(at(0.5), memo).description
    expect(still.meshes[2]).toBe(after.meshes[2])
  })

  it('keeps the first centre, wherever things go', () => {
    const { scene, at } = film()
    const memo = new ImportMemo()
    const { centre } = importThree(at(0), memo).description
    expect(centre[0]).not.toBe(0)
    scene.position.x = 3e6
    expect(importThree(at(0), memo).description.centre).toEqual(centre)
    expect(importThree(at(0)).description.centre).not.toEqual(centre)
  })

  it('sees what says that it needs an update, and then takes copies', () => {
    const { at, box, picture, sky } = film()
    const plain = new Mesh(
      new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0], 3)),
      new MeshStandardMaterial(),
    )
    box.add(plain)
    const memo = new ImportMemo()
    const imported = () => importThree(at(0.5), memo).description
    const before = imported()
    for (const value of [2, 3]) {
      const position = plain.geometry.getAttribute('position')
      position.setX(0, value)
      position.needsUpdate = true
      picture.image.data!.fill(value)
      picture.needsUpdate = true
      sky.image.data!.fill(value)
      sky.needsUpdate = true
      const after = imported()
      expect(after.meshes[1]!.vertices[0]).toBe(value)
      expect(after.textures[0]!.texels[0]).toBe(value)
      expect('texels' in after.environment && after.environment.texels[0]).toBe(value)
      expect(after.meshes[0]).toBe(before.meshes[0])
      expect(after.meshes[1]!.vertices).not.toBe(position.array)
      expect(after.textures[0]!.texels).not.toBe(picture.image.data)
    }
    const next = new BoxGeometry(4, 4, 4)
    box.geometry = next
    expect(imported().meshes[0]!.vertices[0]).toBe(2)
  })

  it('drops uses of a geometry that are no more', () => {
    const { at, box } = film()
    const memo = new ImportMemo()
    for (let count = 3; count <= 36; count += 3) {
      box.geometry.setDrawRange(0, count)
      const { meshes } = importThree(at(0), memo).description
      expect(meshes[0]!.indices).toHaveLength(count)
    }
    box.geometry.setDrawRange(0, 3)
    expect(importThree(at(0), memo).description.meshes[0]!.indices).toHaveLength(3)
  })
})
