/** A thread's part in a tile: it takes rows from a counter that all threads share, so fast threads and cheap rows need no planning. */
import { bytesPerPixel, CHANNELS, type ChannelName, planeAt } from '../../shared/frame/channels.ts'
import { raysPerPixel } from '../../shared/frame/rays-per-pixel.ts'
import type { EngineGrain, PixelBuffers, Tracer } from '../engine/engine.ts'
import { TileProgress } from '../tile-progress.ts'
import { CellSums } from './cell-sums.ts'
import type { ThreadAnswer, ThreadSettings, TraceOrder } from './messages.ts'
import { rowBatches } from './row-batches.ts'
import { type GiveWay, type RowClocks, RowsAtHand } from './rows-at-hand.ts'

/** One tile at a time: one that interrupts another needs a tracer of its own. */
export class TileTracer {
  readonly #settings: ThreadSettings
  readonly #grain: EngineGrain
  readonly #clocks: RowClocks
  readonly #atHand: RowsAtHand
  /** Buffers for the pixels of a batch, as large as the largest so far. */
  #steps = new Uint32Array(0)
  #depth = new Float32Array(0)

  /** @param giveWay called between portions of rows. Absent: nothing is more urgent */
  constructor(settings: ThreadSettings, grain: EngineGrain, clocks: RowClocks, giveWay?: GiveWay) {
    this.#settings = settings
    this.#grain = grain
    this.#clocks = clocks
    this.#atHand = new RowsAtHand(settings.thread, settings.coreShare, clocks, giveWay)
  }

  /** Takes rows of a tile until there are none left. */
  trace(
    tracer: Tracer,
    { view, tile, samples, channels, progress: progressBytes, orderedAt, pixels, above: aboveBytes, cells }: TraceOrder,
  ): ThreadAnswer {
    const progress = new TileProgress(progressBytes)
    const above = new Uint32Array(aboveBytes, 0, tile.rect.h + 1)
    const sums = cells && new CellSums(cells, tile.rect)
    const quality = { ...view.quality, samples: samples.to - samples.from }
    const batch = rowBatches(above, quality, this.#settings.threads, this.#grain)
    const perPixel = raysPerPixel(quality)
    const { now } = this.#clocks
    const atHand = this.#atHand
    const start = now()
    let rows = 0
    atHand.beginTile(progress, orderedAt)
    for (let range = progress.take(batch); range; range = progress.take(batch)) {
      const set = { ...tile, rect: { ...tile.rect, y: tile.rect.y + range.from, h: range.to - range.from } }
      const [from, to] = [above[range.from]!, above[range.to]!]
      const out = { ...planesOf(channels, pixels, above.at(-1)!, from, to), ...(sums ? this.#counts(to - from) : {}) }
      atHand.begin(range.from, (to - from) * perPixel)
      tracer.trace(view, set, samples, out, atHand.goOn)
      if (!atHand.end()) continue
      if (out.steps && out.depth) sums?.add(set, out.steps, out.depth)
      rows += set.rect.h
      atHand.rest()
    }
    if (rows === 0) return { type: 'traced', cpuMs: 0, start, end: start, rows, gaveWayMs: 0 }
    const { cpuMs, gaveWayMs } = atHand
    return { type: 'traced', cpuMs, start, end: now(), rows, gaveWayMs }
  }

  /** Room for the steps and depths of a batch. */
  #counts(pixels: number): { steps: Uint32Array; depth: Float32Array } {
    if (this.#steps.length < pixels) {
      this.#steps = new Uint32Array(pixels)
      this.#depth = new Float32Array(pixels)
    }
    return { steps: this.#steps.subarray(0, pixels), depth: this.#depth.subarray(0, pixels) }
  }
}

/** Views of the pixels `from` to `to` (exclusive) in a room for channels of a tile of `all` pixels. */
function planesOf(
  channels: readonly ChannelName[],
  room: SharedArrayBuffer,
  all: number,
  from: number,
  to: number,
): PixelBuffers {
  const own: Record<string, ArrayBufferView> = {}
  const centre: Record<string, ArrayBufferView> = {}
  let at = 0
  for (const channel of channels) {
    const bytes = bytesPerPixel(channel)
    const planes = CHANNELS[channel].of === 'centre' ? centre : own
    planes[channel] = planeAt(channel, room, at + from * bytes, to - from)
    at += all * bytes
  }
  return { ...own, ...(Object.keys(centre).length > 0 ? { centre } : {}) }
}
