/** Workers that end by themselves: their lifetime is over, or there has been no master for too long. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Master, startMaster } from '../../scripts/library/master.ts'
import { render } from '../../scripts/library/render.ts'
import { type RunningWorker, startWorker, type WorkerOptions } from '../../scripts/library/worker.ts'
import { OptionError } from '../../shared/errors.ts'
import { expectSentence } from '../support/complaint.ts'
import { sortfirst } from '../support/program.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

function logged() {
  const lines: string[] = []
  return { lines, log: { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) } }
}
async function master(log = logged().log, listen = '127.0.0.1:0'): Promise<Master> {
  const running = await startMaster({ listen, log })
  opened.push(running)
  return running
}
function worker(options: WorkerOptions): RunningWorker {
  const running = startWorker({ cache: false, ...options })
  opened.push(running)
  return running
}
/** An address at which nobody listens. */
async function nowhere(): Promise<string> {
  const gone = await startMaster({ listen: '127.0.0.1:0' })
  await gone.close()
  return gone.url
}

describe('a worker whose lifetime is over', () => {
  it('leaves in good order, and the film goes on with the others', async () => {
    const { lines, log } = logged()
    const running = await master(log)
    worker({ master: running.url, name: 'stays' })
    const picture = { size: [64, 36], samples: 1, ambientRays: 1, camera: 'still' } as const
    // On a busy machine its life may be over before it has joined, so there is more of it until it does.
    for (let [lifetime, hasJoined] = [1, false]; !hasJoined; lifetime *= 2) {
      const its = logged()
      const short = worker({ master: running.url, name: 'goes', lifetime, log: its.log })
      let left = false
      void short.ended.then(() => {
        left = true
      })
      // As long as it is there, and some more.
      let more = 2
      for await (const _ of render('corner', { cluster: running, ...picture, frames: 100_000 }))
        if (left && --more === 0) break
      await short.ended
      hasJoined = its.lines.some(line => line.startsWith('joined '))
    }
    expect(lines.filter(line => /worker goes .*leaves \(its lifetime is over\)/.test(line))).toHaveLength(1)
    expect(running.connected().map(({ name }) => name)).toEqual(['stays'])
  })

  it('ends where there is no master, too', async () => {
    const { lines, log } = logged()
    await worker({ master: await nowhere(), lifetime: 0.2, retryFor: 3600, log }).ended
    expect(lines.at(-1)).toContain('its lifetime is over')
  })
})

describe('a worker without a master', () => {
  it('fails after its time to try', async () => {
    await expect(worker({ master: await nowhere(), retryFor: 0.01 }).ended).rejects.toThrow('no master answered')
  })

  it('ends as done after its death timeout', async () => {
    const { lines, log } = logged()
    await worker({ master: await nowhere(), deathTimeout: 0.01, log }).ended
    expect(lines.at(-1)).toBe('worker closed: no master within 0.01 s')
    expect(await sortfirst(['worker', await nowhere(), '--death-timeout', '0.01', '--no-cache'])).toMatchObject({
      code: 0,
    })
  })

  it('ends after it, too, if the master was lost', async () => {
    const running = await master()
    const { ended } = worker({ master: running.url, deathTimeout: 0.5 })
    for await (const _ of render('corner', { cluster: running, size: [8, 8], samples: 1, frames: 1 })) break
    await running.close()
    await ended
  })
})

it.each([
  ['--death-timeout', { deathTimeout: 0 }],
  ['--lifetime', { lifetime: -1 }],
])('%s is more than nothing', async (option, wrong) => {
  await expect(startWorker({ master: 'localhost', ...wrong }).ended).rejects.toThrow(OptionError)
  expectSentence(await sortfirst(['worker', 'localhost', option, '0']), 2, `${option}: expected`)
})

it('a worker has one limit on how long it waits', async () => {
  const both = ['worker', 'localhost', '--death-timeout', '1', '--retry-for', '1']
  expectSentence(await sortfirst(both), 2, '--death-timeout cannot be combined with --retry-for')
  expectSentence(await sortfirst(['worker', 'localhost', '--threads', 'all']), 2, '--threads: expected a whole number')
})
