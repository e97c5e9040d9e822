/**
 * The orders sent to one worker and not yet answered. An answer is checked against its order before any of it is decoded:
 * its lease, its rows, its number of bytes. Leases are renumbered on every connection and numbers are never reused, so a
 * late answer cannot be mistaken for that of another lease.
 */

import { invariant } from '../../shared/errors.ts'
import { bytesPerPixelOf, type ChannelName } from '../../shared/frame/channels.ts'
import { type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { formatRect, area as pixelsOf, type Rect } from '../../shared/frame/rect.ts'
import type { SampleRange, View } from '../../shared/frame/view.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import { keepNewest } from '../../shared/keep-newest.ts'
import type { TileCells } from '../../shared/protocol/cell-costs.ts'
import type { TileDone, TileTimes } from '../../shared/protocol/codec.ts'
import type { TraceTile } from '../../shared/protocol/messages.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import { MAX_PLANES_BYTES, WORKS_HELD } from '../../shared/protocol/version.ts'

/** A tile, or rows of one, as received: exactly what was ordered. */
export interface ArrivedTile {
  readonly lease: LeaseId
  readonly work: number
  readonly rect: Rect
  readonly channels: readonly ChannelName[]
  /** The values of its channels, unpacked: channel after channel, row by row, little-endian, aligned. They belong to the frame that accepts them. */
  readonly pixels: Uint8Array
  /** Nothing more is read from its worker until this settles: pixels that are not in place yet take memory. */
  hold(until: Promise<unknown>): void
  readonly times: TileTimes
  /** If requested: ms of CPU time per cell, and depths. */
  readonly cells?: TileCells
}

/** A frame, a check or a warm-up that ordered a lease: it hears of the answers, and nothing else does. */
export interface LeaseHolder {
  tileDone(area: AreaId, tile: ArrivedTile): void
  tileFailed(area: AreaId, lease: LeaseId, reason: string): void
  /** An answer has come, and cannot be used, for which its worker is not to blame. */
  tileLost(area: AreaId, lease: LeaseId, error: unknown): void
  /** @param rows of the tile that are done, from the top */
  tileProgress(area: AreaId, lease: LeaseId, rows: number): void
}

/** The pixels to trace, and their frame. */
export interface TileRequest extends PixelSet {
  /** Unique for the master's lifetime. */
  readonly lease: LeaseId
  /** The frame in progress, or the moment of one, unique for the master's lifetime: all its tiles have one scene and one view. */
  readonly work: number
  readonly scene: string
  readonly view: View
  /** In the order of their table. @default rgb */
  readonly channels?: readonly ChannelName[]
  /** @default all samples of the view */
  readonly samples?: SampleRange
  /** Side of the cells for which costs are wanted, px. Absent: none. */
  readonly cell?: number
  /** Number of rows to return as soon as they are done. */
  readonly part?: number
  /** Tiles that are not urgent give way to it at once. */
  readonly urgent?: true
}

/** A lease that is not yet fully answered. */
export interface OpenLease {
  readonly number: number
  readonly area: number
  readonly request: TileRequest
  readonly holder: LeaseHolder
  /** When it was ordered, or its last answer came, ms on the master's clock. */
  since: number
}

interface Entry extends OpenLease {
  /** The first row of its next answer, px. */
  y: number
}

export class OpenLeases {
  readonly #open = new Map<number, Entry>()
  readonly #numbers = new Map<LeaseId, number>()
  /** Works whose views the worker holds, newest last. */
  readonly #works = new Set<number>()
  #issued = 0
  #late = 0
  #mostBytes = 0

  /** Answers that were no longer awaited when they arrived. */
  get late(): number {
    return this.#late
  }

  /** The most bytes of pixels that any lease, answered or not, may have: a late answer may still come. */
  get mostBytes(): number {
    return this.#mostBytes
  }

  /** The message that orders a tile from an area; it includes the view if the worker does not hold it. */
  order(area: number, request: TileRequest, holder: LeaseHolder, now = 0): TraceTile {
    const { lease, work, scene, view, channels, ...rest } = request
    invariant(!this.#numbers.has(lease), `lease ${lease} was ordered twice`)
    const number = this.#issued++
    this.#open.set(number, { number, area, request, holder, since: now, y: request.rect.y })
    this.#numbers.set(lease, number)
    const bytes = Math.min(pixelsOf(request.rect) * bytesPerPixelOf(channels ?? ['rgb']), MAX_PLANES_BYTES)
    this.#mostBytes = Math.max(this.#mostBytes, bytes)
    return {
      type: 'trace-tile',
      lease: number,
      work,
      ...(this.#introduces(work) ? { view: { scene, view } } : {}),
      ...(area === 0 ? {} : { area }),
      ...(channels === undefined || channels.join() === 'rgb' ? {} : { channels: [...channels] }),
      ...rest,
    }
  }

  /** The number of an open lease on the wire. */
  numberOf(lease: LeaseId): number | undefined {
    return this.#numbers.get(lease)
  }

  find(number: number): OpenLease | undefined {
    return this.#open.get(number)
  }

  /**
   * The lease that an answer is for; undefined if it is no longer awaited. The last answer closes the lease.
   * @throws ProtocolError if it does not match the order
   */
  answered({ lease: number, rect, rawBytes, times, cells }: TileDone): OpenLease | undefined {
    const entry = this.#open.get(number)
    if (!entry) {
      this.#late++
      return undefined
    }
    const { request } = entry
    if (!continues(request.rect, entry.y, rect))
      throw new ProtocolError(
        `tile ${formatRect(request.rect)}: expected its rows from ${entry.y}, got ${formatRect(rect)}`,
      )
    const bytes = pixelCount({ ...request, rect }) * bytesPerPixelOf(request.channels ?? ['rgb'])
    if (rawBytes !== bytes)
      throw new ProtocolError(`tile ${formatRect(rect)}: expected ${bytes} bytes of pixels, got ${rawBytes}`)
    if (cells && request.cell === undefined)
      throw new ProtocolError(`tile ${formatRect(rect)}: got cell costs that were not requested`)
    entry.y += rect.h
    if (times.more && entry.y === request.rect.y + request.rect.h)
      throw new ProtocolError(`tile ${formatRect(rect)}: expected no more rows after its last, got word of some`)
    if (!times.more) this.close(number)
    return entry
  }

  close(number: number): void {
    const entry = this.#open.get(number)
    if (!entry) return
    this.#open.delete(number)
    this.#numbers.delete(entry.request.lease)
  }

  /** The open leases of one of the worker's areas, each with the row that it ends above, px of the frame. */
  heldBy(area: number): ReadonlyMap<LeaseId, number> {
    const held = [...this.#open.values()].filter(entry => entry.area === area)
    return new Map(held.map(({ request: { lease, rect } }) => [lease, rect.y + rect.h]))
  }

  /** Whether no answer is awaited. */
  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  /**
   * Closes all leases but these, of which so many rows from the top are still to come. Returns the first row of each that is not, px of the
   * frame.
   */
  keepOnly(keeps: readonly { readonly lease: number; readonly rows: number }[]): ReadonlyMap<LeaseId, number> {
    const kept = new Map<LeaseId, number>()
    for (const { lease: number, rows } of keeps) {
      const request = this.#open.get(number)?.request
      if (request) kept.set(request.lease, request.rect.y + Math.min(rows, request.rect.h))
    }
    for (const { number, request } of [...this.#open.values()]) if (!kept.has(request.lease)) this.close(number)
    return kept
  }

  /** Closes all leases of a work and forgets its view; false if the worker does not know it. */
  closeWork(work: number): boolean {
    for (const { number, request } of [...this.#open.values()]) if (request.work === work) this.close(number)
    return this.#works.delete(work)
  }

  /** Whether the worker does not know a work, or has forgotten it; marks it as known. */
  #introduces(work: number): boolean {
    if (this.#works.has(work)) return false
    this.#works.add(work)
    keepNewest(this.#works, WORKS_HELD)
    return true
  }
}

/** Whether `part` consists of full rows of `rect` from row `y` on. */
const continues = (rect: Rect, y: number, part: Rect): boolean =>
  part.x === rect.x && part.w === rect.w && part.y === y && part.y + part.h <= rect.y + rect.h
