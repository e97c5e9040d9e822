/** The device held to the naive tracer, which shares nothing with the kernel: light is right by z-tests of every pixel, not only as the kernel's is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judge } from '../../scripts/bench/pictures/checks/judge.ts'
import { packed } from '../../scripts/bench/pictures/kernel/build.ts'
import { estimated } from '../../scripts/bench/pictures/model/tracer.ts'
import { naiveTracer } from '../../scripts/bench/pictures/naive/as-tracer.ts'
import { comparedScenes } from '../../scripts/bench/pictures/scenes/compared-scenes.ts'
import { viewOf } from '../../scripts/bench/pictures/scenes/views.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { type ProcessDevice, startProcessDevice } from '../../worker/node/process-pool.ts'
import { anyAdapter } from '../support/any-adapter.ts'
import { type DeviceTracer, deviceTracer } from '../support/device-tracer.ts'
import { isNightly } from '../support/nightly.ts'

const { name: adapter, restore } = await anyAdapter()
afterAll(restore)

const size: Size = [12, 12]
/** Pictures that are averaged, and samples of a pixel in each. */
const PICTURES = 8
const SAMPLES = 16
/** Relative differences of the whole that would be found; the box has much noise. */
const RESOLUTION = 0.3

/** Area lights and mirrors, every kind of lamp; at night all scenes. */
const scenes = comparedScenes().filter(({ name }) => isNightly || ['cornell box', 'lamps'].includes(name))

describe.skipIf(adapter === undefined)('a device and the naive tracer', () => {
  let device: ProcessDevice
  let tracer: DeviceTracer
  beforeAll(async () => {
    const webgpu = { adapter: adapter! }
    device = await startProcessDevice({ engine: 'webgpu', threads: 2, cores: 2, webgpu })
    tracer = deviceTracer(device)
  }, 900_000)
  afterAll(() => device.close())

  it.each(scenes)(
    'agree but for chance: $name',
    async ({ name, scene, camera, bounces, filter }) => {
      const view = viewOf(camera, size, { samples: SAMPLES, bounces, ...(filter && { filter }) })
      const { signal } = new AbortController()
      const own = await estimated(tracer, { packed: packed(scene) }, view, PICTURES, signal)
      const theirs = await estimated(naiveTracer('naive', 2), scene, view, PICTURES, signal)
      // Two pictures of nothing would agree.
      expect(theirs.mean.filter(value => value > 0).length).toBeGreaterThan(theirs.mean.length / 2)
      expect(judge(name, own, theirs, { resolution: RESOLUTION }).filter(({ ok }) => !ok)).toEqual([])
    },
    900_000,
  )
})
