/**
 * An accelerator that may fail, behind one that does not: what it fails, the CPU traces, with the same bytes, and no tile waits for more
 * than that. A device that ended, gave no sign of a tile, or answered with wrong pixels is withdrawn with a reason, started anew after a
 * pause, and given its scenes again.
 */

import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { bytesPerPixel, bytesPerPixelOf, type ChannelName, splitPlanes } from '../../shared/frame/channels.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { hash32 } from '../../shared/math/random.ts'
import type { StoredScene } from '../scenes.ts'
import type { SceneFamily } from '../threads/messages.ts'
import type { TileOrder, TracedTile } from '../tile-order.ts'
import type { TilePool } from '../tile-pool.ts'
import { TileProgress } from '../tile-progress.ts'

/** A device that was started. */
export interface Device {
  readonly pool: TilePool
  /** Rejects once it has ended by itself. */
  readonly broken: Promise<never>
  close(): Promise<void>
}

/** A device failed a request or its test, or ended. */
export class DeviceError extends SortfirstError {
  readonly code = 'DEVICE_FAILED'
}

export interface GuardOptions {
  /** Starts the device. Rejects with a sentence for people. */
  readonly start: () => Promise<Device>
  /** Traces what the device fails, and judges its pixels. */
  readonly cpu: TilePool
  /** Whether it can take over what the CPU has built; if not, it builds for itself. */
  readonly restores: boolean
  /** Pixels of every tile that are compared with the CPU's; 0: it runs the same code. */
  readonly checkedPixels: number
  /**
   * Hears why the device was withdrawn, and with nothing that it is back.
   * @param isHopeless it cannot use a scene, does not trace, or cannot be started anew: another attempt will hardly do better
   */
  readonly changed: (reason?: string, isHopeless?: boolean) => void
  /** Calls `tick` every so many ms until the answer is called. */
  readonly every: (ms: number, tick: () => void) => () => void
  /** Calls `then` after so many ms, unless the answer is called before. */
  readonly after: (ms: number, then: () => void) => () => void
}

/** What a device failed at: a scene, a tile, or it ended by itself. */
type Failure = 'scene' | 'tile' | 'end'

type Load = (pool: TilePool) => Promise<unknown>

/** A tile on which no work was done for so long: the device hangs, ms. */
export const HUNG_MS = 10_000
/** The same while it builds a scene, which tiles of others wait for, ms. */
export const HUNG_BUILDING_MS = 120_000
const LOOK_MS = 1000
/** A device that was withdrawn is started anew after this pause, and after twice as long each time, ms. */
export const PAUSE_MS = { first: 5000, most: 300_000 } as const

export class GuardedPool implements TilePool {
  readonly #options: GuardOptions
  #device: Device | undefined
  /** How scenes in use are loaded, for a device that is started anew. */
  readonly #scenes = new Map<string, Load>()
  /** A device that was withdrawn is on trial until it has traced a tile. */
  #standing: 'new' | 'proven' | 'on trial' = 'new'
  #pauseMs: number = PAUSE_MS.first
  #cancelRestart = () => {}
  #closed = false
  /** Ends the wait for the tile at hand. */
  #interrupt = (_: unknown) => {}
  /** The tile at hand; a device traces one after the other. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Tiles that the CPU traces or judges. */
  #onCpu = 0
  /** Scenes that the device is loading. */
  #loading = 0

  private constructor(options: GuardOptions, device: Device) {
    this.#options = options
    this.#use(device)
  }

  /** Rejects as starting the device does. */
  static async start(options: GuardOptions): Promise<GuardedPool> {
    return new GuardedPool(options, await options.start())
  }

