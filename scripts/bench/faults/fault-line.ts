/**
 * A TCP relay between a worker and its master that can do what lines do: delay, narrow, hold back, fall silent in one direction or
 * both without closing a socket, end, or be reset. It reads the messages that pass, so that faults strike at the right moment, and
 * may exchange them.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { MessageReader, type Passing } from './socket-messages.ts'

export type Way = 'to-master' | 'to-worker'

/** Sees every message before it passes; returns what passes in its place. */
export type Inspect = (way: Way, message: Passing) => readonly Uint8Array[]

export interface Conditions {
  /** Ways on which nothing passes. */
  readonly silent?: readonly Way[]
  /** Delay of the next message, ms. */
  readonly latencyMs?: () => number
  /** Each way. */
  readonly bytesPerSecond?: number
  /** Nothing passes before this time; then all of it does. On the clock of `performance`. */
  readonly heldUntil?: number
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
  conditions: Conditions
}

export class FaultLine {
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #target: URL
  inspect: Inspect = (_, { bytes }) => [bytes]

  private constructor(server: Server, target: URL) {
    this.#server = server
    this.#target = target
    server.on('connection', near => this.#accept(near))
  }

  static async open(masterUrl: string): Promise<FaultLine> {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return new FaultLine(server, new URL(masterUrl))
  }

  /** Where the worker connects in the place of the master. */
  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** From now on the present connections are like this; later ones are sound. */
  suffer(conditions: Conditions): void {
    for (const pair of this.#pairs) pair.conditions = { ...pair.conditions, ...conditions }
  }

  /** Ends all connections: with a FIN, or with an RST. */
  cut(how: 'end' | 'reset'): void {
    for (const { near, far } of this.#pairs)
      for (const socket of [near, far]) {
        if (how === 'reset') socket.resetAndDestroy()
        else socket.destroySoon()
      }
  }

  /** Sends the master something that the worker did not say. */
  inject(bytes: Uint8Array): void {
    for (const { far } of this.#pairs) if (far.writable) far.write(bytes)
  }

  async close(): Promise<void> {
    for (const { near, far } of this.#pairs) {
      near.destroy()
      far.destroy()
    }
    await new Promise(resolve => this.#server.close(resolve))
  }

  #accept(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname)
    const pair: Pair = { near, far, conditions: {} }
    this.#pairs.add(pair)
    let open = 2
    for (const [from, to, way] of [
      [near, far, 'to-master'],
      [far, near, 'to-worker'],
    ] as const) {
      from.setNoDelay(true)
      from.on('error', () => {})
      from.once('close', () => {
        if (--open === 0) this.#pairs.delete(pair)
      })
      this.#pump(pair, from, to, way).catch(() => {
        if (!isSilent(pair, way)) to.destroy()
      })
    }
  }

  /** Passes messages on in their order; a sender feels how narrow its line is. */
  async #pump(pair: Pair, from: Socket, to: Socket, way: Way): Promise<void> {
    const reader = new MessageReader()
    let passed: Promise<void> = Promise.resolve()
    for await (const chunk of from as AsyncIterable<Buffer>)
      for (const message of reader.push(chunk))
        for (const bytes of this.inspect(way, message)) {
          const { latencyMs, bytesPerSecond = Infinity, heldUntil = 0 } = pair.conditions
          const travelMs = (latencyMs?.() ?? 0) + (1000 * bytes.length) / bytesPerSecond
          const due = Math.max(performance.now() + travelMs, heldUntil)
          passed = passed.then(async () => {
            const early = due - performance.now()
            if (early > 0) await delay(early)
            if (isSilent(pair, way)) await untilClosed(to)
            if (to.writable) to.write(bytes)
          })
          if (Number.isFinite(bytesPerSecond)) await passed
        }
    await passed
    if (!isSilent(pair, way)) to.end()
  }
}

const isSilent = ({ conditions }: Pair, way: Way): boolean => conditions.silent?.includes(way) ?? false

const untilClosed = (socket: Socket): Promise<void> =>
  new Promise(resolve => {
    if (socket.closed) resolve()
    else socket.once('close', () => resolve())
  })
