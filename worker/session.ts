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
  type Encoding,
  ProtocolError,
  parseToWorker,
  type ToWorker,
  type TraceTile,
} from '../shared/protocol/messages.ts'
import { AVAILABLE_ENCODINGS } from '../shared/protocol/node/pixel-encoding.ts'
import { SceneReceiver } from '../shared/protocol/scene-transfer.ts'
import { PROTOCOL_VERSION } from '../shared/protocol/version.ts'
import { contains, formatRect, frameRect } from '../shared/rect.ts'
import { Lease, type TraceTiles } from './lease.ts'

/** What a session needs of whoever traces; the real one is `ThreadPool`. */
export interface TilePool {
  /** Takes up a packed scene under a name; nobody writes to it any more. */
  loadScene(name: string, scene: Uint8Array<SharedArrayBuffer>): Promise<{ buildMs: number }>
  unloadScene(name: string): Promise<void>
  trace: TraceTiles
}

export interface WorkerIdentity {
  readonly name: string
  readonly engine: string
  /** The engine's fingerprint. */
  readonly kernel: string
  readonly threads: number
  readonly speed: number
  /** Cores that it is held to, if any. */
  readonly cores?: number
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
  readonly pool: TilePool
  readonly clock: Clock
  /** Called when the master let the worker in. */
  readonly joined: () => void
}

/**
 * Serves a master until it says goodbye.
 * Rejects with RefusedError, or ConnectionLostError when the connection went without a word.
 */
export function serve(identity: WorkerIdentity, ports: SessionPorts): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = new Session(ports)
    let parting: (() => void) | undefined
    ports.channel.listen({
      control: message => {
        const order = parseToWorker(message)
        if (order.type !== 'goodbye') return session.obey(order)
        parting = order.code === 'DONE' ? resolve : () => reject(new RefusedError(order.reason))
      },
      binary: message => session.takeChunk(message),
      closed: (code, reason) => {
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
      ...identity,
    })
  })
}

class Session {
  readonly #ports: SessionPorts
  #encoding: Encoding = 'raw'
  #receiving: SceneReceiver | undefined
  #scene: string | undefined
  /** Those that are not answered yet. */
  readonly #leases = new Map<number, Lease>()

  constructor(ports: SessionPorts) {
    this.#ports = ports
  }

  obey(order: Exclude<ToWorker, { type: 'goodbye' }>): void {
    switch (order.type) {
      case 'welcome':
        this.#encoding = order.encoding
        return this.#ports.joined()
      case 'use-scene':
        this.#drop()
        this.#receiving = new SceneReceiver(order.scene, order.bytes)
        return
      case 'trace-tile':
        return void this.#trace(order)
      case 'trim-tile':
        return this.#leases.get(order.lease)?.trim(order.rows)
      case 'cancel-tile':
        this.#leases.get(order.lease)?.cancel()
        this.#leases.delete(order.lease)
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

  end(): void {
    for (const lease of this.#leases.values()) lease.cancel()
    this.#leases.clear()
    this.#drop()
  }

  #drop(): void {
    // A pool that cannot do so has ended, and says so itself.
    if (this.#scene) this.#ports.pool.unloadScene(this.#scene).catch(() => {})
    this.#scene = undefined
  }

  async #load(hash: string, bytes: Uint8Array<SharedArrayBuffer>): Promise<void> {
    const { channel, pool } = this.#ports
    try {
      if (sha256(bytes) !== hash) throw new ProtocolError('the scene that came is not the one that was announced')
      const { buildMs } = await pool.loadScene(hash, bytes)
      this.#scene = hash
      channel.send({ type: 'scene-ready', scene: hash, buildMs })
    } catch (error) {
      channel.send({ type: 'scene-failed', scene: hash, reason: messageOf(error) })
    }
  }

  async #trace(order: TraceTile): Promise<void> {
    const { channel, pool, clock } = this.#ports
    let lease: Lease | undefined
    try {
      const { scene, rect, view } = order
      if (scene !== this.#scene) throw new ProtocolError(`scene ${scene.slice(0, 12)} is not held here`)
      if (!contains(frameRect(view.size), rect))
        throw new ProtocolError(`tile ${formatRect(rect)} lies outside frame ${view.size.join('x')}`)
      lease = new Lease(order, {
        trace: (tile, progress) => pool.trace(tile, progress),
        clock,
        encoding: this.#encoding,
        send: answer => void channel.sendBinary(answer),
      })
      this.#leases.set(order.lease, lease)
      await lease.answer()
    } catch (error) {
      const cancelled = lease && this.#leases.get(order.lease) !== lease
      if (!cancelled) channel.send({ type: 'tile-failed', lease: order.lease, reason: messageOf(error) })
    } finally {
      if (this.#leases.get(order.lease) === lease) this.#leases.delete(order.lease)
    }
  }
}
