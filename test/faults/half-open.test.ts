/** Masters that vanish without closing a socket, or never say welcome: workers and clients find out by themselves. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { type Master, startMaster } from '../../master/main.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { MasterConnectionError } from '../../scripts/library/remote-errors.ts'
import { type Log, silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import { type Relay, startRelay } from '../support/relay.ts'
import { reportsOf, smallSession } from '../support/session.ts'

const heartbeat = { intervalMs: 20, patience: 3, longPatience: 5 }

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** A master, and a relay that can be cut. */
async function masterBehindRelay(): Promise<{ master: Master; relay: Relay }> {
  const master = await startMaster({ listen: '127.0.0.1:0', heartbeat }, silentLog)
  const relay = await startRelay(master.url)
  endings.push(() => master.close(), relay.close)
  return { master, relay }
}

/** A worker in this process and its log, line by line. */
function worker(url: string, line: object = { heartbeat }) {
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const hear = (text: string) => {
    lines.push(text)
    for (const look of [...waiting]) look()
  }
  const log: Log = { info: hear, warn: hear }
  const stop = new AbortController()
  const done = runWorker({ master: url, name: 'w', engine: 'reference', line, retryFor: 60 }, log, stop.signal)
  endings.push(() => {
    stop.abort()
    return done
  })
  const said = (pattern: RegExp, times = 1) =>
    new Promise<void>(resolve => {
      const look = () => {
        if (lines.filter(line => pattern.test(line)).length >= times) resolve()
      }
      waiting.add(look)
      look()
    })
  return { lines, said }
}

describe('a master that vanishes behind a silent line', () => {
  it('is left by its workers, who look for it again', async () => {
    const { relay } = await masterBehindRelay()
    const { lines, said } = worker(relay.url)
    await said(/joined/)
    relay.silence()
    await said(/lost/)
    expect(lines.at(-1)).toBe('the connection to the master was lost (no sign of life for 0.1 s)')
    const seen = relay.connections
    await new Promise<void>(resolve => {
      const look = () => (relay.connections > seen ? resolve() : setImmediate(look))
      look()
    })
  })

  it('ends the run of its client in words', async () => {
    const { master, relay } = await masterBehindRelay()
    worker(master.url)
    const client = await connectToCluster(relay.url, { heartbeat })
    const frames = Array.from({ length: 10_000 }, (_, frame) => ({ ...smallSession({}).frames[0]!, frame }))
    const run = reportsOf(client, smallSession({ engine: 'reference', frames }), ({ frame }) => {
      if (frame === 1) relay.silence()
    })
    await expect(run).rejects.toThrow(MasterConnectionError)
    await expect(run).rejects.toThrow(/the connection was lost \(no sign of life for 0.1 s\); check that/)
  })

  it('drops the worker that it does not hear any more', async () => {
    const { master, relay } = await masterBehindRelay()
    await worker(relay.url).said(/joined/)
    expect(master.workers()).toHaveLength(1)
    relay.silence()
    await new Promise<void>(resolve => {
      const look = () => (master.workers().length === 0 ? resolve() : setImmediate(look))
      look()
    })
  })
})

describe('a master that never says welcome', () => {
  /** Takes connections and answers pings. */
  async function mute(): Promise<string> {
    const http: Server = createServer()
    const sockets = new WebSocketServer({ server: http })
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
    endings.push(() => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      return new Promise(resolve => http.close(resolve))
    })
    return `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
  }
  const line = { deadlines: { welcomeMs: 50 } }

  it('is given up by a client in words', async () => {
    await expect(connectToCluster(await mute(), line)).rejects.toThrow(
      /the connection was lost \(no welcome within 0.05 s\)/,
    )
  })

  it('is given up by a worker in words', async () => {
    const working = runWorker(
      { master: await mute(), engine: 'reference', line, retryFor: 0 },
      silentLog,
      new AbortController().signal,
    )
    await expect(working).rejects.toThrow(/no master answered at ws.*\(no welcome within 0.05 s\)/)
  })
})
