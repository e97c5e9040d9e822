/**
 * Paths on a device, held to the kernel's: the same samples, but for what floats round; the same light, by z-tests over other samples; and to what
 * is known of white surroundings. Its bytes depend on nothing but the frame.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judge } from '../../scripts/bench/pictures/checks/judge.ts'
import { packedTracer } from '../../scripts/bench/pictures/kernel/as-tracer.ts'
import { packed } from '../../scripts/bench/pictures/kernel/build.ts'
import { estimated } from '../../scripts/bench/pictures/model/tracer.ts'
import { comparedScenes } from '../../scripts/bench/pictures/scenes/compared-scenes.ts'
import { SceneBuilder } from '../../scripts/bench/pictures/scenes/meshes.ts'
import { parallelTo, viewOf } from '../../scripts/bench/pictures/scenes/views.ts'
import { startMaster } from '../../scripts/library/master.ts'
import { loadScene } from '../../scripts/library/ready-scene.ts'
import { render } from '../../scripts/library/render.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { View } from '../../shared/frame/view.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import { loadWasmEngine } from '../../worker/node/load-kernel.ts'
import { type ProcessDevice, startProcessDevice } from '../../worker/node/process-pool.ts'
import { anyAdapter } from '../support/any-adapter.ts'
import { type DeviceTracer, deviceTracer, type Packed } from '../support/device-tracer.ts'
import { isNightly } from '../support/nightly.ts'
import { type Layer, pictureOf, stacked, viewFor } from '../worker/support/stacked.ts'

const { name: adapter, restore } = await anyAdapter()
afterAll(restore)

const size: Size = [20, 20]
const kernel = packedTracer<Packed>('kernel', loadWasmEngine('wasm'))

interface Case {
  readonly scene: Packed
  readonly view: View
}

/** Each has a shader of its own, which software compiles for long. */
const EVERY_DAY = ['cornell box', 'still life', 'lamps']
const cases = new Map<string, Case>(
  comparedScenes()
    .filter(({ name }) => isNightly || EVERY_DAY.includes(name))
    .map(({ name, scene, camera, bounces, filter }) => {
      const view = viewOf(camera, size, { samples: 8, bounces, ...(filter && { filter }) })
      return [name, { scene: { packed: packed(scene) }, view }]
    }),
)
const { scene: still, view: stillView } = cases.get('still life')!
const limits = { clamp: 0.5, caustics: 'off', singleScattering: true } as const
cases.set('still life within limits of light, on nothing', {
  scene: still,
  view: { ...stillView, frame: 5, quality: { ...stillView.quality, ...limits }, transparent: true },
})
if (isNightly) cases.set('textured', textured())

