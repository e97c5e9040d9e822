/**
 * One connection of a worker to a master: performs the handshake, receives scenes, has tiles traced in the order in which they
 * were ordered, and answers each one when it is done.
 */

import { assertNever, messageOf, SortfirstError } from '../shared/errors.ts'
import { bytesPerPixelOf } from '../shared/frame/channels.ts'
import { pixelCount } from '../shared/frame/pixel-set.ts'
import { contains, formatRect, frameRect } from '../shared/frame/rect.ts'
import type { View } from '../shared/frame/view.ts'
import { keepNewest } from '../shared/keep-newest.ts'
import { type Channel, CLOSE_CODES } from '../shared/protocol/channel.ts'
import type { BinaryMessage } from '../shared/protocol/codec.ts'
import type { OwnKey } from '../shared/protocol/identity.ts'
import {
  type AreaOffer,
  type Encoding,
  MAX_REASON,
  parseToWorker,
  type ToWorker,
  type TraceTile,
} from '../shared/protocol/messages.ts'
import { MAX_OPEN_LEASES } from '../shared/protocol/peer-limits.ts'
import { ProtocolError } from '../shared/protocol/protocol-error.ts'
import { MAX_HELD_SCENES, MAX_PLANES_BYTES, PROTOCOL_VERSION, WORKS_HELD } from '../shared/protocol/version.ts'
import { MAX_QUOTED, shortened } from '../shared/text/printable.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { AreaStates } from './accelerators/area-states.ts'
import { Lease, type Work } from './lease.ts'
import type { Platform } from './platform.ts'
import type { WorkerScenes } from './scenes.ts'
import { SessionScenes } from './session-scenes.ts'
import type { TilePool, TraceTiles } from './tile-pool.ts'

export interface WorkerIdentity {
  readonly name: string
  /** Tells it from other workers of the same name and address. */
  readonly key?: string
  /** The key that it holds over all its connections. @default none: it is told from others by its name, its address and `key` */
  readonly own?: OwnKey
  /** The areas it offers, at least one. */
  readonly areas: readonly AreaOffer[]
}

/** The master rejected this worker; retrying unchanged will not help. */
export class RefusedError extends SortfirstError {
  readonly code = 'REFUSED'
  constructor(reason: string) {
    super(`the master refused this worker: ${reason}`)
  }
}

/** The connection was lost before or while it was in use. */
export class ConnectionLostError extends SortfirstError {
  readonly code = 'CONNECTION_LOST'
}

export interface SessionPorts {
  readonly channel: Channel
  readonly platform: Platform
  /** The pools that trace the tiles of each area. */
  readonly pools: readonly TilePool[]
  /** The scenes held, built by those pools. Outlives the session. */
  readonly scenes: WorkerScenes
  /** Which areas are withdrawn. @default none ever */
  readonly states?: AreaStates
  readonly clock: Clock
  /** Calls `tick` every `intervalMs` until the returned function is called. */
  readonly every: (intervalMs: number, tick: () => void) => () => void
  /** Called when the master has accepted the worker. */
  readonly joined: () => void
  /** Called when the master asks the worker to leave, with the reason. */
  readonly askedToLeave?: (reason: string) => void
  /** Once it aborts, no more rows are begun: those that are nearly done are sent, and the master says goodbye. Its reason is told. @default never */
  readonly leaving?: AbortSignal
}

/** How often the master is told that a long tile is making progress, ms. */
export const SIGN_OF_LIFE_MS = 2000

/** How long a worker that leaves waits for the rows that it keeps, and for the master's goodbye, ms. */
export const LEAVE_MS = 500

/**
 * Serves a master until it says goodbye.
 * Rejects with RefusedError, or with ConnectionLostError if the connection ends without a goodbye.
 */
export function serve(identity: WorkerIdentity, ports: SessionPorts): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = new Session(identity, ports)
    const stopSigns = ports.every(SIGN_OF_LIFE_MS, () => session.showSigns())
    let stopPatience = () => {}
    const leave = () => {
      const { reason } = ports.leaving!
      stopPatience = ports.every(LEAVE_MS, () => ports.channel.close(CLOSE_CODES.leaving, messageOf(reason)))
      session.leave(messageOf(reason))
    }
    ports.leaving?.addEventListener('abort', leave)
    let parting: (() => void) | undefined
    ports.channel.listen({
      control: message => {
        const order = parseToWorker(message)
        if (order.type !== 'goodbye') return session.obey(order)
        parting = order.code === 'DONE' ? resolve : () => reject(refusal(order.code, order.reason))
      },
      binary: message => session.takeChunk(message),
      closed: (code, reason) => {
        stopSigns()
        stopPatience()
        ports.leaving?.removeEventListener('abort', leave)
        session.end()
        if (parting) parting()
        else reject(new ConnectionLostError(`the connection to the master was lost (${reason || `code ${code}`})`))
      },
    })
    ports.channel.send({
      type: 'hello',
      role: 'worker',
      protocol: PROTOCOL_VERSION,
      encodings: [...ports.platform.encodings],
      name: identity.name,
      ...(identity.key === undefined ? {} : { key: identity.key }),
      ...(identity.own === undefined ? {} : { identity: identity.own.identity }),
      areas: [...identity.areas],
      holds: ports.scenes.built.slice(-MAX_HELD_SCENES),
    })
  })
}

