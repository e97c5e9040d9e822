/** Workers of which nothing is heard, or that hear nothing, on sockets that nobody closes. */
import { afterEach, expect, it } from 'vitest'
import { startMaster } from '../../master/main.ts'
import { FaultLine } from '../../scripts/bench/faults/fault-line.ts'
import { type Log, silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import { startRelay } from '../support/relay.ts'
import { runSession, smallSession } from '../support/session.ts'

/** Longer than any test: nobody is dropped for being silent. */
const FOREVER = 1e6

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** A log, and a promise of the first line that matches. */
function listening(): { log: Log; said: (pattern: RegExp, times?: number) => Promise<string> } {
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const hear = (line: string) => {
    lines.push(line)
    for (const look of [...waiting]) look()
  }
  const said = (pattern: RegExp, times = 1) =>
    new Promise<string>(resolve => {
      const look = () => {
        const found = lines.filter(line => pattern.test(line))
        if (found.length >= times) resolve(found[0]!)
      }
      waiting.add(look)
      look()
    })
  return { log: { info: hear, warn: hear }, said }
}

function hire(master: string, name: string, intervalMs: number): void {
  const stop = new AbortController()
  const line = { heartbeat: { intervalMs, longPatience: FOREVER } }
  const done = runWorker({ master, name, engine: 'reference', line, retryFor: 60 }, silentLog, stop.signal)
  endings.push(() => {
    stop.abort()
    return done
  })
}

it.each(['static-blocks', 'random-tiles', 'pbt'])(
  '%s: nobody waits for a worker of which nothing is heard',
  async strategy => {
    const heartbeat = { intervalMs: 60, patience: FOREVER, longPatience: FOREVER }
    const { log, said } = listening()
    const master = await startMaster({ listen: '127.0.0.1:0', heartbeat }, log)
    endings.push(() => master.close())
    const relay = await startRelay(master.url)
    endings.push(relay.close)
    hire(master.url, 'anna', 60)
    hire(relay.url, 'ben', 60)
    await said(/joined/, 2)
    const session = smallSession({ engine: 'reference', strategy, minWorkers: 2 })
    const film = async (heard: () => void = () => {}) => {
      const pictures: string[] = []
      await runSession(master, session, {
        frame: ({ frame }, pixels) => {
          pictures.push(`${frame}: ${Buffer.from(pixels).toString('base64')}`)
          if (frame === 0) heard()
        },
      })
      return pictures
    }
    const undisturbed = await film()
    expect(await film(() => relay.silence())).toEqual(undisturbed)
    expect(undisturbed).toHaveLength(3)
    expect(master.workers().map(({ name }) => name)).toEqual(['anna', 'ben'])
  },
)

it('a worker that is heard and hears nothing says so, and is dropped', async () => {
  const { log, said } = listening()
  const heartbeat = { intervalMs: 40, patience: 3, longPatience: FOREVER }
  const master = await startMaster({ listen: '127.0.0.1:0', heartbeat }, log)
  endings.push(() => master.close())
  const line = await FaultLine.open(master.url)
  endings.push(() => line.close())
  hire(line.url, 'anna', 40)
  await said(/joined/)
  line.suffer({ silent: ['to-worker'] })
  expect(await said(/left/)).toMatch(/^worker anna left \(it has heard nothing for 0\.\d+ s\), 0 in the cluster$/)
})
