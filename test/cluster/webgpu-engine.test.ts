/**
 * The engine `webgpu`: whole paths on a device, held to the kernel's pictures, whose samples it shares. On a machine without a graphics card this is a
 * software adapter, where there is one; else the tests are skipped, and say so.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMaster } from '../../scripts/library/master.ts'
import { loadScene } from '../../scripts/library/ready-scene.ts'
import { render } from '../../scripts/library/render.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import { type ChannelName, newPlane, planeAt, splitPlanes } from '../../shared/frame/channels.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { PixelPattern, PixelSet } from '../../shared/frame/pixel-set.ts'
import { pixelCount } from '../../shared/frame/pixel-set.ts'
import { frameRect, type Size } from '../../shared/frame/rect.ts'
import type { SampleRange, View } from '../../shared/frame/view.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import type { PixelBuffers } from '../../worker/engine/engine.ts'
import { engineByName } from '../../worker/node/engines.ts'
import { type ProcessDevice, startProcessDevice } from '../../worker/node/process-pool.ts'
import { TileProgress } from '../../worker/tile-progress.ts'
import { anyAdapter } from '../support/any-adapter.ts'
import { mapped } from '../support/mapped-scene.ts'
import { veiled } from '../support/veiled-scene.ts'
import { GREY, mixedScene, mountains, quad, sceneOf, sharedBytes, viewOf } from '../worker/support/meshes.ts'

const { name: adapter, restore } = await anyAdapter()
afterAll(restore)

const size: Size = [40, 24]
const whole = frameRect(size)
const SUN = { sun: { direction: [0.48, 0.64, 0.6], irradiance: [3, 2.8, 2.4] } } as const
const SCENES = {
  'every kind of material': mixedScene,
  mountains: () => sceneOf([{ mesh: mountains(60), material: GREY }], SUN),
  veils: () => packScene(veiled()),
  'textures and holes': () => packScene(mapped()),
}
type SceneName = keyof typeof SCENES

/** Sums of light and depths of a view, from the kernel. */
function ofKernel(
  scene: Uint8Array<SharedArrayBuffer>,
  view: View,
  channels: Partial<PixelBuffers> = {},
): { light: Float64Array; depth: Float32Array } {
  const engine = engineByName('wasm')
  const building = engine.begin(scene, 1)
  engine.help(building)
  const [light, depth] = [new Float64Array(size[0] * size[1] * 3), new Float32Array(size[0] * size[1])]
  const all = { from: 0, to: view.quality.samples }
  engine.open(engine.finish(building), 0).trace(view, { rect: whole }, all, { light, depth, ...channels })
  return { light, depth }
}

