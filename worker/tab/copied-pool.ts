/**
 * A pool of one thread that shares no memory with anybody: a page without encryption has no memory to share. The thread has a copy of each scene,
 * and a pool of its own (`inline-thread.ts`); it is given some rows of a tile at a time, and looks at nothing else until they are done.
 */
import { InvariantError } from '../../shared/errors.ts'
import { bytesPerPixel, bytesPerPixelOf, type ChannelName } from '../../shared/frame/channels.ts'
import { allSamples } from '../../shared/frame/view.ts'
import { cellRange, type TileCells } from '../../shared/protocol/cell-costs.ts'
import type { EngineGrain } from '../engine/engine.ts'
import type { SceneFamily } from '../threads/messages.ts'
import { pixelsAbove } from '../threads/pixels-above.ts'
import { rowBatches } from '../threads/row-batches.ts'
import type { TileOrder, TracedTile } from '../tile-order.ts'
import type { TilePool } from '../tile-pool.ts'
import type { TileProgress } from '../tile-progress.ts'

/** What a copy's thread is asked; every order has one answer, in their order. */
export type CopyOrder =
  | { readonly type: 'load'; readonly name: string; readonly scene: Uint8Array; readonly family?: SceneFamily }
  | { readonly type: 'unload'; readonly name: string }
  | { readonly type: 'trace'; readonly order: TileOrder }

export type CopyAnswer =
  | { readonly type: 'done' }
  | { readonly type: 'traced'; readonly tile: TracedTile }
  | { readonly type: 'failed'; readonly reason: string }

/** The pool's end of such a thread. Rejects if it fails at an order, or has ended. */
export type AskCopy = (order: CopyOrder) => Promise<Exclude<CopyAnswer, { type: 'failed' }>>

/** Some rows of a tile. */
interface Strip {
  readonly from: number
  readonly to: number
  readonly traced: Promise<TracedTile>
}

/** What a pool needs of its runtime. */
export interface CopyPorts {
  /** ms */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** For which share of the time it may trace at present, above 0. */
  readonly share: () => number
}

/** The longest pause between strips, ms: it stays a sign of life that they advance. */
const MAX_PAUSE_MS = 500
/** Strips at the thread at once: the next one is there when one is done. */
const MOST_ASKED = 2

export class CopiedPool implements TilePool {
  readonly #ask: AskCopy
  readonly #grain: EngineGrain
  readonly #ports: CopyPorts
  /** Calls back at each sign of the rows at hand. */
  #signed: () => void = () => {}
  #turn: Promise<unknown> = Promise.resolve()
  /** Of the newest strip; not known at first. */
  #msPerRow = Number.POSITIVE_INFINITY

  constructor(ask: AskCopy, grain: EngineGrain, ports: CopyPorts) {
    this.#ask = ask
    this.#grain = grain
    this.#ports = ports
  }

  /** The thread has done a portion of its rows. */
  advanced(): void {
    this.#signed()
  }

  async loadScene(name: string, scene: Uint8Array, _ = 0, family?: SceneFamily): Promise<{ buildMs: number }> {
    const { now } = this.#ports
    const since = now()
    // A copy that is not shared, which can be posted.
    await this.#ask({ type: 'load', name, scene: scene.slice(), ...(family ? { family } : {}) })
    return { buildMs: now() - since }
  }

  async restoreScene(): Promise<boolean> {
    return false
  }

  async unloadScene(name: string): Promise<void> {
    await this.#turn
    await this.#ask({ type: 'unload', name })
  }

  trace(order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    const traced = this.#turn.then(() => this.#trace(order, progress))
    this.#turn = traced.catch(() => {})
    return traced
  }

