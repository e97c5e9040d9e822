/** `--accelerator-required`: a worker whose accelerator is of no use ends with a sentence, whether its scenes are built or cached. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Master, startMaster } from '../../master/main.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import { AcceleratorError } from '../../worker/options.ts'
import { reportsOf, smallSession } from '../support/session.ts'
import { CPU_SHARE } from '../worker/support/useless-device.ts'

let folder: string
let master: Master
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  master = await startMaster({ listen: '127.0.0.1:0' }, silentLog)
})
afterAll(async () => {
  await master.close()
  rmSync(folder, { recursive: true, force: true })
})

const SCENELESS = new URL('../worker/support/sceneless-device.js', import.meta.url)
const TRACELESS = new URL('../worker/support/traceless-device.js', import.meta.url)
const worker = (threadProgram: URL, acceleratorRequired: boolean, signal: AbortSignal) =>
  runWorker(
    {
      master: master.url,
      name: 'w',
      cores: CPU_SHARE,
      accelerators: ['simulated:0.5'],
      acceleratorRequired,
      threadProgram,
      cache: folder,
    },
    silentLog,
    signal,
  )
const device = () => master.workers().find(({ device }) => device === 'simulated:0.5')
const film = () => reportsOf(master, smallSession({ minWorkers: 1 }))

// The first of them builds the scene for all.
describe.each([
  ['cannot use a scene that is built', SCENELESS, 'opening the scene'],
  ['cannot use a scene that is cached', SCENELESS, 'opening the scene'],
  ['cannot trace', TRACELESS, 'tracing'],
])('a device that %s', (_, program, task) => {
  const reason = expect.stringMatching(`^tracing thread 1: ${task}.* failed: out of memory$`)
  it('ends its worker with a sentence where it is required', async () => {
    const over = new AbortController()
    const ended = worker(program, true, over.signal)
    let isOver = false
    ended.catch(() => {
      isOver = true
    })
    let made = film()
    while (!isOver) {
      await Promise.race([made, ended.catch(() => {})])
      // On a busy machine the CPU makes a film before the device has begun.
      if (!isOver) made = film()
    }
    await expect(ended).rejects.toThrow(AcceleratorError)
    await expect(ended).rejects.toThrow(
      /^accelerator simulated:0.5 cannot be used: .*out of memory; without --accelerator-required the worker goes on/,
    )
    // Another one makes the frames.
    const other = runWorker({ master: master.url, name: 'other', cache: folder }, silentLog, over.signal)
    expect(await made).toHaveLength(3)
    over.abort()
    await other
  })

  it('is withdrawn where it is not, which frames and the roster tell', async () => {
    const over = new AbortController()
    const ended = worker(program, false, over.signal)
    let withdrawn: FrameReport['withdrawn']
    while (!withdrawn) withdrawn = (await film()).find(report => report.withdrawn)?.withdrawn
    expect(withdrawn).toEqual([{ id: expect.any(String), name: 'w.simulated:0.5', device: 'simulated:0.5', reason }])
    expect(device()).toMatchObject({
      state: 'withdrawn',
      reason: expect.stringMatching(/out of memory$/),
    })
    over.abort()
    await ended
  })
})
