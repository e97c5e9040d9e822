/**
 * One worker as the master sees it: its connection, the scene it holds, what it sends. Everything it says is validated
 * here; a worker that talks nonsense is dropped, and its tiles are traced by others.
 */
import { assertNever, messageOf } from '../../shared/errors.ts'
import type { WorkerInfo } from '../../shared/frame-report.ts'
import { type AreaId, type LeaseId, leaseId } from '../../shared/ids.ts'
import type { TileCells } from '../../shared/protocol/cell-costs.ts'
import { type Channel, CLOSE_CODES } from '../../shared/protocol/channel.ts'
import type { BinaryMessage, TileTimes } from '../../shared/protocol/codec.ts'
import {
  type Encoding,
  ProtocolError,
  parseFromWorker,
  type TraceTile,
  type WorkerHello,
} from '../../shared/protocol/messages.ts'
import { unpackCells } from '../../shared/protocol/node/cell-packing.ts'
import { decodePixels } from '../../shared/protocol/node/pixel-encoding.ts'
import { type HeldScene, sendScene } from '../../shared/protocol/scene-transfer.ts'
import { contains, type Rect } from '../../shared/rect.ts'

/** A tile, or rows of one, as it came off the wire, its pixels unpacked (RGB8, row by row). */
export interface ArrivedTile {
  readonly lease: LeaseId
  readonly frame: number
  readonly rect: Rect
  readonly pixels: Uint8Array
  readonly times: TileTimes
  /** Where they were asked for: ms of CPU time per cell, depths. */
  readonly cells?: TileCells
}

/** What a link tells its cluster. `left` comes once, and nothing after it. */
export interface LinkListener {
  ready(link: WorkerLink, buildMs: number): void
  refused(link: WorkerLink, reason: string): void
  tileDone(link: WorkerLink, tile: ArrivedTile): void
  tileFailed(link: WorkerLink, lease: LeaseId, reason: string): void
  left(link: WorkerLink, reason: string): void
}

/** What the costs of a lease's cells must be about. */
interface Costed {
  readonly rect: Rect
  /** Side of a cell, px. */
  readonly cell: number
}

export class WorkerLink {
  readonly id: AreaId
  readonly info: WorkerInfo
  readonly channel: Channel
  readonly #listener: LinkListener
  /** The scene it was last told to use, and what it said to that. */
  #scene: { readonly hash: string; readonly state: 'sent' | 'ready' | 'refused' } | undefined
  /** Open leases whose cells' costs were asked for. */
  readonly #costed = new Map<LeaseId, Costed>()

  constructor(id: AreaId, hello: WorkerHello, encoding: Encoding, channel: Channel, listener: LinkListener) {
    this.id = id
    const { name, engine, threads, cores } = hello
    const speed = hello.speed * threads
    this.info = { id, name, engine, threads, speed, ...(cores === undefined ? {} : { cores }) }
    this.channel = channel
    this.#listener = listener
    channel.send({ type: 'welcome', id, encoding })
  }

  /** Hears a message of this worker. */
  control(message: unknown): void {
    const said = parseFromWorker(message)
    switch (said.type) {
      case 'scene-ready':
        if (said.scene !== this.#scene?.hash) return
        this.#scene = { hash: said.scene, state: 'ready' }
        return this.#listener.ready(this, said.buildMs)
      case 'scene-failed':
        if (said.scene === this.#scene?.hash) this.#scene = { hash: said.scene, state: 'refused' }
        return this.#listener.refused(this, said.reason)
      case 'tile-failed':
        this.#costed.delete(leaseId(said.lease))
        return this.#listener.tileFailed(this, leaseId(said.lease), said.reason)
      default:
        assertNever(said)
    }
  }

  /** Hears pixels of this worker. @throws ProtocolError */
  binary(message: BinaryMessage): void {
    if (message.kind !== 'tile-done') throw new ProtocolError(`a worker sent ${message.kind}, expected tile-done`)
    const { frame, rect, times, body } = message
    const pixelBytes = body.length - (times.cellBytes ?? 0)
    const pixels = decodePixels(message.encoding, body.subarray(0, pixelBytes), message.rawBytes)
    const lease = leaseId(message.lease)
    const costed = this.#costed.get(lease)
    if (!times.more) this.#costed.delete(lease)
    // How many cells there may be follows from the rectangle: one that was not asked for is not believed.
    const cells =
      times.cellBytes && costed && contains(costed.rect, rect)
        ? unpackCells(body.subarray(pixelBytes), rect, costed.cell, times.cpuMs)
        : undefined
    this.#listener.tileDone(this, { lease, frame, rect, times, pixels, ...(cells ? { cells } : {}) })
  }

  closed(reason: string): void {
    this.#listener.left(this, reason)
  }

  holds(sceneHash: string): boolean {
    return this.#scene?.state === 'ready' && this.#scene.hash === sceneHash
  }

  /** Whether it said that it cannot use the scene it was given. */
  get refusing(): boolean {
    return this.#scene?.state === 'refused'
  }

  /** Sends a scene unless the worker has it or is getting it. */
  provide(scene: HeldScene): void {
    if (this.#scene?.hash === scene.hash) return
    this.#scene = { hash: scene.hash, state: 'sent' }
    this.channel.send({ type: 'use-scene', scene: scene.hash, bytes: scene.bytes.length })
    const stillWanted = () => this.#scene?.hash === scene.hash
    sendScene(this.channel, scene, stillWanted).catch(error =>
      this.channel.close(CLOSE_CODES.leaving, messageOf(error)),
    )
  }

  trace(order: Omit<TraceTile, 'type'>): void {
    const { lease, rect, cell } = order
    if (cell) this.#costed.set(leaseId(lease), { rect, cell })
    this.channel.send({ type: 'trace-tile', ...order })
  }

  /** Of this lease only the first `rows` rows are wanted any more. */
  trim(lease: LeaseId, rows: number): void {
    this.channel.send({ type: 'trim-tile', lease, rows })
  }

  cancel(lease: LeaseId): void {
    this.#costed.delete(lease)
    this.channel.send({ type: 'cancel-tile', lease })
  }
}
