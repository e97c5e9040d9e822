/** What a worker keeps of scenes, whatever its connections do. */
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../shared/node/sha256.ts'
import { type HeldScene, holdScene } from '../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'
import { packScene, readPackedScene } from '../../shared/scene/packed-scene.ts'
import { PartStore, StoreFullError } from '../../shared/scene/part-store.ts'
import {
  type BuildClaim,
  BuiltScenesFullError,
  type StoredScene,
  type StoredStructure,
  type StructureStore,
  WorkerScenes,
} from '../../worker/scenes.ts'
import { withSun } from '../support/described.ts'
import { smallScene } from '../support/small-scene.ts'

const tent = smallScene()
const data = readPackedScene(tent.bytes)
/** The tent in another light: all parts but one are the same. */
const litBy = (irradiance: number): HeldScene => holdScene(packScene(withSun(data, [irradiance, 1, 1])), sha256)
const [a, b, c] = [litBy(1), litBy(2), litBy(3)] as const
const builtBytes = 4 * manifestBytes(a.manifest)

class Builder {
  readonly log: string[] = []
  readonly packed: Uint8Array[] = []
  loadScene(name: string, scene: Uint8Array): Promise<{ buildMs: number; image: Uint8Array }> {
    this.log.push(`load ${nameOf(name)}`)
    this.packed.push(scene)
    return Promise.resolve({ buildMs: 2, image: scene })
  }
  /** What was read of stored scenes. */
  readonly restored: Uint8Array[] = []
  async restoreScene(name: string, { bytes, read }: StoredScene): Promise<boolean> {
    this.log.push(`restore ${nameOf(name)}`)
    const into = new Uint8Array(bytes)
    if (!(await read(into))) return false
    this.restored.push(into)
    return true
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
  it.each([true, false])('are kept for a master that may return, those of single frames, too: %s', async mayReturn => {
    const { builder, scenes } = setUp(2 * builtBytes)
    scenes.use(a.hash, a.manifest, true)
    for (const part of scenes.missing(a.hash)) scenes.parts.put(part, a.parts.get(part)!)
    await scenes.build(a.hash)
    scenes.release(a.hash, mayReturn)
    await Promise.resolve()
    expect(scenes.built).toEqual(mayReturn ? [a.hash] : [])
    expect(builder.log).toEqual(['load a', ...(mayReturn ? [] : ['unload a'])])
  })

  it('are built of their parts, and only parts that changed are missing', async () => {
    const { builder, scenes } = setUp(2 * builtBytes)
    expect(give(scenes, a)).toHaveLength(9)
    expect(await scenes.build(a.hash)).toBe(2)
    expect(Buffer.compare(builder.packed[0]!, a.bytes)).toBe(0)
    expect(builder.packed[0]!.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(give(scenes, b)).toEqual([b.manifest.parts[0]!.sha256])
    await scenes.build(b.hash)
    expect(scenes.built).toEqual([a.hash, b.hash])
    await scenes.build(a.hash)
    expect(builder.log).toEqual(['load a', 'load b'])
  })

  it('are joined in turns, so that heartbeats are answered meanwhile', async () => {
    let [now, pauses] = [0, 0]
    const turns = {
      now: () => (now += 5),
      pause: async () => {
        pauses++
        expect(scenes.building).toEqual([a.hash])
      },
    }
    const builder = new Builder()
    const scenes = new WorkerScenes([builder], new PartStore(2 ** 20), builtBytes, undefined, 0, turns)
    give(scenes, a)
    expect(scenes.building).toEqual([])
    await scenes.build(a.hash)
    expect(pauses).toBeGreaterThan(3)
    expect(Buffer.compare(builder.packed[0]!, a.bytes)).toBe(0)
    expect(scenes.building).toEqual([])
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

describe('scenes that the workers of a machine share', () => {
  /** Notes what becomes of the tasks that it gives. */
  class Store implements StructureStore {
    readonly log: string[] = []
    /** What was stored, by scene: `damaged` is gone once it was read, `unreadable` stays. */
    readonly images = new Map<string, 'whole' | 'damaged' | 'unreadable'>()
    reads = 0
    async claim(scene: string): Promise<StoredStructure | BuildClaim> {
      const image = this.images.get(scene)
      const note = (what: string) => async () => void this.log.push(`${what} ${nameOf(scene)}`)
      if (!image) return { found: false, put: note('put'), drop: note('drop') }
      const read = async (into: Uint8Array) => {
        this.reads++
        if (image === 'damaged') this.images.delete(scene)
        into.fill(7)
        return image === 'whole'
      }
      return { found: true, bytes: 9, read }
    }
  }

  const setUpShared = () => {
    const [builder, device] = [new Builder(), new Builder()]
    const store = new Store()
    const room = 10 * builtBytes
    const scenes = new WorkerScenes([builder, device], new PartStore(2 ** 20), room, store)
    return { builder, device, store, scenes }
  }

  it('are taken as they are where somebody has built them: no part is needed', async () => {
    const { builder, store, scenes } = setUpShared()
    store.images.set(a.hash, 'whole')
    scenes.use(a.hash, a.manifest)
    expect(await scenes.find(a.hash)).toBe(true)
    expect(scenes.isBuilt(a.hash)).toBe(true)
    expect(builder.log).toEqual(['restore a'])
  })

  it('are read once, for all areas of a worker, now and later', async () => {
    const { builder, device, store, scenes } = setUpShared()
    store.images.set(a.hash, 'whole')
    scenes.use(a.hash, a.manifest)
    const again: StoredScene[] = []
    const { restoreScene } = device
    device.restoreScene = (name, stored) => {
      again.push(stored)
      return restoreScene.call(device, name, stored)
    }
    expect(await scenes.find(a.hash)).toBe(true)
    // Its file may be gone when a device is started anew.
    store.images.clear()
    expect(await device.restoreScene(a.hash, again[0]!)).toBe(true)
    expect(store.reads).toBe(1)
    expect([...builder.restored, ...device.restored]).toEqual(Array(3).fill(new Uint8Array(9).fill(7)))
  })

  it('are built anew, once and for all, where what was stored is damaged', async () => {
    const { builder, device, store, scenes } = setUpShared()
    store.images.set(a.hash, 'damaged')
    give(scenes, a)
    expect(await scenes.find(a.hash)).toBe(false)
    await scenes.build(a.hash)
    expect(store.reads).toBe(1)
    expect([builder.log, device.log]).toEqual([['restore a', 'load a'], ['restore a']])
    expect(store.log).toEqual(['put a'])
  })

  it('are built where what was stored cannot be read, and nobody looks for it for ever', async () => {
    const { builder, store, scenes } = setUpShared()
    store.images.set(a.hash, 'unreadable')
    give(scenes, a)
    expect(await scenes.find(a.hash)).toBe(false)
    await scenes.build(a.hash)
    expect(builder.log).toEqual(['restore a', 'restore a', 'load a'])
    expect([store.reads, store.log]).toEqual([2, []])
  })

  it('are built by one for all', async () => {
    const { builder, device, store, scenes } = setUpShared()
    give(scenes, a)
    expect(await scenes.find(a.hash)).toBe(false)
    await scenes.build(a.hash)
    expect([builder.log, device.log]).toEqual([['load a'], ['restore a']])
    expect(device.restored[0]).toEqual(builder.packed[0])
    expect(store.log).toEqual(['put a'])
  })

  it('are left to others when nobody wants them here any more', async () => {
    const { store, scenes } = setUpShared()
    scenes.use(a.hash, a.manifest)
    await scenes.find(a.hash)
    scenes.release(a.hash)
    expect(store.log).toEqual(['drop a'])
    scenes.use(b.hash, b.manifest)
    const found = scenes.find(b.hash)
    scenes.release(b.hash)
    expect(await found).toBe(false)
    expect(store.log).toEqual(['drop a', 'drop b'])
  })

  it('are left to others when they cannot be built', async () => {
    const { builder, store, scenes } = setUpShared()
    builder.loadScene = () => Promise.reject(new Error('too large'))
    give(scenes, a)
    await scenes.find(a.hash)
    await expect(scenes.build(a.hash)).rejects.toThrow('too large')
    expect(store.log).toEqual(['drop a'])
  })
})
