/** A device beside a CPU, with real engines and a real cache: it traces, whether the scene is built or read, and again when it is started anew. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PartStore } from '../../../shared/scene/part-store.ts'
import { type Device, GuardedPool } from '../../../worker/accelerators/guarded-pool.ts'
import { StructureCache } from '../../../worker/node/structure-cache.ts'
import { startThreadPool } from '../../../worker/node/thread-pool.ts'
import { WorkerScenes } from '../../../worker/scenes.ts'
import type { TilePool } from '../../../worker/tile-pool.ts'
import { TileProgress } from '../../../worker/tile-progress.ts'
import { smallScene } from '../../support/small-scene.ts'
import { viewOf } from '../support/meshes.ts'

const held = smallScene()
const tile = { rect: { x: 0, y: 0, w: 64, h: 48 } }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function startWorker() {
  const writing = new Set<Promise<void>>()
  const changes: (string | undefined)[] = []
  let die = (_: Error) => {}
  let restart = () => {}
  let traced = 0
  let back = () => {}
  const isBack = new Promise<void>(resolve => {
    back = resolve
  })
  const start = async (): Promise<Device> => {
    const pool = await startThreadPool({ threads: 2, engine: 'wasm' })
    const broken = new Promise<never>((_, reject) => {
      die = reject
    })
    const counting: TilePool = {
      loadScene: (...args) => pool.loadScene(...args),
      restoreScene: (...args) => pool.restoreScene(...args),
      unloadScene: name => pool.unloadScene(name),
      trace: (...args) => {
        traced++
        return pool.trace(...args)
      },
    }
    return { pool: counting, broken, close: () => pool.close() }
  }
  const cpu = await startThreadPool({ threads: 1, engine: 'wasm' })
  const device = await GuardedPool.start({
    start,
    cpu,
    restores: true,
    checkedPixels: 0,
    every: () => () => {},
    changed: reason => {
      changes.push(reason)
      if (reason === undefined) back()
    },
    after: (_, then) => {
      restart = then
      return () => {}
    },
  })
  const cache = new StructureCache(folder, 'wasm-1', undefined, writing)
  const scenes = new WorkerScenes([cpu, device], new PartStore(2 ** 30), 2 ** 30, cache)
  return {
    cpu,
    device,
    scenes,
    changes,
    writing,
    isBack,
    deviceTiles: () => traced,
    die: () => die(new Error('it was unplugged')),
    restart: () => restart(),
    close: () => Promise.all([cpu.close(), device.close()]),
  }
}

const pixelsOf = async (pool: TilePool) => {
  const order = { scene: held.hash, view: viewOf([64, 48]), tile }
  return (await pool.trace(order, TileProgress.of(tile.rect.h)))!.pixels
}

it('traces with a cold cache and with a warm one, after it was started anew, too, and the cache stays', async () => {
  const built: { pixels?: Uint8Array; file?: number } = {}
  for (const kind of ['cold', 'warm', 'warm'] as const) {
    const worker = await startWorker()
    const { scenes, cpu, device, changes } = worker
    try {
      scenes.use(held.hash, held.manifest)
      expect(await scenes.find(held.hash)).toBe(kind === 'warm')
      if (kind === 'cold') {
        for (const part of scenes.missing(held.hash)) scenes.parts.put(part, held.parts.get(part)!)
        await scenes.build(held.hash)
        await Promise.all(worker.writing)
        built.pixels = await pixelsOf(cpu)
        built.file = statSync(join(folder, readdirSync(folder)[0]!)).ino
      }
      expect(Buffer.compare(await pixelsOf(cpu), built.pixels!)).toBe(0)
      expect(Buffer.compare(await pixelsOf(device), built.pixels!)).toBe(0)
      expect([worker.deviceTiles(), changes]).toEqual([1, []])
      worker.die()
      while (changes.length === 0) await new Promise(resolve => setImmediate(resolve))
      worker.restart()
      await worker.isBack
      expect(Buffer.compare(await pixelsOf(device), built.pixels!)).toBe(0)
      expect([worker.deviceTiles(), changes]).toEqual([2, ['it was unplugged', undefined]])
      const names = readdirSync(folder)
      expect(names).toHaveLength(1)
      expect(statSync(join(folder, names[0]!)).ino).toBe(built.file)
    } finally {
      await worker.close()
    }
  }
})