  async loadScene(
    name: string,
    scene: Uint8Array<SharedArrayBuffer>,
    helpers?: number,
    family?: SceneFamily,
  ): Promise<{ buildMs: number }> {
    let buildMs = 0
    await this.#load(name, async pool => {
      ;({ buildMs } = await pool.loadScene(name, scene, helpers, family))
    })
    return { buildMs }
  }

  async restoreScene(name: string, stored: StoredScene): Promise<boolean> {
    if (!this.#options.restores) return false
    await this.#load(name, async pool => {
      if (!(await pool.restoreScene(name, stored))) throw new Error('it cannot take over the scene that was built')
    })
    return true
  }

  async unloadScene(name: string): Promise<void> {
    this.#scenes.delete(name)
    await this.#device?.pool.unloadScene(name).catch(error => this.#fail(this.#device, 'end', messageOf(error)))
  }

  trace(order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    const traced = this.#turn.then(() => this.#trace(order, progress))
    this.#turn = traced.catch(() => {})
    return traced
  }

  get waitsForCpu(): boolean {
    return this.#onCpu > 0
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancelRestart()
    await this.#device?.close()
  }

  async #trace(order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    // It waited for its turn. Of a frame that is done, the scene may be gone.
    if (progress.isVoid) return undefined
    const device = this.#device
    if (!device) return this.#traceOnCpu(order, progress)
    try {
      const traced = await this.#watched(device, order, progress)
      if (!traced || progress.stopped) return traced
      const wrong = await this.#wrongPixels(order, traced)
      if (wrong === 0) {
        this.#pauseMs = PAUSE_MS.first
        this.#standing = 'proven'
        return traced
      }
      await this.#fail(
        device,
        'tile',
        `${wrong} of ${this.#options.checkedPixels} pixels of a tile that were checked are wrong`,
      )
    } catch (error) {
      await this.#fail(device, 'tile', messageOf(error))
    }
    if (progress.stopped) return undefined
    progress.restart()
    return this.#traceOnCpu(order, progress)
  }

  async #traceOnCpu(order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    this.#onCpu++
    try {
      return await this.#options.cpu.trace(order, progress)
    } finally {
      this.#onCpu--
    }
  }

  /** What the device makes of a tile; rejects when it hangs. */
  #watched(device: Device, order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    return new Promise((resolve, reject) => {
      let portions: number | undefined
      let quietMs = 0
      const stop = this.#options.every(LOOK_MS, () => {
        quietMs = progress.portions === portions ? quietMs + LOOK_MS : 0
        portions = progress.portions
        const most = this.#loading > 0 ? HUNG_BUILDING_MS : HUNG_MS
        if (quietMs >= most) reject(new Error(`it gave no sign of its tile for ${most / 1000} s`))
      })
      this.#interrupt = reject
      device.pool.trace(order, progress).then(resolve, reject).finally(stop)
    })
  }

  /** How many of a few pixels are not those that the CPU makes. */
  async #wrongPixels(order: TileOrder, { rows, pixels }: TracedTile): Promise<number> {
    const { checkedPixels } = this.#options
    if (checkedPixels === 0) return 0
    const tile = { ...order.tile, rect: { ...order.tile.rect, h: rows } }
    const { channels = ['rgb'] } = order
    const planes = splitPlanes(channels, pixels.length / bytesPerPixelOf(channels), pixels)
    const places = placesIn(tile, checkedPixels, order.view.frame)
    const { cell: _, ...plain } = order
    const isWrong = async ({ x, y, index }: (typeof places)[number]): Promise<boolean> => {
      const judged = await this.#traceOnCpu({ ...plain, tile: { rect: { x, y, w: 1, h: 1 } } }, TileProgress.of(1))
      const own = channels.flatMap(channel => [...bytesOf(planes, channel, index)])
      return !judged || judged.pixels.some((value, i) => value !== own[i])
    }
    // All at once: they wait for what the CPU has to do, which may take long, and should do so only once.
    const judgements = await Promise.all(places.map(isWrong))
    return judgements.filter(wrong => wrong).length
  }

  async #load(name: string, how: Load): Promise<void> {
    this.#scenes.set(name, how)
    const device = this.#device
    if (!device) return
    this.#loading++
    try {
      await how(device.pool)
    } catch (error) {
      await this.#fail(device, 'scene', messageOf(error))
    } finally {
      this.#loading--
    }
  }

  #use(device: Device): void {
    this.#device = device
    // Once per device: what waits on a promise that lives as long as the device is kept as long, and with it a tile's pixels.
    device.broken.catch(error => {
      this.#interrupt(error)
      return this.#fail(device, 'end', messageOf(error))
    })
  }

  /** Sets a device aside, once. */
  async #fail(device: Device | undefined, at: Failure, reason: string): Promise<void> {
    if (!device || this.#device !== device) return
    this.#device = undefined
    if (this.#closed) return
    const isHopeless = at === 'scene' || this.#standing === 'on trial' || (this.#standing === 'new' && at === 'tile')
    this.#standing = 'on trial'
    this.#restartLater(reason, isHopeless)
    // Its threads may still be at work in memory that the CPU is about to use.
    await device.close().catch(() => {})
  }

  #restartLater(reason: string, isHopeless: boolean): void {
    this.#cancelRestart = this.#options.after(this.#pauseMs, () => void this.#restart())
    this.#pauseMs = Math.min(2 * this.#pauseMs, PAUSE_MS.most)
    this.#options.changed(reason, isHopeless)
  }

  async #restart(): Promise<void> {
    let device: Device | undefined
    try {
      device = await this.#options.start()
      // Scenes come and go meanwhile: it is used at the moment at which it has exactly those in use.
      const held = new Map<string, Load>()
      for (let next = this.#missing(held); next; next = this.#missing(held)) await next(device.pool)
      if (this.#closed) return void (await device.close())
      this.#use(device)
      this.#options.changed()
    } catch (error) {
      await device?.close().catch(() => {})
      if (!this.#closed) this.#restartLater(messageOf(error), true)
    }
  }

  /** What is to be done next so that a device that holds these scenes holds those in use; undefined: nothing. */
  #missing(held: Map<string, Load>): Load | undefined {
    for (const [name, load] of held) {
      if (this.#scenes.get(name) === load) continue
      held.delete(name)
      return pool => pool.unloadScene(name)
    }
    for (const [name, load] of this.#scenes) {
      if (held.has(name)) continue
      held.set(name, load)
      return load
    }
    return undefined
  }
}

/** The bytes of one pixel of a channel. */
const bytesOf = (planes: ReadonlyMap<ChannelName, Uint8Array>, channel: ChannelName, index: number): Uint8Array =>
  planes.get(channel)!.subarray(index * bytesPerPixel(channel), (index + 1) * bytesPerPixel(channel))

/** Some pixels of a set, by chance that depends on the frame, with their places among the packed pixels. */
function placesIn(set: PixelSet, count: number, seed: number): { x: number; y: number; index: number }[] {
  const total = pixelCount(set)
  const wanted = new Set(Array.from({ length: count }, (_, i) => hash32(seed, set.rect.x, set.rect.y, i) % total))
  const places: { x: number; y: number; index: number }[] = []
  let at = 0
  forEachRun(set, (x, y, length) => {
    for (const index of wanted) if (index >= at && index < at + length) places.push({ x: x + index - at, y, index })
    at += length
  })
  return places
}
