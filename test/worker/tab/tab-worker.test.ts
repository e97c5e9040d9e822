/** A tab and its master, each at its end of a WebSocket as browsers have it, by hand. */
import { describe, expect, it } from 'vitest'
import type { ToWorker } from '../../../shared/protocol/messages.ts'
import { SocketChannel, type TabSocket } from '../../../worker/tab/socket-channel.ts'
import type { TabAreas } from '../../../worker/tab/tab-worker.ts'
import { openTab } from '../../support/tab.ts'

/** The browser's end of a connection to nobody. */
class HandSocket implements TabSocket {
  binaryType = 'blob'
  readyState = 1
  bufferedAmount = 0
  readonly sent: { readonly type: string }[] = []
  onmessage: TabSocket['onmessage'] = null
  onclose: TabSocket['onclose'] = null
  closedWith: string | undefined

  send(data: string | Uint8Array): void {
    if (typeof data === 'string') this.sent.push(JSON.parse(data) as { type: string })
  }

  close(_: number, reason: string): void {
    this.readyState = 3
    this.closedWith = reason
  }

  say(message: ToWorker): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }

  lose(): void {
    this.readyState = 3
    this.onclose?.({ code: 1006, reason: '' })
  }
}

const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** A tab whose timers go when the test says so. */
async function fixture(connect?: () => Promise<SocketChannel>) {
  const sockets: HandSocket[] = []
  const timers = new Map<() => void, number>()
  const started: number[] = []
  const areas: TabAreas = {
    offers: [{ engine: 'wasm', kernel: 'k', speed: 1, threads: 1, clock: 'wall', grain: { rows: 8, rays: 1 } }],
    pools: [],
    broken: new Promise<never>(() => {}),
    isShared: true,
    close: () => {},
  }
  const tab = openTab('hand', 1, {
    startAreas: threads => {
      started.push(threads)
      return areas
    },
    connect:
      connect ??
      (async () => {
        const socket = new HandSocket()
        sockets.push(socket)
        return new SocketChannel(socket)
      }),
    every: (ms, tick) => {
      timers.set(tick, ms)
      return () => void timers.delete(tick)
    },
  })
  await settle()
  const tick = (most: number) => {
    for (const [each, ms] of [...timers]) if (ms <= most) each()
  }
  const welcome = async () => {
    sockets.at(-1)!.say({ type: 'welcome', id: 'w1', encoding: 'raw' })
    await settle()
  }
  return { tab, sockets, started, tick, welcome }
}

const kinds = ({ sent }: HandSocket) => sent.map(({ type }) => type)

describe('a tab', () => {
  it('gives up a master that is silent, and comes back to one', async () => {
    const { tab, sockets, tick, welcome } = await fixture()
    await welcome()
    const [socket] = sockets as [HandSocket]
    for (let beat = 0; beat < 100; beat++) {
      tick(500)
      if (beat % 30 === 0) socket.say({ type: 'pong' })
    }
    expect(tab.states.at(-1)!.phase).toBe('waiting')
    expect(kinds(socket)).toEqual([
      'hello',
      ...kinds(socket)
        .slice(1)
        .map(() => 'ping'),
    ])
    for (let beat = 0; beat < 41; beat++) tick(500)
    await settle()
    expect(tab.states.at(-1)).toMatchObject({ phase: 'connecting', text: expect.stringContaining('no sign of life') })
    tick(500)
    await settle()
    expect(sockets).toHaveLength(2)
    await welcome()
    expect(tab.states.at(-1)!.phase).toBe('waiting')
    tab.worker.hear({ type: 'leave' })
    await settle()
    expect(kinds(sockets[1]!)).toContain('leaving')
    sockets[1]!.say({ type: 'goodbye', code: 'DONE', reason: '' })
    sockets[1]!.lose()
    await tab.ended
    expect(tab.states.at(-1)).toMatchObject({ phase: 'over', text: '' })
  })

  it('gives up one that never says welcome, and one that refuses it for good', async () => {
    const { tab, sockets, tick } = await fixture()
    tick(10_000)
    await settle()
    expect(tab.states.at(-1)).toMatchObject({ phase: 'connecting', text: expect.stringContaining('no welcome') })
    tick(500)
    await settle()
    sockets[1]!.say({ type: 'goodbye', code: 'KERNEL_MISMATCH', reason: 'another kernel' })
    sockets[1]!.lose()
    await tab.ended
    expect(tab.states.at(-1)).toMatchObject({ phase: 'over', text: expect.stringContaining('another kernel') })
  })

  it('leaves a master that is silent while it connects, and closes what comes of that later', async () => {
    const socket = new HandSocket()
    let open = () => {}
    const connected = new Promise<SocketChannel>(resolve => {
      open = () => resolve(new SocketChannel(socket))
    })
    const { tab } = await fixture(() => connected)
    tab.worker.hear({ type: 'leave' })
    await settle()
    expect(tab.states.at(-1)).toMatchObject({ phase: 'over', text: '' })
    open()
    await settle()
    expect(socket.closedWith).toBe('its tab was closed')
    expect(socket.sent).toEqual([])
  })

  it('leaves before it is welcome, too, and takes nothing while it is paused', async () => {
    const { tab, sockets, started, welcome } = await fixture()
    tab.worker.hear({ type: 'paused', isPaused: true })
    await settle()
    expect(tab.states.at(-1)!.phase).toBe('paused')
    expect(sockets[0]!.closedWith).toBe('its tab pauses')
    tab.worker.hear({ type: 'threads', threads: 3 })
    tab.worker.hear({ type: 'paused', isPaused: false })
    await settle()
    await welcome()
    expect(started).toEqual([1, 3])
    expect(tab.states.at(-1)).toMatchObject({ phase: 'waiting', threads: 3 })
    sockets.at(-1)!.onmessage!({ data: 'no JSON' })
    await settle()
    expect(sockets.at(-1)!.closedWith).toContain('JSON')
    tab.worker.hear({ type: 'leave' })
    await tab.ended
  })
})
