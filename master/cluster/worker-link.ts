/**
 * One worker as the master sees it: its connection, its areas, its scenes, what it sends. Every message is validated
 * here; a worker that sends invalid ones is dropped, and its tiles are reassigned.
 */

import { assertNever } from '../../shared/errors.ts'
import { bytesPerPixelOf, type ChannelName } from '../../shared/frame/channels.ts'
import { MAX_AREA_NAME, type WorkerInfo } from '../../shared/frame/frame-report.ts'
import { type AreaId, areaId, type LeaseId } from '../../shared/ids.ts'
import { type Channel, CLOSE_CODES } from '../../shared/protocol/channel.ts'
import type { BinaryMessage } from '../../shared/protocol/codec.ts'
import type { EncodedTile } from '../../shared/protocol/encoded-tile.ts'
import { type Encoding, type FromWorker, parseFromWorker, type WorkerHello } from '../../shared/protocol/messages.ts'
import { unpackCells } from '../../shared/protocol/node/cell-packing.ts'
import { decodeTile } from '../../shared/protocol/node/pixel-encoding.ts'
import { TILE_EXTRA } from '../../shared/protocol/peer-limits.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { shortened } from '../../shared/text/printable.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { BoundedTimes } from './bounded-times.ts'
import type { WorkerIdentity } from './identities.ts'
import { type ArrivedTile, type LeaseHolder, OpenLeases, type TileRequest } from './open-leases.ts'
import { SceneDelivery } from './scene-delivery.ts'

type UnpackedLater = Omit<ArrivedTile, 'pixels' | 'hold'>

/** Unpacks the channels of a tile of so many pixels; the message's memory is handed over. Throws, or rejects with, ProtocolError. */
export type UnpackTile = (
  encoding: Encoding,
  channels: readonly ChannelName[],
  pixels: number,
  tile: EncodedTile,
) => Uint8Array | Promise<Uint8Array>

export interface LinkPorts {
  readonly clock: Clock
  /** @default at once */
  readonly unpack?: UnpackTile | undefined
  /** Whether it is in a tab of a browser. @default false */
  readonly isTab?: boolean
}

/** Events that a link reports to its cluster. `left` is reported once, and nothing after it. */
export interface LinkListener {
  /** The worker has built a scene; `buildMs` is absent if it already had it when it connected. */
  ready(link: WorkerLink, scene: string, buildMs?: number): void
  refused(link: WorkerLink, scene: string, reason: string): void
  /** Its holder has heard of it. */
  tileFailed(area: Area, reason: string): void
  /** It takes nothing more, and sends only these rows: of each lease those above one, px of the frame. */
  leaving(link: WorkerLink, reason: string, keeps: ReadonlyMap<LeaseId, number>): void
  /** The worker has withdrawn an area, for a reason, or has it back. */
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
  /** Scenes that it has traced since they were built, or traces a first picture of. */
  readonly warmth: Map<string, 'warming' | 'warm'>
  /** What it says of its times, as far as the master's clock allows. */
  readonly times: BoundedTimes
}

export class WorkerLink {
  readonly name: string
  /** Whether it is in a tab of a browser: it may be anybody's, who was given a link. */
  readonly isTab: boolean
  readonly identity: WorkerIdentity
  readonly areas: readonly Area[]
  readonly channel: Channel
  readonly #listener: LinkListener
  readonly scenes: SceneDelivery
  readonly #leases = new OpenLeases()
  #leaving: string | undefined
  #finishes = 0
  /** Answers that are being unpacked. */
  #unpacking = 0
  #isClosed = false
  readonly #clock: Clock
  readonly #unpack: UnpackTile

  /** @param id of the worker, and of its first area */
  constructor(
    id: string,
    identity: WorkerIdentity,
    { name, areas, holds }: WorkerHello,
    encoding: Encoding,
    channel: Channel,
    { clock, unpack = decodeTile, isTab = false }: LinkPorts,
    listener: LinkListener,
  ) {
    this.name = name
    this.isTab = isTab
    this.identity = identity
    this.areas = areas.map((offer, index): Area => {
      const { engine, kernel, threads, cores, grain, clock, device } = offer
      const own = { id: areaId(ofArea(id, index)), name: ofArea(name, index, device), speed: offer.speed * threads }
      const info = {
        ...own,
        name: shortened(own.name, MAX_AREA_NAME),
        engine,
        threads,
        ...(cores === undefined ? {} : { cores }),
        grain,
        ...(clock === 'wall' ? { clock } : {}),
        ...(areas.length > 1 ? { workerId: id } : {}),
        ...(device === undefined ? {} : { device }),
      }
      const key = JSON.stringify([identity.key, index])
      return { id: own.id, key, info, kernel, link: this, index, warmth: new Map(), times: new BoundedTimes(threads) }
    })
    this.channel = channel
    this.#clock = clock
    this.#unpack = unpack
    this.#listener = listener
    this.scenes = new SceneDelivery(holds, channel, clock)
    channel.send({ type: 'welcome', id, encoding })
  }

  /** Whether it has said that it takes nothing more. */
  get isLeaving(): boolean {
    return this.#leaving !== undefined
  }

