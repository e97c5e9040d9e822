/**
 * A device of WebGPU that traces the rays of a worker, beside workers without: the same bytes, whatever it does and whatever becomes of it. On a machine
 * without a graphics card this is a software adapter, where there is one; else the tests are skipped, and say so.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMaster } from '../../scripts/library/master.ts'
import { loadScene } from '../../scripts/library/ready-scene.ts'
import { render } from '../../scripts/library/render.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { frameRect, type Size } from '../../shared/frame/rect.ts'
import type { View } from '../../shared/frame/view.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import { DeviceError } from '../../worker/accelerators/guarded-pool.ts'
import { engineByName } from '../../worker/node/engines.ts'
import { type ProcessDevice, startProcessDevice } from '../../worker/node/process-pool.ts'
import { TileProgress } from '../../worker/tile-progress.ts'
import { anyAdapter } from '../support/any-adapter.ts'
import { veiled } from '../support/veiled-scene.ts'
import { GREY, mixedScene, quad, sceneOf, sharedBytes, viewOf } from '../worker/support/meshes.ts'

const { name: adapter, restore } = await anyAdapter()
afterAll(restore)

const size: Size = [48, 27]
const PATHS: View['quality'] = { samples: 2, ambientRays: 0, maxDepth: 4, bounces: 4 }
const shared = (length: number) => new Uint8Array(new SharedArrayBuffer(length))
const order = (scene: string, view: View) => ({ scene, view, tile: { rect: frameRect(view.size) } })

describe.skipIf(adapter === undefined)('a device of WebGPU', () => {
  let device: ProcessDevice
  beforeAll(async () => {
    device = await startProcessDevice({ engine: 'wasm', threads: 4, cores: 4, webgpu: { adapter: adapter! } })
  })
  afterAll(() => device.close())

  it('has answered a million rays as the kernel does, and says what it is', () => {
    const [{ name, software, probe, limits, raysPerSecond }] = device.adapters as [ProcessDevice['adapters'][number]]
    expect(name).toBe(adapter)
    expect(software).toBe(/llvmpipe|lavapipe|swiftshader/i.test(name))
    expect(probe!.rays).toBeGreaterThanOrEqual(1e6)
    expect(probe).toMatchObject({ different: 0 })
    expect(raysPerSecond).toBeGreaterThan(0)
    expect(limits.maxStorageBufferBindingSize).toBeGreaterThanOrEqual(2 ** 27)
  })

  const scenes: Readonly<Record<string, () => Uint8Array<SharedArrayBuffer>>> = {
    'every kind of material': () => sharedBytes(mixedScene()),
    'masks and blends': () => packScene(veiled(), shared).bytes as Uint8Array<SharedArrayBuffer>,
  }
  const qualities = { 'the ambient integrator': viewOf(size), paths: viewOf(size, { quality: PATHS }) }
  for (const [name, bytes] of Object.entries(scenes))
    it.each(Object.entries(qualities))(`makes the kernel's bytes of ${name} by %s, and again`, async (_, view) => {
      const scene = bytes()
      const engine = engineByName('wasm')
      const building = engine.begin(scene, 1)
      engine.help(building)
      const rgb = new Uint8Array(size[0] * size[1] * 3)
      const whole = { from: 0, to: view.quality.samples }
      engine.open(engine.finish(building), 0).trace(view, { rect: frameRect(size) }, whole, { rgb })
      for (let time = 0; time < 2; time++) {
        await device.pool.loadScene(name, scene)
        const both = await Promise.all(
          [0, 1].map(() => device.pool.trace(order(name, view), TileProgress.of(size[1], 4))),
        )
        for (const traced of both) expect(Buffer.compare(traced!.pixels, rgb)).toBe(0)
        await device.pool.unloadScene(name)
      }
    })

  it('refuses a scene in which it might be wrong, in a sentence, and goes on with others', async () => {
    const huge = sharedBytes(sceneOf([{ mesh: quad([-2e9, 0, 0], [4e9, 0, 0], [0, 0, -4e9]), material: GREY }]))
    await expect(device.pool.loadScene('huge', huge)).rejects.toThrow(/expected coordinates of up to 1073741824 units/)
    await device.pool.loadScene('mixed', sharedBytes(mixedScene()))
    expect(await device.pool.trace(order('mixed', viewOf(size)), TileProgress.of(size[1], 4))).toBeDefined()
  })

  it('rejects a tile, and says that it has ended, when its process is killed in the middle', async () => {
    await device.pool.loadScene('killed', sharedBytes(mixedScene()))
    const endless = viewOf(size, { quality: { samples: 16384, ambientRays: 2, maxDepth: 4, bounces: 8 } })
    const progress = TileProgress.of(size[1], 4)
    const traced = device.pool.trace(order('killed', endless), progress)
    traced.catch(() => {})
    for (const before = progress.portions; progress.portions === before; )
      await new Promise(resolve => setImmediate(resolve))
    process.kill(device.processId!, 'SIGKILL')
    await expect(traced).rejects.toThrow(DeviceError)
    await expect(device.broken).rejects.toThrow(/its process ended/)
  })
})

describe.skipIf(adapter === undefined)('an adapter', () => {
  const start = (webgpu: { adapter?: string }) => startProcessDevice({ engine: 'wasm', threads: 1, cores: 1, webgpu })

  it('that is not here is named, with those that are', async () => {
    await expect(start({ adapter: 'voodoo' })).rejects.toThrow(
      `expected an adapter that is here (${adapter}), got 'voodoo'; use a part of its name`,
    )
  })

  it.skipIf(!/llvmpipe|lavapipe|swiftshader/i.test(adapter ?? ''))(
    'that is software is taken by its name alone',
    async () => {
      await expect(start({})).rejects.toThrow(/^expected a graphics card, got only software \(.*to try one, name it/)
    },
  )
})

describe.skipIf(adapter === undefined)('a worker with a device of WebGPU', () => {
  it('shares frames with two plain ones, checked by them, and outlives its device', async () => {
    const scene = await loadScene('corner')
    // A worker joins when its device has been tried.
    const film = { size: [96, 54], samples: 1, frames: 3, inFlight: 1, wait: 900 } as const
    const reportsOf = async (options: RenderOptions, each = (_: FrameReport) => {}): Promise<FrameReport[]> => {
      const reports: FrameReport[] = []
      for await (const { report } of render(scene, { ...film, ...options })) {
        each(report)
        reports.push(report)
      }
      return reports
    }
    const hashes = (reports: readonly FrameReport[]) => reports.map(({ sha256 }) => sha256)
    const alone = hashes(await reportsOf({}))
    const said: string[] = []
    const log = { info: (text: string) => said.push(text), warn: (text: string) => said.push(text) }
    const master = await startMaster({ listen: '127.0.0.1:0' })
    const accelerators = [`webgpu:${adapter}`, 'webgpu:voodoo']
    const workers = [startWorker({ master: master.url, name: 'hybrid', accelerators, log })]
    try {
      const strategyOptions = { within: 'fixed', withinStart: 1 } as const
      // Where a device is slow, areas that are idle take over what it holds: until it has finished a tile.
      let reports: FrameReport[]
      let areas: FrameReport['workers']
      do {
        reports = await reportsOf({ cluster: { ...master, workers: 1 }, strategyOptions })
        expect(hashes(reports)).toEqual(alone)
        areas = reports[0]!.workers.filter(({ device }) => device !== undefined)
      } while (!reports.flatMap(({ tiles }) => tiles).some(({ worker }) => worker === areas[0]!.id))
      workers.push(...['one', 'two'].map(name => startWorker({ master: master.url, name })))
      const cluster = { ...master, workers: 3 }
      expect(hashes(await reportsOf({ cluster, verify: 1, strategyOptions }))).toEqual(alone)
      expect(reports.flatMap(({ withdrawn }) => withdrawn ?? [])).toEqual([])
      expect(areas).toHaveLength(1)
      expect(areas[0]!.device).toMatch(adapter!.match(/llvmpipe|lavapipe|swiftshader/i) ? / \(software\)$/ : /^webgpu:/)
      expect(said.join('\n')).toMatch(
        /webgpu:voodoo cannot be started: expected an adapter that is here .*; going on without it/,
      )
      // Its process is killed after the first frame: the CPU goes on.
      const id = Number(/process (\d+); it answered/.exec(said.join('\n'))![1])
      let kills = 0
      const after = await reportsOf({ cluster }, () => {
        if (kills++ > 0) return
        try {
          process.kill(id, 'SIGKILL')
        } catch (error) {
          // It may have been withdrawn before, and have ended.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      })
      expect(hashes(after)).toEqual(alone)
    } finally {
      await Promise.all(workers.map(worker => worker.close()))
      await master.close()
    }
  }, 900_000)
})
