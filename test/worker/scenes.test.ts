/** What a worker keeps of scenes, whatever its connections do. */
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../shared/node/sha256.ts'
import { type HeldScene, holdScene } from '../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'
import { packScene, readPackedScene } from '../../shared/scene/packed-scene.ts'
import { PartStore, StoreFullError } from '../../shared/scene/part-store.ts'
import { BuiltScenesFullError, WorkerScenes } from '../../worker/scenes.ts'
import { smallScene } from '../support/small-scene.ts'

const tent = smallScene()
const data = readPackedScene(tent.bytes)
/** The tent in another light: all parts but one are the same. */
const litBy = (irradiance: number): HeldScene =>
  holdScene(packScene({ ...data, sun: { ...data.sun, irradiance: [irradiance, 1, 1] } }).bytes, sha256)
const [a, b, c] = [litBy(1), litBy(2), litBy(3)] as const
const builtBytes = 4 * manifestBytes(a.manifest)

class Builder {
  readonly log: string[] = []
  readonly packed: Uint8Array[] = []
  loadScene(name: string, scene: Uint8Array): Promise<{ buildMs: number }> {
    this.log.push(`load ${nameOf(name)}`)
    this.packed.push(scene)
    return Promise.resolve({ buildMs: 2 })
  }
  restoreScene(name: string): Promise<boolean> {
    this.log.push(`restore ${nameOf(name)}`)
    return Promise.resolve(true)
  }
  unloadScene(name: string): Promise<void> {
    this.log.push(`unload ${nameOf(name)}`)
    return Promise.resolve()
  }
}
const nameOf = (hash: string) => (hash === a.hash ? 'a' : hash === b.hash ? 'b' : 'c')

const give = (scenes: WorkerScenes, scene: HeldScene) => {
  scenes.use(scene.hash, scene.manifest)
  const missing = scenes.missing(scene.hash)
  for (const part of missing) scenes.parts.put(part, scene.parts.get(part)!)
  return missing
}

const setUp = (room: number, parts = 2 ** 20) => {
  const builder = new Builder()
  return { builder, scenes: new WorkerScenes([builder], new PartStore(parts), room) }
}

describe('the scenes of a worker', () => {
  it('are built of their parts, and only parts that changed are missing', async () => {
    const { builder, scenes } = setUp(2 * builtBytes)
    expect(give(scenes, a)).toHaveLength(5)
    expect(await scenes.build(a.hash)).toBe(2)
    expect(Buffer.compare(builder.packed[0]!, a.bytes)).toBe(0)
    expect(builder.packed[0]!.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(give(scenes, b)).toEqual([b.manifest.parts[0]!.sha256])
    await scenes.build(b.hash)
    expect(scenes.built).toEqual([a.hash, b.hash])
    await scenes.build(a.hash)
    expect(builder.log).toEqual(['load a', 'load b'])
  })

  it('make room for others when they are released, the least recently used first', async () => {
    const { builder, scenes } = setUp(2 * builtBytes)
    const dropped: string[] = []
    scenes.onDropped(scene => dropped.push(nameOf(scene)))
    for (const scene of [a, b]) {
      give(scenes, scene)
      await scenes.build(scene.hash)
    }
    for (const scene of [a, b]) scenes.release(scene.hash)
    scenes.use(a.hash, a.manifest)
    scenes.release(a.hash)
    give(scenes, c)
    await scenes.build(c.hash)
    expect(dropped).toEqual(['b'])
    expect(builder.log).toEqual(['load a', 'load b', 'unload b', 'load c'])
    expect(scenes.built.map(nameOf)).toEqual(['a', 'c'])
  })

  it('stay while they are in use, and another is refused', async () => {
    const { scenes } = setUp(builtBytes)
    give(scenes, a)
    await scenes.build(a.hash)
    give(scenes, b)
    await expect(scenes.build(b.hash)).rejects.toThrow(BuiltScenesFullError)
    expect(scenes.isBuilt(a.hash)).toBe(true)
    scenes.release(a.hash)
    expect(await scenes.build(b.hash)).toBe(2)
  })

  it('are built one after the other, each once, also when they are released meanwhile', async () => {
    const { builder, scenes } = setUp(2 * builtBytes)
    for (const scene of [a, b]) give(scenes, scene)
    const building = [scenes.build(a.hash), scenes.build(b.hash), scenes.build(a.hash)]
    scenes.release(b.hash)
    await Promise.all(building)
    expect(builder.log).toEqual(['load a', 'load b'])
  })

  it('are refused when their parts leave no room for those in use', () => {
    const { scenes } = setUp(builtBytes, manifestBytes(a.manifest) + 10)
    scenes.use(a.hash, a.manifest)
    expect(() => scenes.use(b.hash, b.manifest)).toThrow(StoreFullError)
    scenes.release(a.hash)
    scenes.use(b.hash, b.manifest)
  })
})
