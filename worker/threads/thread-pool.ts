/**
 * The threads of one worker, over one scene in shared memory. The thread that owns the pool never traces: it stays free
 * to answer heartbeats, so even one tracing thread is a thread of its own.
 */
import { InvariantError } from '../../shared/errors.ts'
import { formatRect } from '../../shared/rect.ts'
import type { EngineName } from '../engine/engine.ts'
import type { TileOrder, TracedTile } from '../tile-order.ts'
import type { TileProgress } from '../tile-progress.ts'
import { readCells, shareCells } from './cell-sums.ts'
import { garbageCollector } from './garbage-collector.ts'
import type { ThreadAnswer, ThreadOrder } from './messages.ts'
import { pixelsAbove } from './pixels-above.ts'
import { sharedNow } from './shared-clock.ts'
import { ThreadError, ThreadLink } from './thread-link.ts'
import { Turns } from './turns.ts'

export interface ThreadPoolOptions {
  /** Tracing threads, at least 1. */
  readonly threads: number
  readonly engine: EngineName
  /** Cores that all threads together may use, above 0: less than `threads` paces them. @default no limit */
  readonly coreShare?: number
  /** The program of a thread. @default tracer-thread.js beside this file */
  readonly program?: URL
}

export class ThreadPool {
  /** Rejects with ThreadError once a thread has ended by itself: the pool is of no use then, and rejects everything. */
  readonly broken: Promise<never>
  readonly #links: readonly ThreadLink[]
  readonly #collectGarbage = garbageCollector()
  /** Why nothing can be asked of the pool any more. */
  #end: ThreadError | undefined
  readonly #turns = new Turns()
  /** Where threads put pixels, not in use now; as large as the largest tile so far. */
  readonly #spare: SharedArrayBuffer[] = []

  private constructor({ threads, engine, coreShare = threads, program }: ThreadPoolOptions) {
    let report: (error: ThreadError) => void = () => {}
    this.broken = new Promise((_, reject) => {
      report = reject
    })
    // Whoever asks something of the pool hears of it too: nobody waiting here is no reason for the process to end.
    this.broken.catch(() => {})
    const url = program ?? new URL('./tracer-thread.js', import.meta.url)
    const settings = { engine, threads, coreShare: coreShare / threads }
    const broke = (error: ThreadError) => {
      void this.#shut(error)
      report(error)
    }
    this.#links = Array.from(
      { length: threads },
      (_, i) => new ThreadLink(`tracing thread ${i + 1}`, url, { ...settings, thread: i }, broke),
    )
  }

  /** Starts the threads. Rejects with ThreadError if one cannot start, and leaves none behind. */
  static async start(options: ThreadPoolOptions): Promise<ThreadPool> {
    const pool = new ThreadPool(options)
    try {
      await Promise.all(pool.#links.map(link => link.ready()))
      return pool
    } catch (error) {
      await pool.close()
      throw error
    }
  }

  /**
   * Takes up a packed scene in place of any other: one thread begins, all build, one finishes, all open. The bytes are the
   * engine's from now on: nobody writes to them. Rejects with ThreadError; then there is no scene.
   */
  loadScene(scene: Uint8Array<SharedArrayBuffer>): Promise<{ buildMs: number }> {
    return this.#turns.alone(async () => {
      this.#checkUsable()
      await this.#askAll('dropping the scene', { type: 'forget' })
      const startedAt = sharedNow()
      const built = await this.#build(scene)
      const buildMs = sharedNow() - startedAt
      await this.#askAll('opening the scene', { type: 'open', built })
      this.#collectSoon()
      return { buildMs }
    })
  }

  /** Frees the scene and its structure. */
  unloadScene(): Promise<void> {
    return this.#turns.alone(async () => {
      this.#checkUsable()
      this.#spare.length = 0
      await this.#askAll('dropping the scene', { type: 'forget' })
      this.#collectSoon()
    })
  }

  /**
   * Traces a tile, or what `progress` says is wanted of it; undefined where that is nothing. Tiles are traced in the order
   * in which they were asked for, and threads that are through with one go on to the next at once.
   * Rejects with ThreadError.
   */
  trace(order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    return this.#turns.overlapping(async () => {
      this.#checkUsable()
      if (progress.stopped) return undefined
      const { view, tile, cell } = order
      const above = pixelsAbove(tile)
      const bytes = above.at(-1)! * 3
      const pixels = this.#takeRoom(bytes)
      const cells = cell === undefined ? undefined : shareCells(tile.rect, cell, view.quality)
      try {
        const answers = await this.#askAll(
          `tracing ${formatRect(tile.rect)} of frame ${view.frame}`,
          {
            type: 'trace',
            ...{ view, tile, orderedAt: sharedNow(), progress: progress.bytes, pixels, above: above.buffer },
            ...(cells ? { cells } : {}),
          },
          () => progress.stop(),
        )
        if (progress.stopped) return undefined
        const shares = answers.filter(answer => answer.type === 'traced').filter(({ rows }) => rows > 0)
        const rows = progress.begun
        return {
          rows,
          pixels: new Uint8Array(pixels, 0, above[rows]! * 3).slice(),
          cpuMs: shares.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
          wallMs: Math.max(...shares.map(({ end }) => end)) - Math.min(...shares.map(({ start }) => start)),
          ...(cells ? readCells(cells, { ...tile.rect, h: rows }) : {}),
        }
      } finally {
        this.#spare.push(pixels)
      }
    })
  }

  /** Ends all threads at once; what is under way rejects with ThreadError. */
  async close(): Promise<void> {
    await this.#shut(new ThreadError('the thread pool is closed'))
  }

  #checkUsable(): void {
    if (this.#end) throw this.#end
  }

  async #build(scene: Uint8Array<SharedArrayBuffer>): Promise<object> {
    const first = this.#links[0]!
    const begun = await first.ask('taking the scene in', { type: 'begin', scene })
    if (begun.type !== 'begun') throw new InvariantError(`'begin' was answered by '${begun.type}'`)
    const { building } = begun
    await this.#askAll('building the scene', { type: 'help', building })
    const finished = await first.ask('finishing the scene', { type: 'finish', building })
    if (finished.type !== 'built') throw new InvariantError(`'finish' was answered by '${finished.type}'`)
    return finished.built
  }

  /** Scenes passed through this thread, too; once whoever asked is done with them, nothing here keeps them. */
  #collectSoon(): void {
    setImmediate(this.#collectGarbage)
  }

  /** Asks all threads for the same; waits for every answer, whatever the others say, then throws the first failure. */
  async #askAll(task: string, order: ThreadOrder, failed: () => void = () => {}): Promise<ThreadAnswer[]> {
    const answers = this.#links.map(async link => {
      try {
        return await link.ask(task, order)
      } catch (error) {
        failed()
        throw error
      }
    })
    const settled = await Promise.allSettled(answers)
    return settled.map(result => {
      // When a thread died, the others were closed for it: say what came first.
      if (result.status === 'rejected') throw this.#end ?? result.reason
      return result.value
    })
  }

  /** Room for so many bytes; to be put back. */
  #takeRoom(bytes: number): SharedArrayBuffer {
    const room = this.#spare.pop()
    return room && room.byteLength >= bytes ? room : new SharedArrayBuffer(bytes)
  }

  async #shut(end: ThreadError): Promise<void> {
    this.#end ??= end
    await Promise.all(this.#links.map(link => link.close()))
  }
}
