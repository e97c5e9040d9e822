/**
 * Workers that speak the real protocol over real sockets and paint instead of tracing, many in one process. A tile takes as long as
 * its pixels say, without any CPU time.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { cellRange } from '../../../shared/protocol/cell-costs.ts'
import type { Channel, ChannelHandlers, ControlMessage } from '../../../shared/protocol/channel.ts'
import type { BinaryMessage } from '../../../shared/protocol/codec.ts'
import { MasterLine } from '../../../shared/protocol/node/master-line.ts'
import { PartStore } from '../../../shared/scene/part-store.ts'
import { WorkerScenes } from '../../../worker/scenes.ts'
import type { TileOrder, TracedTile } from '../../../worker/tile-order.ts'
import type { TilePool } from '../../../worker/tile-pool.ts'
import type { TileProgress } from '../../../worker/tile-progress.ts'
import { poolKernel, servePool } from '../serve-pool.ts'
import { Latencies } from './latencies.ts'
import { paint } from './painting.ts'

export interface FakeWorkersOptions {
  readonly master: string
  readonly count: number
  /** Number of the first one, for their names. */
  readonly first: number
  readonly pxPerMs: number
}

/** What they have seen, as a line of JSON. */
export interface FakeWorkersReport {
  readonly tiles: number
  readonly orders: number
  /** How often a connection was lost that had been welcomed. */
  readonly drops: number
  readonly latencies: Latencies['counts']
}

const STORE_BYTES = 2 ** 20
const PAINTED_DEPTH = 10

/** Connections that a process opens at a time: its workers stand for machines, which do not all ask in the same millisecond. */
const MOST_JOINING = 8
/** They share a processor that one machine's worker has to itself, ms. */
const PATIENT = { handshakeMs: 60_000, welcomeMs: 60_000 } as const

/**
 * Works until the signal aborts, and comes back whenever the master drops one of them.
 * @param joined called when all of them have been welcomed once
 */
export async function runFakeWorkers(
  { master, count, first, pxPerMs }: FakeWorkersOptions,
  signal: AbortSignal,
  joined: () => void = () => {},
): Promise<FakeWorkersReport> {
  // Every worker listens.
  setMaxListeners(0, signal)
  const places = new Places(MOST_JOINING)
  const welcomed = new Set<string>()
  const kernel = poolKernel()
  const latencies = new Latencies()
  const seen = { tiles: 0, orders: 0, drops: 0 }
  const work = async (name: string): Promise<void> => {
    const pool = paintPool(pxPerMs)
    const scenes = new WorkerScenes([pool], new PartStore(STORE_BYTES), STORE_BYTES)
    while (!signal.aborted) {
      const leavePlace = await places.enter()
      if (signal.aborted) return leavePlace()
      const line = new MasterLine(master, { deadlines: PATIENT })
      let isWelcome = false
      const welcome = () => {
        isWelcome = true
        leavePlace()
        welcomed.add(name)
        if (welcomed.size === count) joined()
      }
      const channel = new MeteredChannel(line.channel, { latencies, seen, welcome })
      const leave = () => channel.terminate()
      signal.addEventListener('abort', leave)
      try {
        await line.opened
        await servePool(name, line, { pool, scenes, channel, kernel })
      } catch {
        if (!signal.aborted && isWelcome) seen.drops++
      } finally {
        leavePlace()
        signal.removeEventListener('abort', leave)
      }
      if (!signal.aborted) await delay(100)
    }
  }
  await Promise.all(Array.from({ length: count }, (_, i) => work(`fake-${first + i}`)))
  return { ...seen, latencies: latencies.counts }
}

