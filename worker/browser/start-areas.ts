/** What a tab traces with: threads that share a scene where its page may share memory, and threads with a copy each elsewhere. */
import { messageOf } from '../../shared/errors.ts'
import { HIDDEN_SHARE } from '../../shared/page/tab-messages.ts'
import type { AreaOffer } from '../../shared/protocol/messages.ts'
import { MAX_AREAS } from '../../shared/protocol/version.ts'
import { GuardedPool } from '../accelerators/guarded-pool.ts'
import type { WasmEngine } from '../engine/wasm/wasm-engine.ts'
import { type AskCopy, CopiedPool, type CopyAnswer } from '../tab/copied-pool.ts'
import type { TabAreas } from '../tab/tab-worker.ts'
import type { ThreadAnswer, ThreadOrder } from '../threads/messages.ts'
import type { RaysLine } from '../threads/rays-line.ts'
import { type StartThread, ThreadError } from '../threads/thread-link.ts'
import { ThreadPool, type ThreadPoolPorts } from '../threads/thread-pool.ts'
import type { TilePool } from '../tile-pool.ts'
import type { TileProgress } from '../tile-progress.ts'
import { CardThread } from './card-thread.ts'
import { SHARE, SIGN, sharedNow, type ThreadStart } from './thread-messages.ts'

/** Of every tile of a card, compared with those of the cores. */
const CHECKED_PIXELS = 4

export interface TracingPorts {
  /** The program of a thread. */
  readonly program: string
  readonly kernel: WebAssembly.Module
  readonly engine: WasmEngine
}

export class TabThreads {
  readonly #ports: TracingPorts
  readonly #control: Int32Array<SharedArrayBuffer> | undefined
  /** Of the time that threads may trace. */
  #share = 1

  /** @param isShared whether threads may be posted shared memory */
  constructor(ports: TracingPorts, isShared: boolean) {
    this.#ports = ports
    if (isShared) this.#control = new Int32Array(new SharedArrayBuffer(4)).fill(100)
  }

