import { expect, it } from 'vitest'
import { DeviceError } from '../../../worker/accelerators/guarded-pool.ts'
import { proven, selfTest } from '../../../worker/accelerators/self-test.ts'
import { startThreadPool } from '../../../worker/node/thread-pool.ts'
import type { TilePool } from '../../../worker/tile-pool.ts'

it('lets an engine pass that makes the pixels of the CPU, and no device that does not', async () => {
  const [wasm, reference] = await Promise.all([
    startThreadPool({ threads: 1, engine: 'wasm' }),
    startThreadPool({ threads: 1, engine: 'reference' }),
  ])
  try {
    expect(await selfTest(reference, wasm)).toBeUndefined()
    const stub: TilePool = {
      loadScene: async () => ({ buildMs: 0 }),
      restoreScene: async () => true,
      unloadScene: async () => {},
      trace: async ({ tile: { rect } }) => ({
        rows: rect.h,
        pixels: new Uint8Array(rect.w * rect.h * 3),
        cpuMs: 1,
        wallMs: 1,
      }),
    }
    expect(await selfTest(stub, wasm)).toMatch(/^\d+ of 576 bytes of its self-test are wrong$/)
    expect(await selfTest({ ...stub, trace: async () => undefined }, wasm)).toMatch(/self-test/)
  } finally {
    await Promise.all([wasm.close(), reference.close()])
  }
})

it.each<[string, Partial<TilePool>, RegExp]>([
  ['cannot hold a scene', { loadScene: async () => Promise.reject(new DeviceError('it ended')) }, /^it ended$/],
  ['makes wrong pixels', { trace: async () => undefined }, /bytes of its self-test are wrong/],
])('closes a device that %s', async (_, harm, reason) => {
  const cpu = await startThreadPool({ threads: 1, engine: 'wasm' })
  try {
    const pool: TilePool = {
      loadScene: async () => ({ buildMs: 0 }),
      restoreScene: async () => true,
      unloadScene: async () => {},
      trace: async () => undefined,
      ...harm,
    }
    let closed = 0
    const device = { pool, broken: new Promise<never>(() => {}), close: async () => void closed++ }
    await expect(proven(device, cpu)).rejects.toThrow(reason)
    expect(closed).toBe(1)
  } finally {
    await cpu.close()
  }
})

it('judges two devices at once on one CPU', async () => {
  const [wasm, reference] = await Promise.all([
    startThreadPool({ threads: 1, engine: 'wasm' }),
    startThreadPool({ threads: 1, engine: 'reference' }),
  ])
  try {
    const both = await Promise.all([selfTest(reference, wasm), selfTest(reference, wasm)])
    expect(both).toEqual([undefined, undefined])
  } finally {
    await Promise.all([wasm.close(), reference.close()])
  }
})
