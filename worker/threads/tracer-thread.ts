/**
 * The program of one tracing thread. It holds an engine's tracer over each shared scene and takes rows of the tile at
 * hand from a shared counter, so fast threads and cheap rows need no planning.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { bytesPerPixel, CHANNELS, type ChannelName } from '../../shared/channels.ts'
import { assertNever, InvariantError, invariant, messageOf } from '../../shared/errors.ts'
import type { Engine, PixelBuffers, Tracer } from '../engine/engine.ts'
import { engineByName } from '../engine/index.ts'
import { TileProgress } from '../tile-progress.ts'
import { CellSums } from './cell-sums.ts'
import { garbageCollector } from './garbage-collector.ts'
import type { ThreadAnswer, ThreadOrder, ThreadSettings, TraceOrder } from './messages.ts'
import { Pacer } from './pacer.ts'
import { rowBatches } from './row-batches.ts'
import { sharedNow } from './shared-clock.ts'
import { type ThreadCpuClock, threadCpuClock } from './thread-cpu-clock.ts'

class TracerThread {
  readonly #settings: ThreadSettings
  readonly #engine: Engine
  readonly #cpuClock: ThreadCpuClock = threadCpuClock()
  readonly #pacer: Pacer
  readonly #collectGarbage = garbageCollector()
  /** By the names of their scenes. */
  readonly #tracers = new Map<string, Tracer>()
  /** Of the pixels of a batch; as large as the largest so far. */
  #steps = new Uint32Array(0)
  #depth = new Float32Array(0)

  constructor(settings: ThreadSettings) {
    this.#settings = settings
    this.#engine = engineByName(settings.engine)
    this.#pacer = new Pacer(settings.coreShare)
  }

  obey(order: ThreadOrder): ThreadAnswer {
    switch (order.type) {
      case 'begin': {
        const { threads } = this.#settings
        return { type: 'begun', building: this.#engine.begin(order.scene, threads) }
      }
      case 'help':
        this.#engine.help(order.building)
        return { type: 'done' }
      case 'finish':
        return { type: 'built', built: this.#engine.finish(order.building) }
      case 'open':
        this.#tracers.set(order.scene, this.#engine.open(order.built, this.#settings.thread))
        // What it was built in is garbage by now.
        this.#collectGarbage()
        return { type: 'done' }
      case 'forget':
        this.#tracers.delete(order.scene)
        this.#collectGarbage()
        return { type: 'done' }
      case 'trace':
        return this.#trace(order)
      default:
        return assertNever(order)
    }
  }

  #trace({
    scene,
    view,
    tile,
    samples,
    channel,
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
    const pacer = this.#pacer
    const start = sharedNow()
    const startCpu = this.#cpuClock.now()
    let cpuMs = 0
    let rows = 0
    pacer.begin(orderedAt)
    for (let range = progress.take(batch); range; range = progress.take(batch)) {
      const set = { ...tile, rect: { ...tile.rect, y: tile.rect.y + range.from, h: range.to - range.from } }
      const [from, to] = [above[range.from]!, above[range.to]!]
      const out = { ...planeOf(channel, pixels, from, to), ...(sums ? this.#counts(to - from) : {}) }
      tracer.trace(view, set, samples, out)
      if (out.steps && out.depth) sums?.add(set, out.steps, out.depth)
      rows += set.rect.h
      if (!pacer.paces) continue
      cpuMs = this.#cpuClock.now() - startCpu
      const pause = pacer.pauseMs(cpuMs, sharedNow())
      if (pause > 0) progress.sleep(pause)
    }
    if (rows > 0 && !pacer.paces) cpuMs = this.#cpuClock.now() - startCpu
    return { type: 'traced', cpuMs, start, end: rows > 0 ? sharedNow() : start, rows }
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

/** Where the pixels from number `from` to `to` (exclusive) go in a room that holds a channel of a tile's pixels. */
function planeOf(channel: ChannelName, room: SharedArrayBuffer, from: number, to: number): PixelBuffers {
  const at = from * bytesPerPixel(channel)
  const length = (to - from) * CHANNELS[channel].components
  switch (channel) {
    case 'rgb':
      return { rgb: new Uint8Array(room, at, length) }
    case 'light':
      return { light: new Float64Array(room, at, length) }
    default:
      return assertNever(channel)
  }
}

function failed(error: unknown): ThreadAnswer {
  return { type: 'failed', reason: messageOf(error), stack: error instanceof Error ? error.stack : undefined }
}

if (!parentPort) throw new InvariantError('this program runs in a worker thread only')
const pool = parentPort
const thread = new TracerThread(workerData as ThreadSettings)
pool.on('message', (order: ThreadOrder) => {
  let answer: ThreadAnswer
  try {
    answer = thread.obey(order)
  } catch (error) {
    answer = failed(error)
  }
  pool.postMessage(answer)
})
pool.postMessage({ type: 'done' } satisfies ThreadAnswer)
