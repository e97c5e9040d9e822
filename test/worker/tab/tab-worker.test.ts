/** A tab and its master, each at its end of a WebSocket as browsers have it, by hand. */
import { describe, expect, it } from 'vitest'
import type { ToWorker } from '../../../shared/protocol/messages.ts'
import { SocketChannel, type TabSocket } from '../../../worker/tab/socket-channel.ts'
import type { TabAreas, TabCard, TabPorts } from '../../../worker/tab/tab-worker.ts'
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
async function fixture(connect?: () => Promise<SocketChannel>, openCard?: TabPorts['openCard']) {
  const sockets: HandSocket[] = []
  const timers = new Map<() => void, number>()
  const started: number[] = []
  const cards: (string | undefined)[] = []
  let failCard = (_: string) => {}
  const areas: TabAreas = {
    offers: [{ engine: 'wasm', kernel: 'k', speed: 1, threads: 1, clock: 'wall', grain: { rows: 8, rays: 1 } }],
    pools: [],
    broken: new Promise<never>(() => {}),
    isShared: true,
    close: () => {},
  }
  const tab = openTab('hand', 1, {
    startAreas: (threads, card, failed) => {
      started.push(threads)
      cards.push(card?.name)
      failCard = failed!
      return areas
    },
    ...(openCard ? { openCard } : {}),
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
  return { tab, sockets, started, cards, failCard: (reason: string) => failCard(reason), tick, welcome }
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

/** Cards that are opened, and refused, when a test says so. */
function cardsByHand() {
  const asked: {
    readonly wanted: string | undefined
    readonly signal: AbortSignal
    open(card: TabCard): void
    refuse(reason: string): void
  }[] = []
  const closed: string[] = []
  const openCard = (wanted: string | undefined, signal: AbortSignal) =>
    new Promise<TabCard>((open, reject) => asked.push({ wanted, signal, open, refuse: why => reject(new Error(why)) }))
  const card = (name: string) => {
    let lose = (_: string) => {}
    const lost = new Promise<string>(resolve => {
      lose = resolve
    })
    return { card: { name, lost, close: () => void closed.push(name) } satisfies TabCard, lose }
  }
  return { openCard, asked, closed, card }
}

describe('a graphics card', () => {
  const joined = async (openCard: TabPorts['openCard']) => {
    const all = await fixture(undefined, openCard)
    await all.welcome()
    /** Gives back the socket at hand, and is welcome with another. */
    const again = async () => {
      await settle()
      all.sockets.at(-1)!.say({ type: 'goodbye', code: 'DONE', reason: '' })
      all.sockets.at(-1)!.lose()
      await settle()
      all.tick(1000)
      await settle()
      await all.welcome()
    }
    return { ...all, again, state: () => all.tab.states.at(-1)!.card }
  }

  it('is tried while the cores go on, traces beside them, and is given up when it is lost', async () => {
    const { openCard, asked, closed, card } = cardsByHand()
    const { tab, sockets, cards, again, state } = await joined(openCard)
    expect(state()).toBeUndefined()
    tab.worker.hear({ type: 'card', isUsed: true, wanted: 'one' })
    await settle()
    expect([asked[0]!.wanted, state(), sockets.length]).toEqual(['one', { state: 'tried' }, 1])
    const { card: one, lose } = card('card one')
    asked[0]!.open(one)
    await again()
    expect([state(), cards]).toEqual([{ state: 'used', name: 'card one' }, [undefined, 'card one']])
    lose('its driver has ended')
    await again()
    expect([state(), cards.at(-1), closed]).toEqual([
      { state: 'refused', reason: 'its driver has ended' },
      undefined,
      ['card one'],
    ])
  })

  it('that computes something else is given up, and may be tried again', async () => {
    const { openCard, asked, closed, card } = cardsByHand()
    const { tab, cards, failCard, again, state } = await joined(openCard)
    for (const name of ['first', 'second']) {
      tab.worker.hear({ type: 'card', isUsed: true })
      asked.at(-1)!.open(card(name).card)
      await again()
      failCard('4 of 4 pixels are wrong')
      await again()
      expect(state()).toEqual({ state: 'refused', reason: '4 of 4 pixels are wrong' })
    }
    expect([cards, closed]).toEqual([
      [undefined, 'first', undefined, 'second', undefined],
      ['first', 'second'],
    ])
  })

  it('that is refused changes nothing but what the page says', async () => {
    const { openCard, asked } = cardsByHand()
    const { tab, sockets, cards, state } = await joined(openCard)
    tab.worker.hear({ type: 'card', isUsed: true })
    asked[0]!.refuse('this browser has no WebGPU')
    await settle()
    expect([state(), sockets.length, cards]).toEqual([
      { state: 'refused', reason: 'this browser has no WebGPU' },
      1,
      [undefined],
    ])
  })

  it('that is not wanted any more, or whose tab has left, is closed as soon as it is there', async () => {
    const { openCard, asked, closed, card } = cardsByHand()
    const { tab, sockets, state } = await joined(openCard)
    tab.worker.hear({ type: 'card', isUsed: true })
    tab.worker.hear({ type: 'card', isUsed: false })
    asked[0]!.open(card('late').card)
    await settle()
    expect([state(), sockets.length, closed]).toEqual([undefined, 1, ['late']])
    tab.worker.hear({ type: 'card', isUsed: true })
    tab.worker.hear({ type: 'leave' })
    await settle()
    sockets[0]!.say({ type: 'goodbye', code: 'DONE', reason: '' })
    sockets[0]!.lose()
    await tab.ended
    asked[1]!.open(card('later').card)
    await settle()
    expect(closed).toEqual(['late', 'later'])
  })

  it('is tried once at a time, however often the page switches, and not in a tab that has left', async () => {
    const { openCard, asked, closed, card } = cardsByHand()
    const { tab, sockets, cards, again, state } = await joined(openCard)
    for (const isUsed of [true, false, true, true]) tab.worker.hear({ type: 'card', isUsed })
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
    for (const { refuse } of asked.slice(0, 2)) refuse('it is not wanted any more')
    await settle()
    expect(state()).toEqual({ state: 'tried' })
    asked[2]!.open(card('one').card)
    await again()
    tab.worker.hear({ type: 'card', isUsed: true })
    expect([asked.length, state(), cards, closed]).toEqual([3, { state: 'used', name: 'one' }, [undefined, 'one'], []])
    tab.worker.hear({ type: 'card', isUsed: false })
    tab.worker.hear({ type: 'card', isUsed: true })
    tab.worker.hear({ type: 'leave' })
    await settle()
    sockets.at(-1)!.say({ type: 'goodbye', code: 'DONE', reason: '' })
    sockets.at(-1)!.lose()
    await tab.ended
    expect([asked[3]!.signal.aborted, closed]).toEqual([true, ['one']])
  })
})