  async #trace(order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    if (progress.isVoid) return undefined
    const { share, sleep } = this.#ports
    const { tile, view, samples = allSamples(view) } = order
    const quality = { ...view.quality, samples: samples.to - samples.from }
    const batch = rowBatches(pixelsAbove(tile), quality, 1, this.#grain)
    this.#signed = () => progress.advance()
    const asked: Strip[] = []
    const done: TracedTile[] = []
    for (;;) {
      for (let range: ReturnType<TileProgress['take']>; asked.length < (share() < 1 ? 1 : MOST_ASKED); ) {
        range = progress.take(batch)
        if (!range) break
        const traced = this.#strip(order, range.from, range.to)
        // If several fail, only the first is awaited.
        traced.catch(() => {})
        asked.push({ ...range, traced })
      }
      const strip = asked.shift()
      if (!strip) break
      // Rows below it are not done, either.
      progress.expect(0, strip.from, this.#msPerRow * (strip.to - strip.from))
      const traced = await strip.traced.finally(() => progress.expect(0, strip.from, 0))
      this.#msPerRow = traced.wallMs / (strip.to - strip.from)
      if (progress.isWanted(strip.from)) done.push(traced)
      else progress.giveBack(strip.from)
      if (share() < 1) await sleep(Math.min(MAX_PAUSE_MS, traced.wallMs * (1 / share() - 1)))
    }
    if (progress.isVoid || done.length === 0) return undefined
    const rows = done.reduce((sum, each) => sum + each.rows, 0)
    progress.giveBack(rows)
    return joined(order, done, rows)
  }

  async #strip(order: TileOrder, from: number, to: number): Promise<TracedTile> {
    const { rect } = order.tile
    const tile = { ...order.tile, rect: { ...rect, y: rect.y + from, h: to - from } }
    const answer = await this.#ask({ type: 'trace', order: { ...order, tile } })
    if (answer.type !== 'traced') throw new InvariantError(`'trace' was answered by '${answer.type}'`)
    return answer.tile
  }
}

/** The tile whose rows these are, from its top. */
function joined(order: TileOrder, strips: readonly TracedTile[], rows: number): TracedTile {
  const { channels = ['rgb'], cell } = order
  const sum = (of: (strip: TracedTile) => number) => strips.reduce((total, strip) => total + of(strip), 0)
  return {
    rows,
    pixels: joinedPixels(channels, strips),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    wallMs: sum(({ wallMs }) => wallMs),
    ...(cell === undefined ? {} : { cells: joinedCells(order, strips, rows, cell), work: sum(({ work = 0 }) => work) }),
  }
}

/** Channel after channel, of each strip after strip. */
function joinedPixels(channels: readonly ChannelName[], strips: readonly TracedTile[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(strips.reduce((sum, { pixels }) => sum + pixels.length, 0))
  const counts = strips.map(({ pixels }) => pixels.length / bytesPerPixelOf(channels))
  let to = 0
  let before = 0
  for (const channel of channels) {
    const bytes = bytesPerPixel(channel)
    for (const [i, { pixels }] of strips.entries()) {
      const plane = pixels.subarray(before * counts[i]!, (before + bytes) * counts[i]!)
      all.set(plane, to)
      to += plane.length
    }
    before += bytes
  }
  return all
}

/** Strips share cells where they meet: their costs add up, and the depth of a centre is that of the strip with its row. */
function joinedCells(order: TileOrder, strips: readonly TracedTile[], rows: number, cell: number): TileCells {
  const { rect } = order.tile
  const { columns, rows: cellRows, row } = cellRange({ ...rect, h: rows }, cell)
  const costs = new Float64Array(columns * cellRows)
  const depths = new Float32Array(columns * cellRows).fill(Number.NaN)
  let y = rect.y
  for (const strip of strips) {
    const at = (Math.floor(y / cell) - row) * columns
    y += strip.rows
    for (const [i, cost] of strip.cells!.costs.entries()) costs[at + i]! += cost
    for (const [i, depth] of strip.cells!.depths.entries()) if (!Number.isNaN(depth)) depths[at + i] = depth
  }
  return { cell, costs, depths }
}
