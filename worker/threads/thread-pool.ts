/**
 * The threads of one worker, over any number of scenes in shared memory. The thread that owns the pool never traces: it stays
 * free to answer heartbeats, so even a single tracing thread is a separate thread.
 *
 * A scene is loaded while tiles of others are traced: its orders queue in each thread behind earlier tiles, and threads without
 * such orders continue tracing.
 */

import { InvariantError } from '../../shared/errors.ts'
import { bytesPerPixel, bytesPerPixelOf, type ChannelName } from '../../shared/frame/channels.ts'
import { formatRect } from '../../shared/frame/rect.ts'
import { allSamples } from '../../shared/frame/view.ts'
import type { EngineName, EngineStorage } from '../engine/engine.ts'
import type { StoredScene } from '../scenes.ts'
import type { TileOrder, TracedTile } from '../tile-order.ts'
import type { TileProgress } from '../tile-progress.ts'
import { readCells, shareCells } from './cell-sums.ts'
import type { SceneFamily, ThreadAnswer, ThreadOrder } from './messages.ts'
import { pixelsAbove } from './pixels-above.ts'
import { RequestOrder } from './request-order.ts'
import { TileRoom } from './shared-room.ts'
import { type StartThread, ThreadError, ThreadLink } from './thread-link.ts'

export interface ThreadPoolOptions {
  /** Tracing threads, at least 1. */
  readonly threads: number
  readonly engine: EngineName
  /** Cores that all threads together may use, above 0: less than `threads` paces them. @default no limit */
  readonly coreShare?: number
}

/** What a pool needs of its runtime. */
export interface ThreadPoolPorts {
  readonly startThread: StartThread
  /** Milliseconds on a clock that all threads share. */
  readonly now: () => number
  /** Collects the garbage of the thread that owns the pool, after the current task. */
  readonly collectSoon: () => void
  /** The engine's: allocates room for a stored scene. */
  readonly reserve: EngineStorage['reserve']
  /** Puts a built scene where else it is needed, before it is opened; what is opened then is the answer. */
  readonly place?: (name: string, built: object) => Promise<object>
  /** Removes it from there, once it is dropped. */
  readonly displace?: (name: string) => void
}

export class ThreadPool {
  /** Rejects with ThreadError once a thread has ended by itself: the pool is then unusable and rejects everything. */
  readonly broken: Promise<never>
  readonly #links: readonly ThreadLink[]
  readonly #newLink: (name: string, died: (error: ThreadError) => void, thread?: number) => ThreadLink
  /** Ends everything: a thread has ended. */
  readonly #broke: (error: ThreadError) => void
  readonly #ports: ThreadPoolPorts
  /** Why the pool cannot be used any more. */
  #end: ThreadError | undefined
  readonly #loads = new RequestOrder()
  readonly #tiles = new RequestOrder()
  /** Scenes that can be traced, by name, with the pending tiles of each. */
  readonly #scenes = new Map<string, Set<Promise<unknown>>>()
  /** Unused tile buffers: as many as there were tiles in progress at once, each as large as its largest tile. */
  readonly #spare: TileRoom[] = []

