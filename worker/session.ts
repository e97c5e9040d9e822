/**
 * One connection's worth of a worker's life: greets, takes the scene, has traced what it is told, in the order in which the
 * orders came, and answers each tile when it is done.
 */
import type { Clock } from '../shared/clock.ts'
import { assertNever, messageOf, SortfirstError } from '../shared/errors.ts'
import { sha256 } from '../shared/node/sha256.ts'
import type { Channel } from '../shared/protocol/channel.ts'
import type { BinaryMessage } from '../shared/protocol/codec.ts'
import {
  type AreaOffer,
  type Encoding,
  ProtocolError,
  parseToWorker,
  type ToWorker,
  type TraceTile,
} from '../shared/protocol/messages.ts'
import { AVAILABLE_ENCODINGS } from '../shared/protocol/node/pixel-encoding.ts'
import { SceneReceiver } from '../shared/protocol/scene-transfer.ts'
import { PROTOCOL_VERSION, WORKS_HELD } from '../shared/protocol/version.ts'
import { contains, formatRect, frameRect } from '../shared/rect.ts'
import { Lease, type TraceTiles, type Work } from './lease.ts'

/** What a session needs of whoever traces; the real one is `ThreadPool`. */
export interface TilePool {
  /** Takes up a packed scene, to which nobody writes any more. */
  loadScene(scene: Uint8Array<SharedArrayBuffer>): Promise<{ buildMs: number }>
  trace: TraceTiles
}

export interface WorkerIdentity {
  readonly name: string
  /** What it offers, at least one. */
  readonly areas: readonly AreaOffer[]
}

/** The master sent this worker away; trying again unchanged cannot help. */
export class RefusedError extends SortfirstError {
  readonly code = 'REFUSED'
  constructor(reason: string) {
    super(`the master refused this worker: ${reason}`)
  }
}

/** The connection ended before or while it was of use. */
export class ConnectionLostError extends SortfirstError {
  readonly code = 'CONNECTION_LOST'
}

export interface SessionPorts {
  readonly channel: Channel
  /** Who traces the tiles of each area. */
  readonly pools: readonly TilePool[]
  readonly clock: Clock
  /** Calls `tick` every so many ms until the answer is called. */
  readonly every: (intervalMs: number, tick: () => void) => () => void
  /** Called when the master let the worker in. */
  readonly joined: () => void
}

/** How often the master hears that a tile which takes long advances, ms. */
const SIGN_OF_LIFE_MS = 2000

/**
 * Serves a master until it says goodbye.
 * Rejects with RefusedError, or ConnectionLostError when the connection went without a word.
 */
export function serve(identity: WorkerIdentity, ports: SessionPorts): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = new Session(ports)
    const stopSigns = ports.every(SIGN_OF_LIFE_MS, () => session.showSigns())
    let parting: (() => void) | undefined
    ports.channel.listen({
      control: message => {
        const order = parseToWorker(message)
        if (order.type !== 'goodbye') return session.obey(order)
        parting = order.code === 'DONE' ? resolve : () => reject(new RefusedError(order.reason))
      },
      binary: message => session.takeChunk(message),
      closed: (code, reason) => {
        stopSigns()
        session.end()
        if (parting) parting()
        else reject(new ConnectionLostError(`the connection to the master was lost (${reason || `code ${code}`})`))
      },
    })
    ports.channel.send({
      type: 'hello',
      role: 'worker',
      protocol: PROTOCOL_VERSION,
      encodings: [...AVAILABLE_ENCODINGS],
      name: identity.name,
      areas: [...identity.areas],
    })
  })
}

class Session {
  readonly #ports: SessionPorts
  #encoding: Encoding = 'raw'
  #receiving: SceneReceiver | undefined
  #scene: string | undefined
  /** The newest, the newest last. */
  readonly #works = new Map<number, Work>()
  /** Those that are not answered yet. */
  readonly #leases = new Map<number, OpenLease>()

  constructor(ports: SessionPorts) {
    this.#ports = ports
  }