/** Layers whose textures vary all that they can, one of which shines as its texture says, and one is full of holes. */
function textured(): Case {
  const spots = pictureOf(2, [255, 128, 20, 255], [30, 200, 90, 60], [120, 60, 255, 200], [250, 250, 250, 90])
  const bumps = pictureOf(2, [150, 128, 240, 255], [128, 90, 240, 255], [100, 140, 240, 255], [128, 128, 255, 255])
  const map = (texture: number) => ({ texture, set: 0, transform: [3, 0, 0, 0, 3, 0] }) as const
  const layers: Layer[] = [
    { z: 0, material: { color: [0.9, 0.9, 0.9], metallic: 0.6, roughness: 0.8, anisotropy: 0.5, maps: { color: map(0), roughness: map(0), metallic: map(0), normal: map(1) } } },
    { z: 1, half: 0.7, material: { alpha: 'mask', alphaCutoff: 0.5, color: [0.5, 0.6, 0.9], coat: 0.5, maps: { color: map(0) } } },
    { z: 2.5, half: 0.3, turned: true, material: { emission: [6, 5, 4], maps: { emission: map(0) } } },
    { z: 3, half: 0.5, material: { alpha: 'blend', opacity: 0.5, sheenColor: [0.4, 0.3, 0.3], sheenRoughness: 0.4, maps: { opacity: map(0) } } },
  ] // biome-ignore format: a line for each layer
  const stack = stacked({ layers, textures: [spots, bumps], sky: 0.4 })
  const view = { ...viewFor({ samples: 8, bounces: 4, ambientRays: 0, maxDepth: 0 }, size[0]), exposure: 1 }
  return { scene: { packed: packScene(stack).bytes }, view }
}

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe.skipIf(adapter === undefined)('paths on a device', () => {
  let device: ProcessDevice
  let tracer: DeviceTracer
  const start = () => startProcessDevice({ engine: 'webgpu', threads: 2, cores: 2, webgpu: { adapter: adapter! } })
  beforeAll(async () => {
    device = await start()
    tracer = deviceTracer(device)
  })
  afterAll(() => device.close())

  it.each([...cases])('are those of the kernel, sample by sample: %s', async (_, { scene, view }) => {
    const [own, theirs] = [await tracer.trace(scene, view), await kernel.trace(scene, view)]
    const mean = meanOf(theirs)
    expect(mean).toBeGreaterThan(0)
    // What floats round may decide at an edge, and then a path goes on in another way.
    const off = own.filter((value, i) => !(Math.abs(value - theirs[i]!) <= 1e-3 * Math.max(mean, theirs[i]!)))
    expect(off.length).toBeLessThanOrEqual(0.01 * own.length)
    expect(Math.abs(meanOf(own) - mean)).toBeLessThan(2e-3 * mean)
  })

  it.each(['cornell box', 'lamps'])('leave no z score that is not chance: %s', async name => {
    const { scene, view } = cases.get(name)!
    const many = { ...view, quality: { ...view.quality, samples: 32 } }
    const { signal } = new AbortController()
    // Of other frames, so that both are independent.
    const [own, theirs] = [
      await estimated(tracer, scene, many, 8, signal),
      await estimated(kernel, scene, { ...many, frame: 100 }, 8, signal),
    ]
    const failed = judge(name, own, theirs, { resolution: 0.05 }).filter(({ ok }) => !ok)
    expect(failed).toEqual([])
  })

  // By day lobes alone are held to this (`lobes-exact.test.ts`): all of them in one shader, software compiles for long.
  it.runIf(isNightly)('show nothing of what is white in white surroundings', async () => {
    const builder = new SceneBuilder()
    const white = [{}, { metallic: 1, roughness: 0.7 }, { transmission: 1, ior: 1.5, roughness: 0.5 }, { coat: 1 }]
    white.forEach((material, i) => {
      builder.ball(builder.material(material), [(i % 2) - 0.5, Math.floor(i / 2) - 0.5, 0], 0.45)
    })
    const one = [1, 1, 1] as const
    const scene = { packed: packed(builder.build({ kind: 'sky', zenith: one, horizon: one, ground: one })) }
    const view = viewOf(parallelTo([0, 0, 4], [0, 0, 0], 1), size, { samples: 64, bounces: 100 })
    const picture = await tracer.trace(scene, view)
    const mean = meanOf(picture)
    const squares = picture.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    // Three values of a pixel are one.
    const error = Math.sqrt((3 * squares) / picture.length) / Math.sqrt(picture.length)
    expect(Math.abs(mean - 1)).toBeLessThan(4 * error + 1e-3)
    expect(error).toBeLessThan(0.01)
  })

  it('have the same bytes whatever they are asked for with, in any ranges of samples, again, and in another process', async () => {
    const { scene, view } = cases.get('cornell box')!
    const all = await tracer.sums(scene, view)
    expect(new Set(all).size).toBeGreaterThan(500)
    expect(await tracer.sums(scene, view)).toEqual(all)
    for (const rect of [
      { x: 0, y: 0, w: 20, h: 7 },
      { x: 13, y: 3, w: 1, h: 17 },
    ]) {
      const tile = await tracer.sums(scene, view, { rect })
      const cut = tile.map((_, i) => {
        const pixel = Math.floor(i / 3)
        return all[((rect.y + Math.floor(pixel / rect.w)) * size[0] + rect.x + (pixel % rect.w)) * 3 + (i % 3)]!
      })
      expect(tile).toEqual(cut)
    }
    const sum = new Float64Array(all.length)
    for (const [from, to] of [[5, 8], [0, 1], [1, 5]] as const) // biome-ignore format: one line
      for (const [i, value] of (await tracer.sums(scene, view, undefined, { from, to })).entries()) sum[i]! += value
    expect(sum).toEqual(all)
    const other = await start()
    try {
      expect(await deviceTracer(other).sums(scene, view)).toEqual(all)
    } finally {
      await other.close()
    }
  })
})

describe.skipIf(adapter === undefined)('workers that trace paths on devices', () => {
  it('make the same frames, one or two, by any strategy, in one pass or several', async () => {
    const scene = await loadScene('corner')
    const master = await startMaster({ listen: '127.0.0.1:0' })
    const workerOf = (name: string) => startWorker({ master: master.url, name, engine: `webgpu:${adapter}` })
    const workers = [workerOf('one')]
    const hashes = async (options: Parameters<typeof render>[1], count: number): Promise<string[]> => {
      const common = {
        size: [24, 16],
        samples: 4,
        bounces: 3,
        frames: 2,
        integrator: 'path',
        engine: 'webgpu',
      } as const
      const made: string[] = []
      const cluster = { ...master, workers: count }
      for await (const { report } of render(scene, { ...common, wait: 900, cluster, ...options }))
        made.push(report.sha256!)
      return made
    }
    try {
      const alone = await hashes({}, 1)
      expect(new Set(alone).size).toBe(2)
      workers.push(workerOf('two'))
      expect(await hashes({ strategy: 'demand-driven' }, 2)).toEqual(alone)
      expect(await hashes({ passes: 2 }, 2)).toEqual(alone)
    } finally {
      await Promise.all(workers.map(worker => worker.close()))
      await master.close()
    }
  }, 900_000)
})
