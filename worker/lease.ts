/**
 * One lease of a worker: a tile, traced in one part or two, each of which is answered as soon as it is done. A part is a
 * tile of its own for whoever traces, so the second is under way while the first is packed and sent.
 *
 * Every lease that is not cancelled ends with exactly one answer without `more`, or one failure. Who wants fewer rows than
 * the first part has gets one answer, if it is not on its way already; if it is, a second one follows with at least a row.
 */
import type { Clock } from '../shared/clock.ts'
import type { TileDone, TileTimes } from '../shared/protocol/codec.ts'
import type { Encoding, TraceTile } from '../shared/protocol/messages.ts'
import { packCells } from '../shared/protocol/node/cell-packing.ts'
import { encodePixels } from '../shared/protocol/node/pixel-encoding.ts'
import { splitRect } from '../shared/rect.ts'
import type { TileOrder, TracedTile } from './tile-order.ts'
import { TileProgress } from './tile-progress.ts'

/** Traces tiles in the order in which they were asked for; undefined: nobody wanted it any more. */
export type TraceTiles = (order: TileOrder, progress: TileProgress) => Promise<TracedTile | undefined>

export interface LeasePorts {
  readonly trace: TraceTiles
  readonly clock: Clock
  readonly encoding: Encoding
  /** Gives an answer. */
  readonly send: (answer: TileDone) => void
}

interface Part {
  readonly order: TileOrder
  /** Rows of the lease above it. */
  readonly top: number
  readonly progress: TileProgress
  readonly traced: Promise<TracedTile | undefined>
  answered: boolean
}

export class Lease {
  readonly #order: TraceTile
  readonly #ports: LeasePorts
  readonly #parts: readonly Part[]

  /** Has its parts traced, when it is their turn. */
  constructor(order: TraceTile, ports: LeasePorts) {
    this.#order = order
    this.#ports = ports
    const { scene, rect, pattern, part, view, cell } = order
    const rects = part !== undefined && part < rect.h ? splitRect(rect, 'y', part) : [rect]
    this.#parts = rects.map((rows): Part => {
      const tile = { rect: rows, ...(pattern ? { pattern } : {}) }
      const partOrder = { scene, view, tile, ...(cell === undefined ? {} : { cell }) }
      const progress = TileProgress.of(rows.h)
      const traced = ports.trace(partOrder, progress)
      // Of two parts that fail, the second fails while nobody waits for it.
      traced.catch(() => {})
      return { order: partOrder, top: rows.y - rect.y, progress, traced, answered: false }
    })
  }

  /** Answers each part when it is done. Rejects when one fails, and then nobody waits for the rest. */
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
        this.#send(part, traced, { waitMs: Math.max(0, now - since - traced.wallMs) }, next?.progress.stopped === false)
        since = now
      }
    } catch (error) {
      this.cancel()
      throw error
    }
  }

  /** Only the first so many rows are wanted any more. */
  trim(rows: number): void {
    const [first, second] = this.#parts
    if (second && !first!.answered && rows <= second.top) second.progress.stop()
    for (const { top, progress } of this.#parts) progress.trim(rows - top)
  }

  /** Nobody waits for it any more. */
  cancel(): void {
    for (const { progress } of this.#parts) progress.stop()
  }

  #send({ order }: Part, traced: TracedTile, waited: Pick<TileTimes, 'waitMs'>, more: boolean): void {
    const { clock, encoding, send } = this.#ports
    const { lease, view } = this.#order
    const { rows, pixels, cpuMs, wallMs, work, cells } = traced
    const startedAt = clock.now()
    const packed = encodePixels(encoding, pixels)
    const cellBytes = cells && packCells(cells)
    const body = cellBytes ? joined(packed, cellBytes) : packed
    const times = {
      ...waited,
      renderMs: wallMs,
      cpuMs,
      encodeMs: clock.now() - startedAt,
      ...(work === undefined ? {} : { work }),
      ...(more ? { more } : {}),
      ...(cellBytes ? { cellBytes: cellBytes.length } : {}),
    }
    send({
      kind: 'tile-done',
      frame: view.frame,
      lease,
      rect: { ...order.tile.rect, h: rows },
      encoding,
      rawBytes: pixels.length,
      times,
      body,
    })
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
