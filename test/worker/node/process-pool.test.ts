/** A device in a process of its own that ends, or hangs, whatever it was asked for. */
import { expect, it } from 'vitest'
import { SILENT_MS, START_MS, startProcessDevice } from '../../../worker/node/process-pool.ts'
import { smallScene } from '../../support/small-scene.ts'

const settings = { engine: 'wasm', threads: 1, cores: 1 } as const
const scene = Uint8Array.from(smallScene().bytes) as unknown as Uint8Array<SharedArrayBuffer>

/** A device whose watch is moved by hand. */
async function started() {
  let look = () => {}
  let everyMs = 0
  const device = await startProcessDevice(settings, (ms, tick) => {
    ;[everyMs, look] = [ms, tick]
    return () => {
      look = () => {}
    }
  })
  return {
    ...device,
    passes: (ms: number) => {
      for (let at = 0; at < ms; at += everyMs) look()
    },
  }
}

it('is not waited for where it gives no sign, whatever it was asked for', async () => {
  const { pool, processId, broken, passes, close } = await started()
  try {
    await pool.loadScene('s', scene)
    passes(3 * SILENT_MS)
    process.kill(processId!, 'SIGSTOP')
    const asked = [pool.unloadScene('s'), pool.loadScene('t', scene)]
    const ends = [...asked, broken].map(each => expect(each).rejects.toThrow('its process gave no sign for 30 s'))
    passes(SILENT_MS)
    await Promise.all(ends)
    await expect(pool.unloadScene('t')).rejects.toThrow('no sign')
  } finally {
    await close()
  }
})

it('is not waited for without end where it does not start', async () => {
  let look = () => {}
  const starting = startProcessDevice(settings, (everyMs, tick) => {
    look = () => {
      for (let at = 0; at < START_MS; at += everyMs) tick()
    }
    return () => {}
  })
  // Before it can have answered.
  look()
  await expect(starting).rejects.toThrow('its start did not advance for 300 s')
})

it('fails what it was asked for where it ends', async () => {
  const { pool, processId, broken, close } = await started()
  try {
    const asked = [pool.loadScene('s', scene), broken]
    const ends = asked.map(each => expect(each).rejects.toThrow('its process ended (SIGKILL)'))
    process.kill(processId!, 'SIGKILL')
    await Promise.all(ends)
  } finally {
    await close()
  }
})
