/** WebGPU has the bytes of the exact kernel alone. */
import { expect, it } from 'vitest'
import { paintPool } from '../../../scripts/bench/soak/fake-worker.ts'
import { silentLog } from '../../../shared/text/log.ts'
import { startAccelerator } from '../../../worker/node/accelerators.ts'

it('a worker with the fast kernel is told why it cannot have it', async () => {
  const started = startAccelerator({
    spec: { kind: 'webgpu', text: 'webgpu', factor: 0 },
    ...{ capacity: { threads: 1, cores: 1, speed: 1 }, engine: 'wasm-fast', program: undefined, log: silentLog },
    ...{ cpu: paintPool(1), changed: () => {}, named: () => {} },
  })
  await expect(started).rejects.toThrow(/^a device of WebGPU has the bytes of --engine wasm; leave out --fast-math/)
})
