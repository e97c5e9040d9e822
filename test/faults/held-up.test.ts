/** A program whose event loop is held up (a checksum of a large scene, a starved machine) hears of nobody meanwhile. */
import { expect, it } from 'vitest'
import { startMaster } from '../../master/main.ts'
import { start } from '../support/program.ts'
import { reportsOf, smallSession } from '../support/session.ts'

/** More than a worker may be silent for, and much less than a master may, which the machine may hold up for longer. */
const HELD_UP_MS = 1000

it('a master that was held up has lost no worker, and no worker has given it up', async () => {
  const lines: string[] = []
  const hear = (line: string) => void lines.push(line)
  const master = await startMaster({ listen: '127.0.0.1:0' }, { info: hear, warn: hear })
  const worker = start(['worker', master.url, '--name', 'anna', '--engine', 'reference'])
  await worker.line(/joined/)
  const { run } = master
  const session = smallSession({ engine: 'reference' })
  await reportsOf({ run }, session, ({ frame }) => {
    // Without a turn of the event loop, as something long and synchronous is.
    if (frame === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_UP_MS)
  })
  expect(lines.filter(line => / left /.test(line))).toEqual([])
  expect(master.workers().map(({ id }) => id)).toEqual(['w1'])
  await worker.stop()
  await master.close()
})
