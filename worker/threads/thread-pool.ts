/**
 * The threads of one worker, over one scene in shared memory. The thread that owns the pool never traces: it stays free
 * to answer heartbeats, so even one tracing thread is a thread of its own.
 */
import { InvariantError } from '../../shared/errors.ts'
import { area, formatRect, type Rect } from '../../shared/rect.ts'
import type { View } from '../../shared/view.ts'
import type { EngineName } from '../engine/engine.ts'
import { garbageCollector } from './garbage-collector.ts'
import { STOP, type ThreadAnswer, type ThreadOrder } from './messages.ts'
import { sharedNow } from './shared-clock.ts'
import { ThreadError, ThreadLink } from './thread-link.ts'

export interface ThreadPoolOptions {
  /** Tracing threads, at least 1. */
  readonly threads: number
  readonly engine: EngineName
  /** Cores that all threads together may use, above 0: less than `threads` paces them. @default no limit */
  readonly coreShare?: number
  /** The program of a thread. @default tracer-thread.js beside this file */
  readonly program?: URL
}

export interface TracedTile {
  /** RGB8, row-major; owned by the caller. */
  readonly pixels: Uint8Array<ArrayBuffer>
  /** CPU time of all threads together, ms. */
  readonly cpuMs: number
  /** From the first ray to the last pixel, pauses of pacing included, ms. */
  readonly wallMs: number
}

export class ThreadPool {
  /** Rejects with ThreadError once a thread has ended by itself: the pool is of no use then, and rejects everything. */
  readonly broken: Promise<never>
  readonly #links: readonly ThreadLink[]
  readonly #collectGarbage = garbageCollector()
  /** Why nothing can be asked of the pool any more. */
  #end: ThreadError | undefined
  /** Settles when everything asked for so far is done: the pool does one thing at a time. */
  #tail: Promise<unknown> = Promise.resolve()
  /** Where the threads put pixels; grows to the largest tile so far. */
  #pixels = new SharedArrayBuffer(0)

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
    return this.#inTurn(async () => {
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
    return this.#inTurn(async () => {
      this.#pixels = new SharedArrayBuffer(0)
      await this.#askAll('dropping the scene', { type: 'forget' })
      this.#collectSoon()
    })
  }

  /**
   * Traces a rectangle of the frame of `view`. Later calls wait for earlier ones.
   * Rejects with ThreadError, or with the signal's reason soon after it aborts.
   */
  trace(view: View, rect: Rect, signal?: AbortSignal): Promise<TracedTile> {
    return this.#inTurn(async () => {
      signal?.throwIfAborted()
      const bytes = area(rect) * 3
      if (this.#pixels.byteLength < bytes) this.#pixels = new SharedArrayBuffer(bytes)
      const progress = new SharedArrayBuffer(8)
      const stop = () => {
        Atomics.store(new Int32Array(progress), STOP, 1)
        Atomics.notify(new Int32Array(progress), STOP)
      }
      signal?.addEventListener('abort', stop)
      try {
        const answers = await this.#askAll(
          `tracing ${formatRect(rect)} of frame ${view.frame}`,
          { type: 'trace', view, rect, pixels: this.#pixels, progress },
          stop,
        )
        const shares = answers.filter(answer => answer.type === 'traced').filter(({ rows }) => rows > 0)
        signal?.throwIfAborted()
        return {
          pixels: new Uint8Array(this.#pixels, 0, bytes).slice(),
          cpuMs: shares.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
          wallMs: Math.max(...shares.map(({ end }) => end)) - Math.min(...shares.map(({ start }) => start)),
        }
      } finally {
        signal?.removeEventListener('abort', stop)
      }
    })
  }

  /** Ends all threads at once; what is under way rejects with ThreadError. */
  async close(): Promise<void> {
    await this.#shut(new ThreadError('the thread pool is closed'))
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

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#tail
    const result = before.then(() => {
      if (this.#end) throw this.#end
      return work()
    })
    this.#tail = result.catch(() => {})
    return result
  }

  async #shut(end: ThreadError): Promise<void> {
    this.#end ??= end
    await Promise.all(this.#links.map(link => link.close()))
  }
}
