/**
 * One worker as the master sees it: its connection, its areas, its scenes, what it sends. Every message is validated
 * here; a worker that sends invalid ones is dropped, and its tiles are reassigned.
 */
import { bytesPerPixelOf, type ChannelName } from '../../shared/channels.ts'
import type { Clock } from '../../shared/clock.ts'
import { assertNever } from '../../shared/errors.ts'
import type { WorkerInfo } from '../../shared/frame-report.ts'
import { type AreaId, areaId, type LeaseId } from '../../shared/ids.ts'
import type { TileCells } from '../../shared/protocol/cell-costs.ts'
import { type Channel, CLOSE_CODES } from '../../shared/protocol/channel.ts'
import type { BinaryMessage, TileTimes } from '../../shared/protocol/codec.ts'
import { type Encoding, type FromWorker, parseFromWorker, type WorkerHello } from '../../shared/protocol/messages.ts'
import { unpackCells } from '../../shared/protocol/node/cell-packing.ts'
import { decodeTile } from '../../shared/protocol/node/pixel-encoding.ts'
import { TILE_EXTRA } from '../../shared/protocol/peer-limits.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { Rect } from '../../shared/rect.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { BoundedTimes } from './bounded-times.ts'
import { OpenLeases, type TileRequest } from './open-leases.ts'
import { peerKey } from './peer-key.ts'
import { SceneDelivery } from './scene-delivery.ts'

/** A tile, or rows of one, as received: exactly what was ordered. */
export interface ArrivedTile {
  readonly lease: LeaseId
  readonly work: number
  readonly rect: Rect
  readonly channels: readonly ChannelName[]
  /** The values of its channels, unpacked: channel after channel, row by row, little-endian, aligned. */
  readonly pixels: Uint8Array
  readonly times: TileTimes
  /** If requested: ms of CPU time per cell, and depths. */
  readonly cells?: TileCells
}

/** Events that a link reports to its cluster. `left` is reported once, and nothing after it. */
export interface LinkListener {
  /** The worker has built a scene; `buildMs` is absent if it already had it when it connected. */
  ready(link: WorkerLink, scene: string, buildMs?: number): void
  refused(link: WorkerLink, reason: string): void
  tileDone(area: Area, tile: ArrivedTile): void
  tileFailed(area: Area, lease: LeaseId, reason: string): void
  tileProgress(area: Area, lease: LeaseId): void
  /** It takes nothing more, and sends only these rows: of each lease those above one, px of the frame. */
  leaving(link: WorkerLink, reason: string, keeps: ReadonlyMap<LeaseId, number>): void
  /** The worker has set an area aside, or has it back. */
  areaState(area: Area, reason: string | undefined): void
  /** @param failure what it is to blame for, if anything */
  left(link: WorkerLink, reason: string, failure: string | undefined): void
}

/** One device of a worker. */
export interface Area {
  readonly id: AreaId
  /** Who it is, over all its connections. */
  readonly key: string
  readonly info: WorkerInfo
  /** Fingerprint of its engine's arithmetic. */
  readonly kernel: string
  readonly link: WorkerLink
  /** Index among its worker's areas, from 0. */
  readonly index: number
  /** Scenes that it has traced since they were built. */
  readonly warm: Set<string>
  /** What it says of its times, as far as the master's clock allows. */
  readonly times: BoundedTimes
}

export class WorkerLink {
  readonly name: string
  /** Where it connects from. */
  readonly address: string
  readonly areas: readonly Area[]
  readonly channel: Channel
  readonly #listener: LinkListener
  readonly scenes: SceneDelivery
  readonly #leases = new OpenLeases()
  #leaving: string | undefined
  readonly #clock: Clock

  /** @param id of the worker, and of its first area */
  constructor(
    id: string,
    { name, areas, holds }: WorkerHello,
    encoding: Encoding,
    channel: Channel,
    clock: Clock,
    listener: LinkListener,
    address = '',
  ) {
    this.name = name
    this.address = address
    this.areas = areas.map((offer, index): Area => {
      const { engine, kernel, threads, cores, grain, device } = offer
      const own = { id: areaId(ofArea(id, index)), name: ofArea(name, index, device), speed: offer.speed * threads }
      const info = {
        ...{ ...own, engine, threads, ...(cores === undefined ? {} : { cores }), grain },
        ...(areas.length > 1 ? { workerId: id } : {}),
        ...(device === undefined ? {} : { device }),
      }
      const key = peerKey(address, own.name)
      return { id: own.id, key, info, kernel, link: this, index, warm: new Set(), times: new BoundedTimes(threads) }
    })
    this.channel = channel
    this.#clock = clock
    this.#listener = listener
    this.scenes = new SceneDelivery(holds, channel, clock)
    channel.send({ type: 'welcome', id, encoding })
  }

  /** Whether it has said that it takes nothing more. */
  get isLeaving(): boolean {
    return this.#leaving !== undefined
  }

  /** Answers that were no longer awaited when they arrived; none of them was decoded. */
  get lateAnswers(): number {
    return this.#leases.late
  }

