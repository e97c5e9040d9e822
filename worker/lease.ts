/**
 * One lease of a worker: a tile, traced in one part or two, each of which is answered as soon as it is done. To the thread pool
 * a part is a separate tile, so the second is being traced while the first is packed and sent.
 *
 * Every lease that is not cancelled ends with exactly one answer without `more`, or one failure. If it is trimmed to the rows of
 * the first part or fewer, there is one answer, unless that is already on its way; then a second follows with at least one row.
 */
import { bytesPerPixelOf } from '../shared/frame/channels.ts'
import { splitRect } from '../shared/frame/rect.ts'
import type { View } from '../shared/frame/view.ts'
import type { TileDone } from '../shared/protocol/codec.ts'
import type { Encoding, TraceTile } from '../shared/protocol/messages.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { Platform } from './platform.ts'
import type { TileOrder, TracedTile } from './tile-order.ts'
import type { TraceTiles } from './tile-pool.ts'
import { TileProgress } from './tile-progress.ts'

export interface LeasePorts {
  readonly trace: TraceTiles
  /** How many threads trace its tiles. */
  readonly threads: number
  readonly clock: Clock
  readonly platform: Pick<Platform, 'encodeTile' | 'packCells'>
  readonly encoding: Encoding
  /** Sends an answer. */
  readonly send: (answer: TileDone) => void
}

/** What all tiles of a frame in progress have in common. */
export interface Work {
  readonly scene: string
  readonly view: View
}

interface Part {
  readonly order: TileOrder
  /** How many rows of the lease are above it. */
  readonly top: number
  readonly progress: TileProgress
  readonly traced: Promise<TracedTile | undefined>
  answered: boolean
}

export class Lease {
  readonly #number: number
  readonly #ports: LeasePorts
  readonly #parts: readonly Part[]
  #portions: number | undefined

  /** Queues its parts for tracing. */
  constructor(order: TraceTile, { scene, view }: Work, ports: LeasePorts) {
    this.#number = order.lease
    this.#ports = ports
    const { rect, pattern, part, samples, channels, cell, urgent } = order
    const asked = {
      ...(samples ? { samples } : {}),
      ...(channels ? { channels } : {}),
      ...(cell ? { cell } : {}),
      ...(urgent ? { urgent } : {}),
    }
    const rects = part !== undefined && part < rect.h ? splitRect(rect, 'y', part) : [rect]
    this.#parts = rects.map((rows): Part => {
      const tile = { rect: rows, ...(pattern ? { pattern } : {}) }
      const partOrder = { scene, view, tile, ...asked }
      const progress = TileProgress.of(rows.h, ports.threads)
      const traced = ports.trace(partOrder, progress)
      // If both parts fail, the second rejection is not awaited.
      traced.catch(() => {})
      return { order: partOrder, top: rows.y - rect.y, progress, traced, answered: false }
    })
  }

  /** Answers each part when it is done. Rejects if one fails, and cancels the rest. */
  async answer(): Promise<void> {
    const { clock } = this.#ports
    let since = clock.now()
    try {
      for (const [i, part] of this.#parts.entries()) {
        const traced = await part.traced
        if (!traced) return
        const now = clock.now()
        const next = this.#parts[i + 1]
        part.answered = true
        this.#send(part, traced, Math.max(0, now - since - traced.wallMs), next?.progress.isVoid === false)
        since = now
      }
    } catch (error) {
      this.cancel()
      throw error
    }
  }

  /** Whether work has been done on it since the last call, be it a part of a row; false on the first call. */
  advanced(): boolean {
    const portions = this.#parts.reduce((sum, { progress }) => sum + progress.portions, 0)
    const before = this.#portions
    this.#portions = portions
    return before !== undefined && portions !== before
  }

  /** Rows that are done, from its top. */
  get rows(): number {
    let rows = 0
    for (const { order, top, progress } of this.#parts) {
      const done = progress.doneWithin(0)
      rows = top + done
      if (done < order.tile.rect.h) break
    }
    return rows
  }

  /** Only the first `rows` rows are still wanted. */
  trim(rows: number): void {
    const [first, second] = this.#parts
    if (second && !first!.answered && rows <= second.top) second.progress.stop()
    for (const { top, progress } of this.#parts) progress.trim(rows - top)
  }

  /**
   * The worker leaves: no more rows are begun, and those that will soon be done are answered. Returns how many of its rows will have been
   * answered then, from its top; undefined if nothing more will be.
   */
  leave(): number | undefined {
    // A thread that leaves the first part would otherwise go on to the second.
    for (const { progress } of this.#parts.toReversed()) progress.leave()
    const open = this.#parts.filter(({ answered }) => !answered)
    const short = open.findIndex(({ order, progress }) => progress.rows < order.tile.rect.h)
    // Rows below those that are given back cannot be answered.
    if (short >= 0) for (const { progress } of open.slice(short + 1)) progress.stop()
    const last = open.findLast(({ progress }) => !progress.isVoid)
    return last && last.top + last.progress.rows
  }

  /** The tile is no longer wanted. */
  cancel(): void {
    for (const { progress } of this.#parts) progress.stop()
  }

  #send({ order }: Part, traced: TracedTile, waited: number, more: boolean): void {
    const { clock, encoding, platform, send } = this.#ports
    const { rows, pixels, cpuMs, wallMs, work, cells } = traced
    const startedAt = clock.now()
    const { channels = ['rgb'] } = order
    const encoded = platform.encodeTile(encoding, channels, pixels.length / bytesPerPixelOf(channels), pixels)
    const packed = cells && platform.packCells(cells)
    const times = {
      waitMs: brief(waited),
      wallMs: brief(wallMs),
      cpuMs: brief(cpuMs),
      encodeMs: brief(clock.now() - startedAt),
      ...(work === undefined ? {} : { work }),
      ...(more ? { more } : {}),
    }
    send({
      kind: 'tile-done',
      lease: this.#number,
      rect: { ...order.tile.rect, h: rows },
      encoding,
      rawBytes: pixels.length,
      times,
      ...encoded,
      ...(packed ? { cells: packed } : {}),
    })
  }
}

/** Rounds to hundredths of a microsecond: digits beyond the clock's resolution would be half of the size of a tile's times. */
const brief = (ms: number): number => Math.round(ms * 1e5) / 1e5