describe.skipIf(adapter === undefined)('a device that traces whole paths', () => {
  let device: ProcessDevice
  const start = () => startProcessDevice({ engine: 'webgpu', threads: 3, cores: 3, webgpu: { adapter: adapter! } })
  beforeAll(async () => {
    device = await start()
    for (const [name, scene] of Object.entries(SCENES)) await device.pool.loadScene(name, sharedBytes(scene()))
  })
  afterAll(() => device.close())

  const bytesOf = async (
    { pool }: ProcessDevice,
    scene: SceneName,
    view: View,
    tile: PixelSet = { rect: whole },
    samples: SampleRange = { from: 0, to: view.quality.samples },
    channels: readonly ChannelName[] = ['light'],
  ): Promise<Uint8Array<ArrayBuffer>> =>
    (await pool.trace({ scene, view, tile, samples, channels }, TileProgress.of(tile.rect.h, 3)))!.pixels.slice()

  const VIEWS: Readonly<Record<string, Partial<View>>> = {
    'one sample, no ambient rays': { quality: { samples: 1, ambientRays: 0, maxDepth: 0 } },
    'many of both': { quality: { samples: 5, ambientRays: 4, maxDepth: 16 }, frame: 7 },
    'a parallel camera': { camera: { ...viewOf(size).camera, orthographic: true, tanHalfX: 3.5, tanHalfY: 2.1 } },
    'a bright picture without background': { exposure: 300, transparent: true },
  }
  it.each(
    (Object.keys(SCENES) as SceneName[]).flatMap(scene => Object.keys(VIEWS).map(view => [scene, view] as const)),
  )('shows %s as the kernel does, with %s', async (name, change) => {
    const view = viewOf(size, VIEWS[change])
    const theirs = ofKernel(sharedBytes(SCENES[name]()), view)
    const order = { scene: name, view, tile: { rect: whole }, channels: ['light'], cell: 1 } as const
    const traced = (await device.pool.trace(order, TileProgress.of(size[1], 3)))!
    const light = new Float64Array(traced.pixels.slice().buffer)
    const { depths, costs } = traced.cells!
    // A camera ray in 10^5 may hit something else; here there are few.
    const isNear = (a: number, b: number) => a === b || Math.abs(a - b) <= 1e-5 * Math.abs(b)
    expect(depths.filter((value, i) => !isNear(value, theirs.depth[i]!)).length).toBeLessThanOrEqual(1)
    expect(depths.filter(value => value < 100).length).toBeGreaterThan(200)
    expect(Math.min(...costs)).toBeGreaterThan(0)
    const mean = theirs.light.reduce((sum, value) => sum + value, 0) / theirs.light.length
    expect(mean).toBeGreaterThan(0)
    // Rays of the same samples: what differs is rounding, and what that decides at edges and in mirrors.
    const off = light.filter((value, i) => !(Math.abs(value - theirs.light[i]!) <= 1e-3 * mean))
    expect(off.length).toBeLessThanOrEqual(0.01 * light.length)
    const bias = light.reduce((sum, value, i) => sum + value - theirs.light[i]!, 0) / light.length
    expect(Math.abs(bias)).toBeLessThan(1e-3 * mean)
  })

  const SETS: readonly PixelPattern[] = [
    { kind: 'strided', cellW: 1, cellH: 1, columns: 40, stride: 7, phase: 3 },
    { kind: 'cells', cellW: 12, cellH: 10, columns: 4, cells: [0, 3, 5, 11] },
    { kind: 'gaps', stepX: 8, stepY: 8, dx: 4, dy: 4 },
  ]
  it('makes the same bytes of a pixel whatever it is asked for with, again, and in another process', async () => {
    const view = viewOf(size)
    const name = 'every kind of material'
    const once = await bytesOf(device, name, view)
    const light = new Float64Array(once.buffer)
    expect(new Set(light).size).toBeGreaterThan(200)
    expect(Buffer.compare(await bytesOf(device, name, view), once)).toBe(0)
    for (const rect of [
      { x: 0, y: 0, w: 13, h: 24 },
      { x: 5, y: 3, w: 1, h: 1 },
      { x: 9, y: 11, w: 31, h: 13 },
    ]) {
      const tile = new Float64Array((await bytesOf(device, name, view, { rect })).buffer)
      tile.forEach((value, i) => {
        const pixel = Math.floor(i / 3)
        const [x, y] = [rect.x + (pixel % rect.w), rect.y + Math.floor(pixel / rect.w)]
        if (value !== light[(y * size[0] + x) * 3 + (i % 3)]) expect.fail(`pixel ${x},${y} differs in a tile`)
      })
    }
    for (const pattern of SETS) {
      const set = { rect: whole, pattern }
      const engine = engineByName('reference')
      const building = engine.begin(sharedBytes(mixedScene()), 1)
      engine.help(building)
      const order = new Float64Array(pixelCount(set) * 3)
      engine.open(engine.finish(building), 0).trace(view, set, { from: 0, to: 2 }, { light: order })
      const own = new Float64Array((await bytesOf(device, name, view, set)).buffer)
      // The kernel's pixels are at the same places: those of the device are close to them.
      expect(own.length).toBe(order.length)
      expect(own.filter((value, i) => !(Math.abs(value - order[i]!) < 0.01)).length).toBeLessThanOrEqual(2)
      const known = new Set(light)
      expect(own.every(value => known.has(value))).toBe(true)
    }
    const other = await start()
    try {
      await other.pool.loadScene(name, sharedBytes(mixedScene()))
      expect(other.adapters[0]!.fingerprint).toBe(device.adapters[0]!.fingerprint)
      expect(Buffer.compare(await bytesOf(other, name, view), once)).toBe(0)
    } finally {
      await other.close()
    }
  })

  it('adds up to the same sums in ranges of samples', async () => {
    const view = viewOf(size, { quality: { samples: 6, ambientRays: 1, maxDepth: 4 } })
    const name = 'every kind of material'
    const all = new Float64Array((await bytesOf(device, name, view)).buffer)
    const sum = new Float64Array(all.length)
    for (const [from, to] of [
      [4, 6],
      [0, 1],
      [1, 4],
    ] as const) {
      const part = new Float64Array((await bytesOf(device, name, view, { rect: whole }, { from, to })).buffer)
      part.forEach((value, i) => {
        sum[i] = sum[i]! + value
      })
    }
    expect(Buffer.compare(Buffer.from(sum.buffer), Buffer.from(all.buffer))).toBe(0)
  })

  it('refuses a scene beyond what it traces as wrong usage, and goes on', async () => {
    const huge = sharedBytes(sceneOf([{ mesh: quad([-2e9, 0, 0], [4e9, 0, 0], [0, 0, -4e9]), material: GREY }]))
    await expect(device.pool.loadScene('huge', huge)).rejects.toMatchObject({
      ...{ code: 'NOT_TRACED', exitCode: 2 },
      message: expect.stringMatching(/^expected coordinates of up to 1073741824 units/),
    })
    expect((await bytesOf(device, 'mountains', viewOf(size))).length).toBe(size[0] * size[1] * 24)
  })

  const COUNTED = ['light', 'halfLight', 'albedo', 'cryptoObject', 'cryptoMaterial', 'alpha'] as const
  /** Features are of paths: what they see in mirrors and through glass. */
  const GAZING = ['light', 'halfLight', 'albedo', 'features', 'halfFeatures', 'cryptoObject', 'alpha'] as const
  it.each([
    ['textures and holes', { samples: 4, ambientRays: 1, maxDepth: 2 }, COUNTED],
    ['every kind of material', { samples: 4, ambientRays: 0, maxDepth: 0, bounces: 3 }, GAZING],
  ] as const)(
    'counts what samples see first of %s as the kernel does, of half of them, too',
    async (name, quality, channels) => {
      const view = viewOf(size, { quality, frame: 3, adaptive: true })
      const pixels = size[0] * size[1]
      const expected = Object.fromEntries(channels.map(channel => [channel, newPlane(channel, pixels)]))
      ofKernel(sharedBytes(SCENES[name]()), view, expected)
      const made = splitPlanes(
        channels,
        pixels,
        await bytesOf(device, name, view, { rect: whole }, undefined, channels),
      )
      for (const channel of channels) {
        const plane = planeAt(channel, made.get(channel)!.slice().buffer, 0, pixels)
        // Features are steps of 1 / 65535, one or two off for each sample; names and numbers are exact, but for one camera ray in 10^5.
        const allowed = /Light|light|albedo/.test(channel) ? 1e-4 : /eatures/.test(channel) ? 8 : 0
        const off = plane.filter((value, i) => !(Math.abs(value - expected[channel]![i]!) <= allowed))
        expect([channel, off.length > 0.001 * plane.length]).toEqual([channel, false])
        expect([channel, plane.some(value => value > 0)]).toEqual([channel, true])
      }
    },
  )
})