  /** The longest message that it can have a reason to send, bytes. */
  get mostBytes(): number {
    return Math.ceil(this.#leases.mostBytes * TILE_EXTRA.ratio) + TILE_EXTRA.bytes
  }

  /** Handles a message from this worker. */
  control(message: unknown): void {
    this.#hear(parseFromWorker(message))
    this.#partWhenDone()
  }

  #hear(said: FromWorker): void {
    switch (said.type) {
      case 'parts-wanted':
        return this.scenes.partsWanted(said.scene, said.parts)
      case 'scene-ready':
        if (this.scenes.ready(said.scene, said.buildMs)) this.#listener.ready(this, said.scene, said.buildMs)
        return
      case 'scene-failed':
        if (this.scenes.refused(said.scene)) this.#listener.refused(this, said.reason)
        return
      case 'scene-dropped':
        for (const { warm } of this.areas) warm.delete(said.scene)
        return this.scenes.dropped(said.scene)
      case 'tile-failed': {
        const lease = this.#leases.find(said.lease)
        if (!lease) return
        this.#leases.close(said.lease)
        return this.#listener.tileFailed(this.areas[lease.area]!, lease.request.lease, said.reason)
      }
      case 'leaving':
        if (this.isLeaving) throw new ProtocolError('a worker said twice that it leaves')
        this.#leaving = said.reason
        return this.#listener.leaving(this, said.reason, this.#leases.keepOnly(said.keeps))
      case 'area-state': {
        const area = this.areas[said.area]
        if (!area) throw new ProtocolError(`area ${said.area + 1} of ${this.areas.length} has another state`)
        return this.#listener.areaState(area, said.reason)
      }
      case 'tile-progress': {
        const lease = this.#leases.find(said.lease)
        if (lease) this.#listener.tileProgress(this.areas[lease.area]!, lease.request.lease)
        return
      }
      default:
        assertNever(said)
    }
  }

  /** Handles pixels from this worker. @throws ProtocolError */
  binary(message: BinaryMessage): void {
    if (message.kind !== 'tile-done') throw new ProtocolError(`a worker sent ${message.kind}, expected tile-done`)
    const open = this.#leases.answered(message)
    if (!open) return
    const { lease, work, channels = ['rgb'], cell } = open.request
    const { rect, rawBytes } = message
    const area = this.areas[open.area]!
    const now = this.#clock.now()
    const begunAt = this.channel.messageBegan ?? now
    const times = area.times.of(message.times, { since: open.since, begunAt, arrivedAt: now })
    open.since = now
    const pixels = decodeTile(message.encoding, channels, rawBytes / bytesPerPixelOf(channels), message)
    const cells = message.cells && cell ? unpackCells(message.cells, rect, cell, times.cpuMs) : undefined
    const tile = { lease, work, rect, channels, pixels, times, ...(cells ? { cells } : {}) }
    this.#listener.tileDone(area, tile)
    this.#partWhenDone()
  }

  /** @param isRefused whether it sent what no peer may */
  closed(reason: string, isRefused = false): void {
    this.scenes.end()
    const failure = isRefused
      ? `it sent what no worker may send, most recently: ${reason}`
      : // Whoever says that it leaves has given its tiles back.
        !this.isLeaving && !this.#leases.isEmpty
        ? `its connection ended while it traced, most recently: ${reason}`
        : undefined
    this.#listener.left(this, reason, failure)
  }

  /** Has the worker prepare a scene. @param passing whether it drops it after use */
  provide(scene: NamedScene, passing: boolean): void {
    if (this.scenes.use(scene, passing)) this.#listener.ready(this, scene.hash)
  }

  /** Has one of its areas trace a tile. */
  trace(area: number, request: TileRequest): void {
    // A frame that begins just now hears that it is lost.
    if (this.isLeaving) return
    this.channel.send(this.#leases.order(area, request, this.#clock.now()))
  }

  /** Only the first `rows` rows of this lease are still wanted. */
  trim(lease: LeaseId, rows: number): void {
    const number = this.#leases.numberOf(lease)
    if (number !== undefined) this.channel.send({ type: 'trim-tile', lease: number, rows })
  }

  cancel(lease: LeaseId): void {
    const number = this.#leases.numberOf(lease)
    if (number === undefined) return
    this.#leases.close(number)
    this.channel.send({ type: 'cancel-tile', lease: number })
    this.#partWhenDone()
  }

  /** Gives up all tiles of a work; no more will follow. */
  cancelWork(work: number): void {
    if (this.#leases.closeWork(work)) this.channel.send({ type: 'cancel-work', work })
    this.#partWhenDone()
  }

  /** Asks it to leave. */
  dismiss(reason: string): void {
    this.channel.send({ type: 'leave', reason })
  }

  /** A worker that leaves is let go when all that it keeps is here. */
  #partWhenDone(): void {
    if (this.#leaving === undefined || !this.#leases.isEmpty) return
    const reason = this.#leaving || 'it left'
    this.channel.send({ type: 'goodbye', code: 'DONE', reason })
    this.channel.close(CLOSE_CODES.done, reason)
  }
}

/** `w3` and `anna` for the first area of a worker, `w3.2` and `anna.2`, or `anna.simulated:4`, for its second. */
const ofArea = (worker: string, index: number, device = `${index + 1}`): string =>
  index === 0 ? worker : `${worker}.${device}`