  private constructor({ threads, engine, coreShare = threads }: ThreadPoolOptions, ports: ThreadPoolPorts) {
    this.#ports = ports
    let report: (error: ThreadError) => void = () => {}
    this.broken = new Promise((_, reject) => {
      report = reject
    })
    // Callers of the pool get the error, too: an unhandled rejection here must not end everything.
    this.broken.catch(() => {})
    this.#broke = error => {
      void this.#shut(error)
      report(error)
    }
    const settings = { engine, threads, coreShare: coreShare / threads }
    this.#newLink = (name, died, thread = 0) => new ThreadLink(name, ports.startThread, { ...settings, thread }, died)
    this.#links = Array.from({ length: threads }, (_, i) => this.#newLink(`tracing thread ${i + 1}`, this.#broke, i))
  }

  /** Starts the threads, and waits for none: a stored scene is read meanwhile. If one cannot start, the pool is broken. */
  static launch(options: ThreadPoolOptions, ports: ThreadPoolPorts): ThreadPool {
    const pool = new ThreadPool(options, ports)
    pool.#ready().catch(() => {})
    return pool
  }

  /** Starts the threads. Rejects with ThreadError if one cannot start, and leaves none running. */
  static async start(options: ThreadPoolOptions, ports: ThreadPoolPorts): Promise<ThreadPool> {
    const pool = new ThreadPool(options, ports)
    try {
      await pool.#ready()
      return pool
    } catch (error) {
      await pool.close()
      throw error
    }
  }

  /**
   * Loads a packed scene: one thread begins, all help and one goes on until it is built, all open. The bytes must not be written to
   * until it is loaded. A scene of that name that is already loaded stays unchanged. `helpers`: the number of additional threads for
   * building. `family` says what it has in common with others, of which more can be taken over than made again. Scenes are loaded one after
   * the other.
   * Rejects with ThreadError; then there is no scene of that name.
   */
  loadScene(
    name: string,
    scene: Uint8Array<SharedArrayBuffer>,
    helpers = 0,
    family?: SceneFamily,
  ): Promise<{ buildMs: number; image?: Uint8Array }> {
    return this.#load(name, { buildMs: 0 }, async () => {
      const startedAt = this.#ports.now()
      const { built, image } = await this.#build(scene, helpers, family)
      const buildMs = this.#ports.now() - startedAt
      await this.#open(name, built, family)
      return { buildMs, ...(image ? { image } : {}) }
    })
  }

  /**
   * Loads a scene that was built and stored by the same engine; false if the stored scene is damaged.
   * Rejects with ThreadError, or as `read` does; then there is no scene of that name.
   */
  restoreScene(name: string, { bytes, read }: StoredScene): Promise<boolean> {
    return this.#load(name, true, async () => {
      const { room, image } = this.#ports.reserve(bytes)
      if (!(await read(image))) return false
      const restored = await this.#links[0]!.ask('restoring the scene', { type: 'restore', room })
      if (restored.type !== 'built') throw new InvariantError(`'restore' was answered by '${restored.type}'`)
      await this.#open(name, restored.built)
      return true
    })
  }

  async #ready(): Promise<void> {
    await Promise.all(this.#links.map(link => link.ready()))
  }

  async #open(scene: string, finished: object, family?: SceneFamily): Promise<void> {
    const built = (await this.#ports.place?.(scene, finished)) ?? finished
    await this.#askAll('opening the scene', { type: 'open', scene, built, family })
    this.#scenes.set(scene, new Set())
  }

  /** Loads a scene with `load`, alone; resolves with `held` if one of that name is already loaded. */
  #load<T>(name: string, held: T, load: () => Promise<T>): Promise<T> {
    return this.#loads.alone(async () => {
      this.#checkUsable()
      if (this.#scenes.has(name)) return held
      try {
        return await load()
      } catch (error) {
        await this.#forget(name).catch(() => {})
        throw error
      } finally {
        // Scenes pass through this thread, too; once the caller is done with them, nothing here retains them.
        this.#ports.collectSoon()
      }
    })
  }

  /** Frees a scene and its structure, if there is one of that name, when its pending tiles are done. */
  unloadScene(name: string): Promise<void> {
    return this.#loads.alone(async () => {
      this.#checkUsable()
      const tiles = this.#scenes.get(name)
      if (!tiles) return
      this.#scenes.delete(name)
      await Promise.allSettled(tiles)
      if (this.#scenes.size === 0) this.#spare.length = 0
      await this.#forget(name)
      this.#ports.collectSoon()
    })
  }

  /**
   * Traces a tile, or the part of it that is wanted according to `progress`; undefined if that is nothing. Tiles are traced in the
   * order in which they were requested, urgent ones at once, and threads that are done with one go on to the next immediately.
   * Rejects with ThreadError.
   */
  async trace(order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    this.#checkUsable()
    const tiles = this.#scenes.get(order.scene)
    if (!tiles) throw new ThreadError(this.#notLoaded(order))
    const trace = () => this.#trace(order, progress)
    const traced = order.urgent ? trace() : this.#tiles.overlapping(trace)
    tiles.add(traced)
    try {
      return await traced
    } finally {
      tiles.delete(traced)
    }
  }

  /** Terminates all threads immediately; pending calls reject with ThreadError. */
  async close(): Promise<void> {
    await this.#shut(new ThreadError('the thread pool is closed'))
  }

  #checkUsable(): void {
    if (this.#end) throw this.#end
  }

  #notLoaded({ scene, view, tile }: TileOrder): string {
    const loaded = [...this.#scenes.keys()].map(name => name.slice(0, 12)).join(', ') || 'none'
    return `tracing ${formatRect(tile.rect)} of frame ${view.frame}: scene ${scene.slice(0, 12)} is not loaded, expected one of those that are (${loaded}); load it first`
  }

  async #trace(order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    this.#checkUsable()
    if (progress.isVoid) return undefined
    const { scene, view, tile, cell, samples = allSamples(view), channels = ['rgb'], urgent } = order
    const room = this.#spare.pop() ?? new TileRoom()
    const above = pixelsAbove(tile, room.above)
    const all = above.at(-1)!
    const pixels = room.pixels.ofBytes(all * bytesPerPixelOf(channels))
    const quality = { ...view.quality, samples: samples.to - samples.from }
    const cells = cell === undefined ? undefined : shareCells(tile.rect, cell, quality, room)
    try {
      const answers = await this.#askAll(
        `tracing ${formatRect(tile.rect)} of frame ${view.frame}`,
        {
          type: 'trace',
          scene,
          view,
          tile,
          samples,
          channels,
          orderedAt: this.#ports.now(),
          progress: progress.bytes,
          pixels,
          above: above.buffer,
          ...(cells ? { cells } : {}),
          ...(urgent ? { urgent } : {}),
        },
        () => progress.fail(),
      )
      if (progress.isVoid) return undefined
      const shares = answers.filter(answer => answer.type === 'traced').filter(({ rows }) => rows > 0)
      const { rows } = progress
      return {
        rows,
        pixels: firstPixels(pixels, channels, all, above[rows]!),
        cpuMs: shares.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
        wallMs: wallMsOf(shares),
        ...(cells ? readCells(cells, { ...tile.rect, h: rows }) : {}),
      }
    } finally {
      this.#spare.push(room)
    }
  }

  async #forget(scene: string): Promise<void> {
    await this.#askAll('dropping the scene', { type: 'forget', scene })
    this.#ports.displace?.(scene)
  }

  /** @param helpers threads that help to build, in addition to those of the pool, and then end */
  async #build(
    scene: Uint8Array<SharedArrayBuffer>,
    helpers: number,
    family: SceneFamily | undefined,
  ): Promise<{ built: object; image?: Uint8Array }> {
    const first = this.#links[0]!
    const temporary = Array.from(
      { length: helpers },
      (_, i) => new TemporaryThread(died => this.#newLink(`helping thread ${i + 1}`, died), this.#broke),
    )
    try {
      let now = await first.ask('beginning to build the scene', { type: 'begin', scene, family })
      while (now.type === 'begun') {
        const { building } = now
        for (const thread of temporary) thread.help(building)
        await this.#askAll('building the scene', { type: 'help', building })
        await Promise.all(temporary.map(thread => thread.done()))
        now = await first.ask('going on with the scene', { type: 'go-on', building })
      }
      if (now.type !== 'built') throw new InvariantError(`'go-on' was answered by '${now.type}'`)
      return now
    } finally {
      await Promise.all(temporary.map(thread => thread.close()))
    }
  }

  /** Sends all threads the same order; waits for every answer, even after a failure, then throws the first failure. */
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
      // When a thread dies, the others are closed because of it: report the original error.
      if (result.status === 'rejected') throw this.#end ?? result.reason
      return result.value
    })
  }

  async #shut(end: ThreadError): Promise<void> {
    this.#end ??= end
    await Promise.all(this.#links.map(link => link.close()))
  }
}