  obey(order: Exclude<ToWorker, { type: 'goodbye' }>): void {
    switch (order.type) {
      case 'welcome':
        this.#encoding = order.encoding
        return this.#ports.joined()
      case 'use-scene':
        this.#scene = undefined
        this.#receiving = new SceneReceiver(order.scene, order.bytes)
        return
      case 'trace-tile':
        return void this.#trace(order)
      case 'trim-tile':
        return this.#leases.get(order.lease)?.lease.trim(order.rows)
      case 'cancel-tile':
        return this.#cancel(order.lease)
      case 'cancel-work':
        this.#works.delete(order.work)
        for (const [number, { work }] of [...this.#leases]) if (work === order.work) this.#cancel(number)
        return
      default:
        assertNever(order)
    }
  }

  takeChunk(message: BinaryMessage): void {
    if (message.kind !== 'scene-chunk' || !this.#receiving) throw new ProtocolError(`unexpected ${message.kind}`)
    if (!this.#receiving.take(message)) return
    const { hash, bytes } = this.#receiving
    this.#receiving = undefined
    void this.#load(hash, bytes)
  }

  /** Tells of every open lease of an area that advances: those behind the one that is traced wait for a reason. */
  showSigns(): void {
    const open = [...this.#leases]
    const advancing = new Set(open.filter(([, { lease }]) => lease.advanced()).map(([, { area }]) => area))
    for (const [number, { area }] of open)
      if (advancing.has(area)) this.#ports.channel.send({ type: 'tile-progress', lease: number })
  }

  end(): void {
    for (const number of [...this.#leases.keys()]) this.#cancel(number)
  }

  #cancel(number: number): void {
    this.#leases.get(number)?.lease.cancel()
    this.#leases.delete(number)
  }

  async #load(hash: string, bytes: Uint8Array<SharedArrayBuffer>): Promise<void> {
    const { channel, pools } = this.#ports
    try {
      if (sha256(bytes) !== hash) throw new ProtocolError('the scene that came is not the one that was announced')
      const startedAt = this.#ports.clock.now()
      for (const pool of pools) await pool.loadScene(bytes)
      const buildMs = this.#ports.clock.now() - startedAt
      this.#scene = hash
      channel.send({ type: 'scene-ready', scene: hash, buildMs })
    } catch (error) {
      channel.send({ type: 'scene-failed', scene: hash, reason: messageOf(error) })
    }
  }

  async #trace(order: TraceTile): Promise<void> {
    const { channel, clock } = this.#ports
    const { area = 0, work } = order
    let lease: Lease | undefined
    try {
      const { scene, view } = this.#workOf(order)
      const pool = this.#ports.pools[area]
      if (!pool) throw new ProtocolError(`this worker has no area ${area + 1}`)
      if (scene !== this.#scene) throw new ProtocolError(`scene ${scene.slice(0, 12)} is not held here`)
      if (!contains(frameRect(view.size), order.rect))
        throw new ProtocolError(`tile ${formatRect(order.rect)} lies outside frame ${view.size.join('x')}`)
      lease = new Lease(
        order,
        { scene, view },
        {
          trace: (tile, progress) => pool.trace(tile, progress),
          clock,
          encoding: this.#encoding,
          send: answer => void channel.sendBinary(answer),
        },
      )
      this.#leases.set(order.lease, { lease, area, work })
      await lease.answer()
    } catch (error) {
      const cancelled = lease && this.#leases.get(order.lease)?.lease !== lease
      if (!cancelled) channel.send({ type: 'tile-failed', lease: order.lease, reason: messageOf(error) })
    } finally {
      if (this.#leases.get(order.lease)?.lease === lease) this.#leases.delete(order.lease)
    }
  }

  /** What the tiles of an order's work have in common: as it says itself, or as an order before it said. */
  #workOf({ work, view }: TraceTile): Work {
    const held = view ?? this.#works.get(work)
    if (!held) throw new ProtocolError(`work ${work} is not known here`)
    if (view) {
      this.#works.delete(work)
      this.#works.set(work, view)
      for (const oldest of this.#works.keys()) {
        if (this.#works.size <= WORKS_HELD) break
        this.#works.delete(oldest)
      }
    }
    return held
  }
}

interface OpenLease {
  readonly lease: Lease
  readonly area: number
  readonly work: number
}
