/** A scene is packed and read once, however many clients render it; one that contradicts itself is refused each time. */
import { expect, it } from 'vitest'
import { CheckedScenes } from '../../../master/clients/checked-scenes.ts'
import { type HeldScene, sceneOfParts } from '../../../shared/scene/held-scene.ts'
import { PackedSceneError } from '../../../shared/scene/packed-scene-error.ts'
import { MemoryCluster, paintPool, sessionOf } from '../../support/memory-cluster.ts'
import { run } from '../../support/memory-session.ts'
import { scene } from '../../support/session.ts'

/** The scene as one client more brings it; counts how often its parts are asked for. */
function brought() {
  let asked = 0
  const parts = new Map(scene.parts)
  const get = parts.get.bind(parts)
  parts.get = part => {
    asked++
    return get(part)
  }
  return { held: sceneOfParts(scene.hash, scene.manifest, parts), asked: () => asked }
}

it.each([
  ['static-blocks', 0],
  // Where the triangles are: all parts but an environment map.
  ['coverage-prepass', 9],
])('of a second client’s scene a master takes no more than %s needs', async (strategy, more) => {
  const memory = new MemoryCluster()
  memory.join('anna', paintPool())
  const [first, second] = [brought(), brought()]
  await run(memory, sessionOf(scene.hash, 'static-blocks', 1, 1), {}, undefined, first.held).done
  expect(first.asked()).toBeGreaterThanOrEqual(scene.manifest.parts.length)
  await run(memory, sessionOf(scene.hash, strategy, 1, 1), {}, undefined, second.held).done
  // Nothing is sent of it either.
  expect(second.asked()).toBe(more)
})

it('a scene that contradicts itself is refused again and again', async () => {
  const checked = new CheckedScenes()
  const parts = new Map([...scene.parts].map(([name, bytes]) => [name, bytes.subarray(0, -12)]))
  const bad: HeldScene = { ...scene, hash: 'f'.repeat(64), parts }
  for (let i = 0; i < 2; i++) await expect(checked.check(bad)).rejects.toThrow(PackedSceneError)
  await checked.check(scene)
  await checked.check(scene)
})

it('a scene that two clients bring at the same time is checked once, without holding up anything else', async () => {
  const checked = new CheckedScenes()
  const [first, second] = [brought(), brought()]
  const checks = Promise.all([checked.check(first.held), checked.check(second.held)])
  const order: string[] = []
  setImmediate(() => order.push('another'))
  await checks.then(() => order.push('checked'))
  expect(order).toEqual(['another', 'checked'])
  expect([first.asked() > 0, second.asked()]).toEqual([true, 0])
})