/** A master that closes may come back, and one for which this worker was too slow may have time later. */
const refusal = (code: string, reason: string): Error =>
  code === 'MASTER_CLOSING' || code === 'NO_HELLO' ? new ConnectionLostError(reason) : new RefusedError(reason)

class Session {
  readonly #areas: readonly AreaOffer[]
  readonly #own: OwnKey | undefined
  readonly #ports: SessionPorts
  #encoding: Encoding = 'raw'
  #isWelcome = false
  #isLeaving = false
  #hasProved = false
  readonly #scenes: SessionScenes
  readonly #stopListening: () => void
  /** The newest works, newest last. */
  readonly #works = new Map<number, Work>()
  /** Leases that are not answered yet. */
  readonly #leases = new Map<number, OpenLease>()

  constructor({ areas, own }: WorkerIdentity, ports: SessionPorts) {
    this.#areas = areas
    this.#own = own
    this.#ports = ports
    this.#scenes = new SessionScenes(ports.channel, ports.scenes, ports.platform.startHash)
    this.#stopListening = ports.states?.onChange((area, reason) => this.#say(area, reason)) ?? (() => {})
  }

  obey(order: Exclude<ToWorker, { type: 'goodbye' }>): void {
    switch (order.type) {
      case 'challenge':
        return void this.#prove(order.nonce)
      case 'welcome':
        this.#encoding = order.encoding
        this.#isWelcome = true
        for (const [area, reason] of this.#ports.states?.down ?? []) this.#say(area, reason)
        return this.#ports.joined()
      case 'use-scene':
        return this.#scenes.use(order)
      case 'release-scene':
        return this.#scenes.release(order.scene)
      case 'trace-tile':
        // It was on its way when this worker said that it leaves.
        if (this.#isLeaving) return
        this.#checkRoom(order)
        return void this.#trace(order)
      case 'trim-tile':
        return this.#leases.get(order.lease)?.lease.trim(order.rows)
      case 'cancel-tile':
        return this.#cancel(order.lease)
      case 'pong':
        return
      case 'leave':
        return this.#ports.askedToLeave?.(order.reason)
      case 'cancel-work':
        this.#works.delete(order.work)
        for (const [number, { work }] of [...this.#leases]) if (work === order.work) this.#cancel(number)
        return
      default:
        assertNever(order)
    }
  }

  takeChunk(message: BinaryMessage): void {
    if (message.kind !== 'part-chunk') throw new ProtocolError(`a master sent ${message.kind}, expected part-chunk`)
    this.#scenes.take(message)
  }

  /**
   * Reports progress for every open lease of an area that advances: those queued behind the current tile wait for a reason. So do those that
   * wait for a scene, or for the CPU. A tile that was not there at the last call has not taken long yet and needs no report.
   */
  showSigns(): void {
    const open = [...this.#leases]
    const { channel, pools } = this.#ports
    const advancing = new Set(open.filter(([, { lease }]) => lease.advanced()).map(([, { area }]) => area))
    const isExcused = this.#scenes.excused()
    for (const [number, { area, scene, lease }] of open) {
      const waitsForCpu = pools[area]!.waitsForCpu === true && advancing.has(0)
      if (!advancing.has(area) && !waitsForCpu && !isExcused(scene)) continue
      const { rows } = lease
      channel.send({ type: 'tile-progress', lease: number, ...(rows > 0 ? { rows } : {}) })
    }
  }

  /** Gives back what will not be done soon. The master says goodbye once it has the rest. */
  leave(reason: string): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    const keeps = [...this.#leases].flatMap(([number, { lease }]) => {
      const rows = lease.leave()
      return rows === undefined ? [] : [{ lease: number, rows }]
    })
    this.#ports.channel.send({ type: 'leaving', reason: shortened(reason, MAX_QUOTED), keeps })
  }

  end(): void {
    for (const number of [...this.#leases.keys()]) this.#cancel(number)
    this.#scenes.end()
    this.#stopListening()
  }

  /** Tells the master that an area was withdrawn, or is back. */
  #say(area: number, reason: string | undefined): void {
    if (!this.#isWelcome) return
    this.#ports.channel.send({
      type: 'area-state',
      area,
      ...(reason === undefined ? {} : { reason: shortened(reason, MAX_QUOTED) }),
    })
  }

  /** Signs once for a connection, before it is welcome. @throws ProtocolError */
  #prove(nonce: string): void {
    if (!this.#own || this.#isWelcome || this.#hasProved)
      throw new ProtocolError('a challenge, expected one after a hello with an identity, and no other')
    this.#hasProved = true
    void Promise.resolve(this.#own.sign(nonce)).then(
      signature => this.#ports.channel.send({ type: 'proof', signature }),
      // Without its proof it is not welcome.
      error => this.#ports.channel.close(CLOSE_CODES.leaving, messageOf(error)),
    )
  }

  #cancel(number: number): void {
    this.#leases.get(number)?.lease.cancel()
    this.#leases.delete(number)
  }

  /** @throws ProtocolError */
  #checkRoom({ lease }: TraceTile): void {
    if (this.#leases.has(lease)) throw new ProtocolError(`lease ${lease} was ordered twice`)
    if (this.#leases.size >= MAX_OPEN_LEASES)
      throw new ProtocolError(`lease ${lease}: expected at most ${MAX_OPEN_LEASES} at a time, got one more`)
  }

  async #trace(order: TraceTile): Promise<void> {
    const { channel, clock, platform } = this.#ports
    const { area = 0, work } = order
    let lease: Lease | undefined
    try {
      const { scene, view } = this.#workOf(order)
      const pool = this.#ports.pools[area]
      if (!pool) throw new ProtocolError(`this worker has no area ${area + 1}`)
      const tracing = this.#tracing(pool, scene)
      if (!contains(frameRect(view.size), order.rect))
        throw new ProtocolError(`tile ${formatRect(order.rect)} lies outside frame ${view.size.join('x')}`)
      checkSize(order, view)
      lease = new Lease(
        order,
        { scene, view },
        {
          trace: tracing,
          threads: this.#areas[area]!.threads,
          clock,
          platform,
          encoding: this.#encoding,
          send: answer => void channel.sendBinary(answer),
        },
      )
      this.#leases.set(order.lease, { lease, area, work, scene })
      await lease.answer()
    } catch (error) {
      const cancelled = lease && this.#leases.get(order.lease)?.lease !== lease
      if (!cancelled)
        channel.send({ type: 'tile-failed', lease: order.lease, reason: shortened(messageOf(error), MAX_REASON) })
    } finally {
      if (this.#leases.get(order.lease)?.lease === lease) this.#leases.delete(order.lease)
    }
  }

  /** Traces a tile, as soon as its scene is built. @throws ProtocolError */
  #tracing(pool: TilePool, scene: string): TraceTiles {
    const awaited = this.#scenes.awaited(scene)
    if (!awaited) return (order, progress) => pool.trace(order, progress)
    return async (order, progress) => {
      await awaited
      return progress.isVoid ? undefined : pool.trace(order, progress)
    }
  }

  /** Scene and view of an order's work, from the order itself or from an earlier one. */
  #workOf({ work, view }: TraceTile): Work {
    const held = view ?? this.#works.get(work)
    if (!held) throw new ProtocolError(`work ${work} is not known here`)
    if (view) {
      this.#works.delete(work)
      this.#works.set(work, view)
      keepNewest(this.#works, WORKS_HELD)
    }
    return held
  }
}

/** What an order asks for is bounded before anything is allocated. @throws ProtocolError */
function checkSize({ rect, pattern, channels = ['rgb'], samples }: TraceTile, { quality }: View): void {
  const bytes = pixelCount({ rect, ...(pattern ? { pattern } : {}) }) * bytesPerPixelOf(channels)
  if (bytes > MAX_PLANES_BYTES)
    throw new ProtocolError(
      `tile ${formatRect(rect)}: expected at most ${MAX_PLANES_BYTES} bytes of pixels, got ${bytes}`,
    )
  if (samples && !(samples.from < samples.to && samples.to <= quality.samples))
    throw new ProtocolError(`tile ${formatRect(rect)}: samples ${samples.from} to ${samples.to} of ${quality.samples}`)
}

interface OpenLease {
  readonly lease: Lease
  readonly area: number
  readonly work: number
  readonly scene: string
}
