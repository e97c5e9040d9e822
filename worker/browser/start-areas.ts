/** What a tab traces with: threads that share a scene where its page may share memory, and threads with a copy each elsewhere. */
import { messageOf } from '../../shared/errors.ts'
import { HIDDEN_SHARE } from '../../shared/page/tab-messages.ts'
import type { AreaOffer } from '../../shared/protocol/messages.ts'
import { MAX_AREAS } from '../../shared/protocol/version.ts'
import type { WasmEngine } from '../engine/wasm/wasm-engine.ts'
import { type AskCopy, CopiedPool, type CopyAnswer } from '../tab/copied-pool.ts'
import type { TabAreas } from '../tab/tab-worker.ts'
import type { ThreadAnswer, ThreadOrder } from '../threads/messages.ts'
import { type StartThread, ThreadError } from '../threads/thread-link.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import { SHARE, SIGN, sharedNow, type ThreadStart } from './thread-messages.ts'

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

  start(threads: number): TabAreas {
    return this.#control ? this.#sharing(threads, this.#control) : this.#copying(Math.min(threads, MAX_AREAS))
  }

  #sharing(threads: number, control: Int32Array<SharedArrayBuffer>): TabAreas {
    const { engine } = this.#ports
    const startThread: StartThread = (name, settings, events) => {
      const worker = this.#worker(name, { settings, control }, why => events.ended(why, undefined))
      worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => events.answered(data)
      return { post: (order: ThreadOrder) => worker.postMessage(order), end: async () => worker.terminate() }
    }
    const pool = ThreadPool.launch(
      { threads, engine: engine.name },
      { startThread, now: sharedNow, collectSoon: () => {}, reserve: bytes => engine.storage.reserve(bytes) },
    )
    return {
      offers: [this.#offer(threads)],
      pools: [pool],
      broken: pool.broken,
      isShared: true,
      close: () => void pool.close(),
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
    worker.postMessage({ ...start, kernel } satisfies ThreadStart)
    return worker
  }
}