/** Tiles are painted in their order, each when its time has passed. */
export function paintPool(pxPerMs: number, draw: typeof paint = paint): TilePool {
  let newest: Promise<unknown> = Promise.resolve()
  return {
    loadScene: async () => ({ buildMs: 1 }),
    restoreScene: async () => true,
    unloadScene: async () => {},
    trace(order, progress) {
      const painted = newest.then(async () => {
        if (progress.stopped) return undefined
        const beganAt = performance.now()
        await delay(pixelCount(order.tile) / pxPerMs)
        return paintTile(order, progress, draw, beganAt)
      })
      newest = painted.catch(() => {})
      return painted
    },
  }
}

/** What is wanted of a tile; undefined: nothing. */
function paintTile(
  { view, tile, cell }: TileOrder,
  progress: TileProgress,
  draw: typeof paint,
  beganAt: number,
): TracedTile | undefined {
  progress.take((from, end) => end - from)
  if (progress.stopped) return undefined
  const { rows } = progress
  const set: PixelSet = { ...tile, rect: { ...tile.rect, h: rows } }
  const pixels = draw(view.frame, set)
  const times = { cpuMs: pixels.length * 1e-3, wallMs: performance.now() - beganAt }
  if (cell === undefined) return { rows, pixels, ...times }
  const { columns, rows: cellRows } = cellRange(set.rect, cell)
  const count = columns * cellRows
  const cells = {
    cell,
    costs: new Float64Array(count).fill(1),
    depths: new Float32Array(count).fill(PAINTED_DEPTH),
  }
  return { rows, pixels, ...times, cells, work: count }
}

/** Places that are taken in the order of asking. */
class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves with what gives the place back, once, however often it is called. */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    let isMine = true
    return () => {
      if (!isMine) return
      isMine = false
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}

interface Meters {
  readonly latencies: Latencies
  readonly seen: { tiles: number; orders: number }
  /** The master has admitted it. */
  readonly welcome: () => void
}

/** Measures from each last answer of a tile to the next order of the same work. */
class MeteredChannel implements Channel {
  readonly #channel: Channel
  readonly #latencies: Latencies
  readonly #seen: Meters['seen']
  readonly #welcome: () => void
  /** Works of open leases, and when the newest answer of a work was sent. */
  readonly #works = new Map<number, number>()
  #answered: { readonly work: number | undefined; readonly at: number } | undefined

  constructor(channel: Channel, { latencies, seen, welcome }: Meters) {
    this.#channel = channel
    this.#latencies = latencies
    this.#seen = seen
    this.#welcome = welcome
  }

  listen(handlers: ChannelHandlers): void {
    this.#channel.listen({
      control: message => {
        this.#hear(message as { type: string; lease: number; work: number })
        handlers.control(message)
      },
      binary: message => handlers.binary(message),
      closed: (code, reason) => handlers.closed(code, reason),
    })
  }

  send(message: ControlMessage): void {
    this.#channel.send(message)
  }

  sendBinary(message: BinaryMessage): Promise<void> {
    if (message.kind === 'tile-done' && !message.times.more) {
      this.#seen.tiles++
      this.#answered = { work: this.#works.get(message.lease), at: performance.now() }
      this.#works.delete(message.lease)
    }
    return this.#channel.sendBinary(message)
  }

  get traffic() {
    return this.#channel.traffic
  }

  get received(): number {
    return this.#channel.received
  }

  close(code: number, reason: string): void {
    this.#channel.close(code, reason)
  }

  terminate(reason?: string): void {
    this.#channel.terminate(reason)
  }

  ping(payload?: Uint8Array): void {
    this.#channel.ping(payload)
  }

  onPing(handler: (payload: Uint8Array) => void): void {
    this.#channel.onPing(handler)
  }

  heardSince(): boolean {
    return this.#channel.heardSince()
  }

  #hear({ type, lease, work }: { type: string; lease: number; work: number }): void {
    if (type === 'welcome') this.#welcome()
    if (type !== 'trace-tile') return
    this.#seen.orders++
    this.#works.set(lease, work)
    if (this.#answered?.work === work) this.#latencies.add(performance.now() - this.#answered.at)
    this.#answered = undefined
  }
}