/** How long threads traced a tile together, ms. Each of them gives way for as long as it helps with what is urgent: their mean is what it cost. */
function wallMsOf(shares: readonly Extract<ThreadAnswer, { readonly type: 'traced' }>[]): number {
  const ms = Math.max(...shares.map(({ end }) => end)) - Math.min(...shares.map(({ start }) => start))
  return Math.max(0, ms - shares.reduce((sum, { gaveWayMs }) => sum + gaveWayMs, 0) / shares.length)
}

/** Copies the first `count` of a tile's `all` pixels, channel after channel. */
function firstPixels(
  tile: SharedArrayBuffer,
  channels: readonly ChannelName[],
  all: number,
  count: number,
): Uint8Array<ArrayBuffer> {
  const first = new Uint8Array(count * bytesPerPixelOf(channels))
  let [from, to] = [0, 0]
  for (const channel of channels) {
    const bytes = bytesPerPixel(channel)
    first.set(new Uint8Array(tile, from, count * bytes), to)
    from += all * bytes
    to += count * bytes
  }
  return first
}

/**
 * A thread that helps to build as soon as it has started. Nobody waits for that: if it is slow, or cannot be started, the other threads do its
 * part. But what it has begun is missing if it fails.
 */
class TemporaryThread {
  readonly #link: ThreadLink
  #isReady = false
  /** What it may begin to help with. */
  #building: object | undefined
  #helping: Promise<unknown> | undefined

  /** @param broke called if it ends while it helps: others may wait for what it had taken */
  constructor(start: (died: (error: ThreadError) => void) => ThreadLink, broke: (error: ThreadError) => void) {
    this.#link = start(error => this.#helping && broke(error))
    this.#link.ready().then(
      () => {
        this.#isReady = true
        this.#begin()
      },
      () => {},
    )
  }

  help(building: object): void {
    this.#building = building
    this.#begin()
  }

  /** It begins nothing more, and resolves when nothing is left of what it has begun. Rejects with ThreadError if that failed. */
  async done(): Promise<void> {
    this.#building = undefined
    await this.#helping
    this.#helping = undefined
  }

  close(): Promise<void> {
    return this.#link.close()
  }

  #begin(): void {
    if (!this.#isReady || !this.#building) return
    this.#helping = this.#link.ask('building the scene', { type: 'help', building: this.#building })
    this.#helping.catch(() => {})
  }
}
