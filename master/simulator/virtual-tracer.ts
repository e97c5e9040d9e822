/**
 * A simulated worker: processes its orders in turn and traces each from its top row to its last, a batch of rows at a
 * time. It is told when messages arrive and when its own wake-up time has come; its answers are collected by the caller.
 */
import { invariant } from '../../shared/errors.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { LeaseId } from '../../shared/ids.ts'
import type { TileTimes } from '../../shared/protocol/codec.ts'
import type { SentCosts } from './sent-costs.ts'

export interface VirtualOrder {
  readonly lease: LeaseId
  readonly tile: PixelSet
  /** To a rack: what the tile's cells are predicted to cost. */
  readonly costs?: SentCosts
  /** The first `part` rows are to be returned as soon as they are done. */
  readonly part?: number
}

/** Finished rows: `tile` is the part of the order that was traced. */
export interface VirtualAnswer {
  readonly lease: LeaseId
  readonly tile: PixelSet
  readonly times: TileTimes
}

/** The time that a worker takes to trace a tile. */
export interface TileWork {
  /** CPU time of the whole tile, ms. */
  readonly cpuMs: number
  /** Cumulative CPU time of the rows above each row, ms: one entry more than there are rows. Requested only where rows matter. */
  above(): Float64Array
  /** How many of the `rest` remaining rows are started together. */
  batchRows(rest: number): number
}

interface Running extends VirtualOrder {
  readonly work: TileWork
  readonly waitMs: number
  /** When its first row was started. */
  readonly startedAt: number
  /** Rows that are still wanted. */
  rows: number
  /** Rows already returned. */
  sent: number
}

interface Waiting {
  order: VirtualOrder
  readonly receivedAt: number
}

export class VirtualTracer {
  readonly #wallPerCpu: number
  readonly #handOverMs: number
  readonly #workOf: (order: VirtualOrder) => TileWork
  readonly #waiting: Waiting[] = []
  #running: Running | undefined
  /** End of the pause between two tiles. */
  #freeAt = 0

  constructor(wallPerCpu: number, handOverMs: number, workOf: (order: VirtualOrder) => TileWork) {
    this.#wallPerCpu = wallPerCpu
    this.#handOverMs = handOverMs
    this.#workOf = workOf
  }

  /** When its next answer is ready if nothing arrives before; undefined: never. */
  get wakeAt(): number | undefined {
    const running = this.#running
    return running && this.#doneAt(running, this.#nextStop(running))
  }

  /** The lease that it is tracing. */
  get lease(): LeaseId | undefined {
    return this.#running?.lease
  }

  order(order: VirtualOrder, now: number): void {
    this.#waiting.push({ order, receivedAt: now })
    this.#beginNext(now)
  }

  /** Only the first `rows` rows of a lease are still wanted; rows already started are finished. */
  trim(lease: LeaseId, rows: number, now: number): void {
    const running = this.#running
    if (running?.lease === lease) {
      const begun = Math.max(running.sent + 1, this.#begunRows(running, now))
      running.rows = Math.min(running.rows, Math.max(rows, begun))
      return
    }
    const waiting = this.#waiting.find(({ order }) => order.lease === lease)
    if (!waiting) return
    const { tile } = waiting.order
    waiting.order = { ...waiting.order, tile: { ...tile, rect: { ...tile.rect, h: Math.min(tile.rect.h, rows) } } }
  }

  cancel(lease: LeaseId, now: number): void {
    const index = this.#waiting.findIndex(({ order }) => order.lease === lease)
    if (index >= 0) this.#waiting.splice(index, 1)
    if (this.#running?.lease !== lease) return
    this.#freeAt = now
    this.#running = undefined
    this.#beginNext(now)
  }

  /** Called when its wake-up time has come; returns its answer. */
  wake(now: number): VirtualAnswer {
    const running = this.#running
    invariant(running, 'an idle worker sends no messages')
    const to = this.#nextStop(running)
    const from = running.sent
    const { lease, tile, waitMs } = running
    const more = to < running.rows
    const times: TileTimes = {
      waitMs: from === 0 ? waitMs : 0,
      wallMs: now - (from === 0 ? running.startedAt : this.#doneAt(running, from)),
      cpuMs: this.#cpuMs(running, to) - this.#cpuMs(running, from),
      encodeMs: 0,
      ...(more ? { more } : {}),
    }
    running.sent = to
    if (!more) {
      this.#running = undefined
      this.#freeAt = now
      this.#beginNext(now)
    }
    return { lease, tile: { ...tile, rect: { ...tile.rect, y: tile.rect.y + from, h: to - from } }, times }
  }

  #beginNext(now: number): void {
    if (this.#running) return
    const next = this.#waiting.shift()
    if (!next) return
    const { order, receivedAt } = next
    const startedAt = Math.max(now, this.#freeAt) + this.#handOverMs
    this.#running = {
      ...order,
      work: this.#workOf(order),
      waitMs: startedAt - receivedAt,
      startedAt,
      rows: order.tile.rect.h,
      sent: 0,
    }
  }

  /** The row before which it returns its next answer. */
  #nextStop({ part, rows, sent }: Running): number {
    return part !== undefined && sent < part && part < rows ? part : rows
  }

  #doneAt(running: Running, row: number): number {
    return running.startedAt + this.#cpuMs(running, row) * this.#wallPerCpu
  }

  #cpuMs({ work, tile }: Running, row: number): number {
    if (row === 0) return 0
    return row === tile.rect.h ? work.cpuMs : work.above()[row]!
  }

  /** Rows that are finished or in progress. */
  #begunRows(running: Running, now: number): number {
    const { work, tile, startedAt, part, sent } = running
    const above = work.above()
    const cpuMs = (now - startedAt) / this.#wallPerCpu
    // Batches start at the top, and again after a part.
    const top = part !== undefined && sent >= part ? part : 0
    const bottom = part !== undefined && sent < part ? part : tile.rect.h
    let row = top
    while (row < bottom && above[row]! <= cpuMs) row = Math.min(row + work.batchRows(bottom - row), bottom)
    return row
  }
}