  slowDown(isHidden: boolean): void {
    this.#share = isHidden ? HIDDEN_SHARE : 1
    if (this.#control) Atomics.store(this.#control, SHARE, 100 * this.#share)
  }

  /** @param cardFailed hears why the card is not to be used any more */
  async start(threads: number, card?: CardThread, cardFailed?: (reason: string) => void): Promise<TabAreas> {
    if (!this.#control) return this.#copying(Math.min(threads, MAX_AREAS))
    const areas = this.#sharing(threads, this.#control)
    if (!card) return areas
    try {
      return await this.#withCard(areas, threads, this.#control, card, cardFailed ?? (() => {}))
    } catch (error) {
      areas.close()
      throw error
    }
  }

  /** Opens the graphics card, and tries it, until `signal` aborts. Rejects with a reason for people. */
  async openCard(wanted: string | undefined, signal: AbortSignal): Promise<CardThread> {
    const { program, kernel } = this.#ports
    if (!this.#control)
      throw new Error('a graphics card is used only by pages that come over https, or from this machine')
    return CardThread.open(program, kernel, wanted, signal)
  }

  #sharing(threads: number, control: Int32Array<SharedArrayBuffer>): TabAreas {
    const pool = ThreadPool.launch({ threads, engine: this.#ports.engine.name }, this.#poolPorts(control))
    return {
      offers: [this.#offer(threads)],
      pools: [pool],
      broken: pool.broken,
      isShared: true,
      close: () => void pool.close(),
    }
  }

  #poolPorts(control: Int32Array<SharedArrayBuffer>, lines: RaysLine[] = []): ThreadPoolPorts {
    const { engine } = this.#ports
    const startThread: StartThread = (name, settings, events) => {
      const rays = lines.shift()
      const start = { settings, control, ...(rays ? { rays } : {}) }
      const worker = this.#worker(name, start, why => events.ended(why, undefined))
      worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => events.answered(data)
      return { post: (order: ThreadOrder) => worker.postMessage(order), end: async () => worker.terminate() }
    }
    return { startThread, now: sharedNow, collectSoon: () => {}, reserve: bytes => engine.storage.reserve(bytes) }
  }

  /** Beside the cores, an area whose rays the card traces; what it fails, the cores do. */
  async #withCard(
    { offers, pools, broken, isShared, close }: TabAreas,
    threads: number,
    control: Int32Array<SharedArrayBuffer>,
    card: CardThread,
    failed: (reason: string) => void,
  ): Promise<TabAreas> {
    const cpu = pools[0]!
    const scenes = new CardScenes(card)
    const lines = await Promise.all(Array.from({ length: threads }, () => card.line()))
    const own = ThreadPool.launch(
      { threads, engine: this.#ports.engine.name },
      {
        ...this.#poolPorts(control, lines),
        place: (name, built) => scenes.place(name, built),
        displace: name => scenes.displace(name),
      },
    )
    const every = (ms: number, tick: () => void) => {
      const timer = setInterval(tick, ms)
      return () => clearInterval(timer)
    }
    const guard = await GuardedPool.start({
      start: async () => ({ pool: watched(own, card), broken: own.broken, close: () => own.close() }),
      ...{ cpu, restores: false, checkedPixels: CHECKED_PIXELS, every },
      // It is not started anew: its tab is told, and joins again without it.
      changed: reason => reason !== undefined && failed(reason),
      after: () => () => {},
    })
    return {
      offers: [...offers, { ...this.#offer(threads), device: `webgpu:${card.name}` }],
      pools: [cpu, guard],
      ...{ broken, isShared },
      close: () => {
        close()
        void guard.close()
        scenes.close()
      },
    }
  }

  #copying(threads: number): TabAreas {
    const { engine } = this.#ports
    const workers: Worker[] = []
    let report = (_: unknown) => {}
    const broken = new Promise<never>((_, reject) => {
      report = reject
    })
    const pools = Array.from({ length: threads }, (_, thread) => {
      const waiting: { readonly resolve: (answer: CopyAnswer) => void; readonly reject: (error: unknown) => void }[] =
        []
      const settings = { engine: engine.name, coreShare: 1, threads: 1, thread: 0 } as const
      const name = `tracing thread ${thread + 1}`
      const worker = this.#worker(name, { settings }, why => {
        const error = new ThreadError(`${name} ended unexpectedly: ${why}`)
        for (const { reject } of waiting.splice(0)) reject(error)
        report(error)
      })
      workers.push(worker)
      const ask: AskCopy = async order => {
        const answer = await new Promise<CopyAnswer>((resolve, reject) => {
          waiting.push({ resolve, reject })
          worker.postMessage(order, order.type === 'load' ? [order.scene.buffer as ArrayBuffer] : [])
        })
        if (answer.type === 'failed') throw new ThreadError(`${name}: ${answer.reason}`)
        return answer
      }
      const pool = new CopiedPool(ask, engine.grain, {
        now: sharedNow,
        sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
        share: () => this.#share,
      })
      worker.onmessage = ({ data }: MessageEvent<CopyAnswer | typeof SIGN>) => {
        if (data === SIGN) pool.advanced()
        else waiting.shift()?.resolve(data)
      }
      return pool
    })
    const offers = pools.map((_, i) => ({ ...this.#offer(1), ...(i === 0 ? {} : { device: `copy ${i + 1}` }) }))
    const close = () => {
      for (const worker of workers) worker.terminate()
    }
    return { offers, pools, broken, isShared: false, close }
  }

  #offer(threads: number): AreaOffer {
    const { engine } = this.#ports
    const { blockRows: rows, fineRays: rays } = engine.grain
    // Browsers say no CPU time.
    return { engine: engine.name, kernel: engine.fingerprint, speed: 1, threads, clock: 'wall', grain: { rows, rays } }
  }

  #worker(name: string, start: Omit<ThreadStart, 'kernel'>, ended: (why: string) => void): Worker {
    const { program, kernel } = this.#ports
    const worker = new Worker(program, { type: 'module', name })
    worker.onerror = event => {
      worker.terminate()
      ended(event.message || 'it cannot be started')
    }
    worker.onmessageerror = () => ended(messageOf(new TypeError('it was sent what it cannot read')))
    const line = start.rays?.port as MessagePort | undefined
    worker.postMessage({ ...start, kernel } satisfies ThreadStart, line ? [line] : [])
    return worker
  }
}

/** Threads wait for a slow card for seconds between two portions of a tile: that it answers rays is a sign of the tile, too. */
function watched(pool: ThreadPool, card: CardThread): TilePool {
  const open = new Set<TileProgress>()
  card.answered = () => {
    for (const progress of open) progress.advance()
  }
  return {
    loadScene: (...args) => pool.loadScene(...args),
    restoreScene: (...args) => pool.restoreScene(...args),
    unloadScene: name => pool.unloadScene(name),
    trace: async (order, progress) => {
      open.add(progress)
      try {
        return await pool.trace(order, progress)
      } finally {
        open.delete(progress)
      }
    },
  }
}

/** Scenes of one set of threads on a card, which may outlive them. */
class CardScenes {
  readonly #card: CardThread
  /** That are there, or on their way. */
  readonly #placed = new Map<string, Promise<unknown>>()
  /** The same scene may be there for other threads. */
  readonly #prefix = crypto.randomUUID()

  constructor(card: CardThread) {
    this.#card = card
  }

  place(name: string, built: object): Promise<object> {
    const placing = this.#card.place(`${this.#prefix} ${name}`, built)
    this.#placed.set(name, placing)
    return placing
  }

  displace(name: string): void {
    const placing = this.#placed.get(name)
    this.#placed.delete(name)
    const displace = () => this.#card.displace(`${this.#prefix} ${name}`)
    void placing?.then(displace, displace)
  }

  close(): void {
    for (const name of [...this.#placed.keys()]) this.displace(name)
  }
}
