/** A tab that traces, without a browser: its program over a WebSocket as a page opens it, and threads of Node.js. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { TabState } from '../../shared/page/tab-messages.ts'
import { engineByName } from '../../worker/node/engines.ts'
import { sharedNow } from '../../worker/node/shared-clock.ts'
import { launchThreadPool } from '../../worker/node/thread-pool.ts'
import { CopiedPool } from '../../worker/tab/copied-pool.ts'
import { CopyThread } from '../../worker/tab/copy-thread.ts'
import { SocketChannel, type TabSocket } from '../../worker/tab/socket-channel.ts'
import { type TabAreas, type TabPorts, TabWorker } from '../../worker/tab/tab-worker.ts'
import type { TilePool } from '../../worker/tile-pool.ts'

/** Exchanges the ticket of a link, and opens the WebSocket that its cookie is for. */
export async function openTabSocket(link: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const { origin, hash, host } = new URL(link)
  const body = JSON.stringify({ ticket: hash.slice(1) })
  const answer = await fetch(`${origin}/work-access`, { method: 'POST', body, headers: { origin } })
  if (!answer.ok) throw new Error(await answer.text())
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  return new WebSocket(`ws://${host}/work`, { headers: { origin, cookie, ...headers } })
}

const OFFER = (threads: number): TabAreas['offers'][number] => {
  const { name, fingerprint, grain } = engineByName('wasm')
  const { blockRows: rows, fineRays: rays } = grain
  return { engine: name, kernel: fingerprint, speed: 1, threads, clock: 'wall', grain: { rows, rays } }
}

export function sharingAreas(threads: number): TabAreas {
  const pool = launchThreadPool({ threads, engine: 'wasm' })
  return {
    offers: [OFFER(threads)],
    pools: [pool],
    broken: pool.broken,
    isShared: true,
    close: () => void pool.close(),
  }
}

/** A pool behind messages that share no memory, in this thread. */
export function copiedPool(): TilePool {
  const engine = engineByName('wasm')
  const thread = new CopyThread(engine, { cpuClock: performance, now: sharedNow, collectGarbage: () => {} })
  return new CopiedPool(
    async order => {
      const answer = structuredClone(await thread.answer(structuredClone(order)))
      if (answer.type === 'failed') throw new Error(answer.reason)
      return answer
    },
    engine.grain,
    { now: sharedNow, sleep: async () => {}, share: () => 1 },
  )
}

export const copyingAreas = (threads: number): TabAreas => ({
  offers: Array.from({ length: threads }, (_, i) => ({ ...OFFER(1), ...(i === 0 ? {} : { device: `copy ${i + 1}` }) })),
  pools: Array.from({ length: threads }, copiedPool),
  broken: new Promise<never>(() => {}),
  isShared: false,
  close: () => {},
})

export interface OpenTab {
  readonly worker: TabWorker
  readonly states: TabState[]
  /** Resolves when it has said this. */
  until(phase: TabState['phase']): Promise<TabState>
  readonly ended: Promise<void>
}

export function openTab(
  name: string,
  threads: number,
  ports: Pick<TabPorts, 'connect' | 'startAreas'> & Partial<TabPorts>,
): OpenTab {
  const states: TabState[] = []
  let wake = () => {}
  const worker = new TabWorker({ name, key: name }, threads, {
    clock: performance,
    openCard: () => Promise.reject(new Error('this browser has no WebGPU')),
    every: (intervalMs, tick) => {
      const timer = setInterval(tick, intervalMs)
      return () => clearInterval(timer)
    },
    turns: { now: () => performance.now(), pause: () => new Promise(resolve => setImmediate(resolve)) },
    random: () => 0.5,
    slowDown: () => {},
    ...ports,
    say: state => {
      states.push(state)
      wake()
    },
  })
  const until = async (phase: TabState['phase']): Promise<TabState> => {
    for (;;) {
      const found = states.find(state => state.phase === phase)
      if (found) return found
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  return { worker, states, until, ended: worker.run() }
}

/** By a link, of which later connections need none. */
export async function joinAsTab(
  name: string,
  link: string,
  startAreas: TabPorts['startAreas'] = sharingAreas,
  threads = 1,
): Promise<OpenTab> {
  const tab = openTab(name, threads, {
    startAreas,
    connect: async () => {
      const socket = await openTabSocket(link)
      const channel = new SocketChannel(socket as unknown as TabSocket)
      await once(socket, 'open')
      return channel
    },
  })
  await tab.until('waiting')
  return tab
}
