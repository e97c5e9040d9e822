import { expect, it } from 'vitest'
import { selfTest } from '../../../worker/accelerators/self-test.ts'
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
        ...{ rows: rect.h, pixels: new Uint8Array(rect.w * rect.h * 3), cpuMs: 1, wallMs: 1 },
      }),
    }
    expect(await selfTest(stub, wasm)).toMatch(/^\d+ of 576 bytes of its self-test are wrong$/)
    expect(await selfTest({ ...stub, trace: async () => undefined }, wasm)).toMatch(/self-test/)
  } finally {
    await Promise.all([wasm.close(), reference.close()])
  }
})
