/** What a worker will need for a scene is known before it is built, to within a tenth; for these scenes it is 2 %. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BUILT_IN_SCENES } from '../../../../scenes/index.ts'
import { loadScene } from '../../../../scripts/library/ready-scene.ts'
import { viewsOf } from '../../../../shared/scene/packed-layout.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'

const engine = loadWasmEngine('wasm')
const tent = fileURLToPath(new URL('../../../../../test/support/tent.obj', import.meta.url))

describe('the memory that a worker needs for a scene', () => {
  it.each([...BUILT_IN_SCENES.map(({ name }) => name), tent])('is estimated for %s', async name => {
    const { held, triangles } = await loadScene(name)
    const { bytes } = await held.content()
    for (const threads of [1, 3]) {
      const { memory } = engine.finish(engine.begin(bytes, threads))
      const share = engine.estimateBytes(viewsOf(bytes), triangles, threads) / memory.buffer.byteLength
      expect(share).toBeGreaterThan(0.95)
      expect(share).toBeLessThan(1.05)
    }
  })
})