  /** Tiles that it finishes as far as it has begun, once it has said that it leaves. */
  get finishes(): number {
    return this.#finishes
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
        if (this.scenes.refused(said.scene, said.reason, said.code))
          this.#listener.refused(this, said.scene, said.reason)
        return
      case 'scene-dropped':
        for (const { warmth } of this.areas) warmth.delete(said.scene)
        return this.scenes.dropped(said.scene)
      case 'tile-failed': {
        const lease = this.#leases.find(said.lease)
        if (!lease) return
        this.#leases.close(said.lease)
        const area = this.areas[lease.area]!
        this.#listener.tileFailed(area, said.reason)
        return lease.holder.tileFailed(area.id, lease.request.lease, said.reason)
      }
      case 'leaving': {
        if (this.isLeaving) throw new ProtocolError('a worker said twice that it leaves')
        this.#leaving = said.reason
        const keeps = this.#leases.keepOnly(said.keeps)
        this.#finishes = keeps.size
        return this.#listener.leaving(this, said.reason, keeps)
      }
      case 'ping':
        return this.channel.send({ type: 'pong' })
      case 'area-state': {
        const area = this.areas[said.area]
        if (!area) throw new ProtocolError(`area ${said.area + 1} of ${this.areas.length} has another state`)
        return this.#listener.areaState(area, said.reason)
      }
      case 'tile-progress': {
        const lease = this.#leases.find(said.lease)
        if (!lease) return
        const { area, holder, request } = lease
        return holder.tileProgress(this.areas[area]!.id, request.lease, Math.min(said.rows ?? 0, request.rect.h))
      }
      default:
        assertNever(said)
    }
  }

  /** Handles pixels from this worker; no more of its messages until that settles. Throws, or rejects with, ProtocolError. */
  binary(message: BinaryMessage): Promise<void> | undefined {
    if (message.kind !== 'tile-done') throw new ProtocolError(`a worker sent ${message.kind}, expected tile-done`)
    const open = this.#leases.answered(message)
    if (!open) return undefined
    const { lease, work, channels = ['rgb'], cell } = open.request
    const { rect, rawBytes } = message
    const area = this.areas[open.area]!
    const now = this.#clock.now()
    const begunAt = this.channel.messageBegan ?? now
    const times = area.times.of(message.times, { since: open.since, begunAt, arrivedAt: now })
    open.since = now
    const cells = message.cells && cell ? unpackCells(message.cells, rect, cell, times.cpuMs) : undefined
    const tile = { lease, work, rect, channels, times, ...(cells ? { cells } : {}) }
    const { holder } = open
    const pixels = this.#unpack(message.encoding, channels, rawBytes / bytesPerPixelOf(channels), message)
    return pixels instanceof Uint8Array
      ? this.#done(area, holder, tile, pixels)
      : this.#doneLater(area, holder, tile, pixels)
  }

  async #doneLater(area: Area, holder: LeaseHolder, tile: UnpackedLater, unpacked: Promise<Uint8Array>): Promise<void> {
    this.#unpacking++
    let pixels: Uint8Array
    try {
      pixels = await unpacked
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      return holder.tileLost(area.id, tile.lease, error)
    } finally {
      this.#unpacking--
    }
    if (!this.#isClosed) await this.#done(area, holder, tile, pixels)
  }

  #done(area: Area, holder: LeaseHolder, tile: UnpackedLater, pixels: Uint8Array): Promise<void> | undefined {
    const holds: Promise<unknown>[] = []
    holder.tileDone(area.id, { ...tile, pixels, hold: until => holds.push(until) })
    this.#partWhenDone()
    return holds.length > 0 ? Promise.all(holds).then(() => {}) : undefined
  }

  /** @param isRefused whether it sent what no peer may */
  closed(reason: string, isRefused = false): void {
    this.#isClosed = true
    this.scenes.end()
    const failure = isRefused
      ? `it sent what no worker may send, most recently: ${reason}`
      : // A worker that says that it leaves has given its tiles back.
        !this.isLeaving && !this.#leases.isEmpty
        ? `its connection ended while it traced, most recently: ${reason}`
        : undefined
    this.#listener.left(this, reason, failure)
  }

  /** Has the worker prepare a scene. @param passing whether it drops it after use */
  provide(scene: NamedScene, passing: boolean): void {
    if (this.scenes.use(scene, passing)) this.#listener.ready(this, scene.hash)
  }

  /** Has one of its areas trace a tile; `holder` hears of the answers. */
  trace(area: number, request: TileRequest, holder: LeaseHolder): void {
    // A frame that begins just now hears that it is lost.
    if (this.isLeaving) return
    this.channel.send(this.#leases.order(area, request, holder, this.#clock.now()))
  }

  /** The open leases of one of its areas, each with the row that it ends above, px of the frame. */
  heldBy(area: Area): ReadonlyMap<LeaseId, number> {
    return this.#leases.heldBy(area.index)
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

  /** Asks it to leave, unless it does. */
  dismiss(reason: string): void {
    if (this.isLeaving) return
    this.channel.send({ type: 'leave', reason })
  }

  /** A worker that leaves is let go when all that it keeps is here. */
  #partWhenDone(): void {
    if (this.#leaving === undefined || !this.#leases.isEmpty || this.#unpacking > 0) return
    const reason = this.#leaving || 'it left'
    this.channel.send({ type: 'goodbye', code: 'DONE', reason })
    this.channel.close(CLOSE_CODES.done, reason)
  }
}

/** `w3` and `anna` for the first area of a worker, `w3.2` and `anna.2`, or `anna.simulated:4`, for its second. */
const ofArea = (worker: string, index: number, device = `${index + 1}`): string =>
  index === 0 ? worker : `${worker}.${device}`
