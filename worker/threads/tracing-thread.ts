/**
 * One tracing thread, in any runtime. It has an engine's tracer over each shared scene and takes rows of the current tile
 * from a shared counter, so fast threads and cheap rows need no planning.
 */

import { assertNever, invariant, messageOf } from '../../shared/errors.ts'
import { bytesPerPixel, CHANNELS, type ChannelName, planeAt } from '../../shared/frame/channels.ts'
import { raysPerPixel } from '../../shared/frame/rays-per-pixel.ts'
import type { Engine, PixelBuffers, RefitFrom, Tracer } from '../engine/engine.ts'
import { TileProgress } from '../tile-progress.ts'
import { CellSums } from './cell-sums.ts'
import type { OpenOrder, SceneFamily, ThreadAnswer, ThreadOrder, ThreadSettings, TraceOrder } from './messages.ts'
import { rowBatches } from './row-batches.ts'
import { type RowClocks, RowsAtHand } from './rows-at-hand.ts'

/** What a thread needs of its runtime. */
export interface TracingThreadPorts extends RowClocks {
  /** Collects this thread's garbage. */
  readonly collectGarbage: () => void
}

export class TracingThread {
  readonly #settings: ThreadSettings
  readonly #engine: Engine
  readonly #ports: TracingThreadPorts
  readonly #atHand: RowsAtHand
  /** By scene name. */
  readonly #tracers = new Map<string, Tracer>()
  readonly #opened = new Map<string, OpenOrder>()
  /** The scene of a film that was dropped last: the next one may take its memory. Kept by the thread that begins to build. */
  #spare: OpenOrder | undefined
  /** Buffers for the pixels of a batch, as large as the largest so far. */
  #steps = new Uint32Array(0)
  #depth = new Float32Array(0)

  constructor(settings: ThreadSettings, engine: Engine, ports: TracingThreadPorts) {
    this.#settings = settings
    this.#engine = engine
    this.#ports = ports
    this.#atHand = new RowsAtHand(settings.thread, settings.coreShare, ports)
  }

  /** Executes an order; a failure is an answer, too, and the thread stays ready for the next order. */
  answer(order: ThreadOrder): ThreadAnswer {
    try {
      return this.#obey(order)
    } catch (error) {
      return { type: 'failed', reason: messageOf(error), stack: error instanceof Error ? error.stack : undefined }
    }
  }

  #obey(order: ThreadOrder): ThreadAnswer {
    switch (order.type) {
      case 'begin': {
        const { threads } = this.#settings
        return { type: 'begun', building: this.#engine.begin(order.scene, threads, this.#refitFrom(order.family)) }
      }
      case 'help':
        this.#engine.help(order.building)
        return { type: 'done' }
      case 'finish':
        return this.#built(this.#engine.finish(order.building))
      case 'restore': {
        const { storage, name } = this.#engine
        invariant(storage, `engine ${name} stores no scenes`)
        return this.#built(storage.restore(order.room, this.#settings.threads))
      }
      case 'open':
        this.#tracers.set(order.scene, this.#engine.open(order.built, this.#settings.thread))
        this.#opened.set(order.scene, order)
        // The memory that it was built in is garbage by now.
        this.#ports.collectGarbage()
        return { type: 'done' }
      case 'forget':
        this.#forget(order.scene)
        // Nothing here refers to it any more.
        this.#ports.collectGarbage()
        return { type: 'done' }
      case 'trace':
        return this.#trace(order)
      default:
        return assertNever(order)
    }
  }

  /** The newest scene with the same texels, and one whose memory is free. */
  #refitFrom(family: SceneFamily | undefined): RefitFrom | undefined {
    const isLike = (opened: OpenOrder | undefined) => family !== undefined && opened?.family?.texels === family.texels
    const like = [...this.#opened.values()].findLast(isLike)
    const spare = isLike(this.#spare) ? this.#spare : undefined
    this.#spare = undefined
    return like && { built: like.built, refit: family!.moves, spare: spare?.built }
  }

  #forget(scene: string): void {
    const opened = this.#opened.get(scene)
    this.#tracers.delete(scene)
    this.#opened.delete(scene)
    const isFilm = opened?.family?.moves === true && this.#opened.size > 0
    if (isFilm && this.#settings.thread === 0) this.#spare = opened
    else this.#spare = undefined
  }

  #built(built: object): ThreadAnswer {
    const image = this.#engine.storage?.image(built)
    return { type: 'built', built, ...(image ? { image } : {}) }
  }

  #trace({
    scene,
    view,
    tile,
    samples,
    channels,
    progress: progressBytes,
    orderedAt,
    pixels,
    above: aboveBytes,
    cells,
  }: TraceOrder): ThreadAnswer {
    const tracer = this.#tracers.get(scene)
    invariant(tracer, `asked to trace scene ${scene}, which is not open`)
    const progress = new TileProgress(progressBytes)
    const above = new Uint32Array(aboveBytes, 0, tile.rect.h + 1)
    const sums = cells && new CellSums(cells, tile.rect)
    const quality = { ...view.quality, samples: samples.to - samples.from }
    const batch = rowBatches(above, quality, this.#settings.threads, this.#engine.grain)
    const perPixel = raysPerPixel(quality)
    const { now } = this.#ports
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
    if (rows === 0) return { type: 'traced', cpuMs: 0, start, end: start, rows }
    return { type: 'traced', cpuMs: atHand.cpuMs, start, end: now(), rows }
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
