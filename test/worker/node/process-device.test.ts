/** A device in a process of its own: what it is sent arrives whole, and what it says of a tile is true between its rows, too. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import type { View } from '../../../shared/frame/view.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { type ProcessDevice, startProcessDevice } from '../../../worker/node/process-pool.ts'
import { SOON_MS, TileProgress } from '../../../worker/tile-progress.ts'
import { openHere, traceTile } from '../support/engines.ts'
import { GREY, mountains, sceneOf, sharedBytes, viewOf } from '../support/meshes.ts'

const size: Size = [512, 8]
const view = viewOf(size)
const whole = frameRect(size)
const scene = sceneOf([{ mesh: mountains(300), material: GREY }])
const bytes = sharedBytes(scene)
const endless: View = { ...view, quality: { samples: 16384, ambientRays: 2, maxDepth: 4, bounces: 8 } }

let device: ProcessDevice
beforeAll(async () => {
  device = await startProcessDevice({ engine: 'wasm', threads: 2, cores: 2 })
  await device.pool.loadScene('large', bytes)
})
afterAll(() => device.close())

const later = () => new Promise(resolve => setTimeout(resolve, 5))

it('takes a scene that is sent in several pieces, and none of nothing', async () => {
  expect(bytes.length).toBeGreaterThan(4 << 20)
  const tile = { scene: 'large', view, tile: { rect: whole } }
  const { pixels } = (await device.pool.trace(tile, TileProgress.of(whole.h, 2)))!
  expect(Buffer.compare(pixels, traceTile(openHere(engineByName('wasm'), scene), view, whole))).toBe(0)
  await expect(device.pool.loadScene('nothing', new Uint8Array(new SharedArrayBuffer(0)))).rejects.toThrow()
})

it('gives pixels of doubles as they are packed: bytes of their own, at a multiple of 8', async () => {
  const few: View = { ...view, quality: { samples: 2, ambientRays: 0, maxDepth: 0 } }
  const engine = openHere(engineByName('wasm'), scene)
  for (const w of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const rect = { ...whole, w }
    const order = {
      scene: 'large',
      view: few,
      tile: { rect },
      samples: { from: 0, to: 1 },
      channels: ['light'],
    } as const
    const { pixels } = (await device.pool.trace(order, TileProgress.of(whole.h, 2)))!
    const light = new Float64Array(w * whole.h * 3)
    engine.trace(few, { rect }, order.samples, { light })
    expect(new Float64Array(pixels.buffer, pixels.byteOffset)).toEqual(light)
  }
})

it('advances within a row, and gives rows back that take long when its worker leaves', async () => {
  const progress = TileProgress.of(whole.h, 2)
  const traced = device.pool.trace({ scene: 'large', view: endless, tile: { rect: whole } }, progress)
  for (const before = progress.portions; progress.portions === before; ) await later()
  while (progress.doneWithin(SOON_MS) === progress.begun) await later()
  progress.leave()
  const { rows } = progress
  expect(rows).toBeLessThan(progress.begun)
  expect((await traced)?.rows ?? 0).toBe(rows)
})

it('gives rows back that are below the wanted ones', async () => {
  // A pixel, and a row below it.
  const cells = [0, ...Array.from({ length: 512 }, (_, i) => 512 + i)]
  const tile = {
    rect: { ...whole, h: 2 },
    pattern: { kind: 'cells', cellW: 1, cellH: 1, columns: 512, cells } as const,
  }
  const progress = TileProgress.of(2, 2)
  const traced = device.pool.trace({ scene: 'large', view: endless, tile }, progress)
  while (progress.begun < 2) await later()
  progress.trim(1)
  expect((await traced)!.rows).toBe(1)
})

it('rejects when the process ends while a scene is on its way', async () => {
  const doomed = await startProcessDevice({ engine: 'wasm', threads: 1, cores: 1 })
  const loading = doomed.pool.loadScene('large', bytes)
  process.kill(doomed.processId!, 'SIGKILL')
  await expect(loading).rejects.toThrow('its process ended (SIGKILL)')
  await doomed.close()
})