describe.skipIf(adapter === undefined)('workers with the engine webgpu', () => {
  it('make the same frames, one or two, by any strategy, apart from those of wasm, and when a device is gone', async () => {
    const scene = await loadScene('corner')
    const master = await startMaster({ listen: '127.0.0.1:0' })
    const said: string[] = []
    const log = { info: (text: string) => said.push(text), warn: (text: string) => said.push(text) }
    const workerOf = (name: string, engine: string) => startWorker({ master: master.url, name, engine, log })
    const workers = [workerOf('plain', 'wasm'), workerOf('one', `webgpu:${adapter}`)]
    const frames = async (options: Parameters<typeof render>[1], each = () => {}) => {
      const reports: FrameReport[] = []
      const common = { size: [32, 18], samples: 1, frames: 3, integrator: 'ambient', inFlight: 1, wait: 900 } as const
      const cluster = { ...master, workers: 1 }
      for await (const { report } of render(scene, { ...common, cluster, ...options })) {
        reports.push(report)
        each()
      }
      return reports
    }
    const hashes = (reports: readonly FrameReport[]) => reports.map(({ sha256 }) => sha256)
    try {
      const alone = await frames({ engine: 'webgpu' })
      const [area] = alone[0]!.workers
      expect(alone[0]!.workers).toHaveLength(1)
      expect(area).toMatchObject({ engine: 'webgpu', name: 'one' })
      expect(area!.device).toMatch(/llvmpipe|lavapipe|swiftshader/i.test(adapter!) ? / \(software\)$/ : /^webgpu:/)
      const processOfOne = Number(/process (\d+)$/.exec(said.find(text => text.startsWith('engine webgpu'))!)![1])
      const two = workerOf('two', `webgpu:${adapter}`)
      workers.push(two)
      const cluster = { ...master, workers: 2 }
      const passes = await frames({ engine: 'webgpu', cluster, strategy: 'demand-driven' })
      expect(hashes(passes)).toEqual(hashes(alone))
      expect((await frames({ engine: 'wasm' }))[0]!.workers.map(({ name }) => name)).toEqual(['plain'])
      // Its worker has nothing else to trace with, and leaves; the other one goes on.
      let kills = 0
      const after = await frames({ engine: 'webgpu', cluster }, () => {
        if (kills++ === 0) process.kill(processOfOne, 'SIGKILL')
      })
      expect(hashes(after)).toEqual(hashes(alone))
      await expect(workers[1]!.ended).rejects.toThrow(`engine webgpu:${adapter}: its process ended (SIGKILL)`)
      expect(hashes(await frames({ engine: 'webgpu' }))).toEqual(hashes(alone))
    } catch (error) {
      console.log(said.join('\n'))
      throw error
    } finally {
      await Promise.all(workers.map(worker => worker.close()))
      await master.close()
    }
    // Three processes whose drivers compile, of software perhaps, on a busy machine.
  }, 900_000)
})
