/**
 * The thread that speaks for a tab with the master. It traces nothing itself, and is not slowed down with the page when nobody
 * sees that.
 */
import { AccessDeniedError } from '../../shared/access/access-denied.ts'
import type { TabState, ToTab } from '../../shared/page/tab-messages.ts'
import { WasmEngine } from '../engine/wasm/wasm-engine.ts'
import { SocketChannel, type TabSocket } from '../tab/socket-channel.ts'
import { TabWorker } from '../tab/tab-worker.ts'
import type { CardThread } from './card-thread.ts'
import { TabThreads } from './start-areas.ts'

/** Of the kernel and the modules around it, as the build found it. */
declare const KERNEL_FINGERPRINT: string

export type TabStart = Extract<ToTab, { type: 'start' }>
type Start = TabStart

const isShared = globalThis.crossOriginIsolated
const say = (state: TabState) => self.postMessage(state)

export async function beginTab({ name, threads, urls, ticket }: Start): Promise<void> {
  const waiting: Exclude<ToTab, Start>[] = []
  self.onmessage = ({ data }: MessageEvent<Exclude<ToTab, Start>>) => void waiting.push(data)
  try {
    const kernel = await WebAssembly.compile(await (await fetch(urls.kernel)).arrayBuffer())
    const engine = new WasmEngine('wasm', kernel, () => KERNEL_FINGERPRINT)
    const tracing = new TabThreads({ program: urls.thread, kernel, engine }, isShared)
    const key = randomWord()
    const worker = new TabWorker({ name, key }, threads, {
      clock: performance,
      every: (intervalMs, tick) => {
        const timer = setInterval(tick, intervalMs)
        return () => clearInterval(timer)
      },
      turns: { now: () => performance.now(), pause: () => new Promise(resolve => setTimeout(resolve)) },
      random: Math.random,
      connect: connector(urls, ticket),
      startAreas: (count, card, failed) => tracing.start(count, card as CardThread | undefined, failed),
      openCard: (wanted, signal) => tracing.openCard(wanted, signal),
      slowDown: isHidden => tracing.slowDown(isHidden),
      say,
    })
    self.onmessage = ({ data }: MessageEvent<Exclude<ToTab, Start>>) => worker.hear(data)
    for (const said of waiting) worker.hear(said)
    await worker.run()
  } catch (error) {
    const text = `this browser cannot trace: ${error instanceof Error ? error.message : error}`
    say({ phase: 'over', text, threads, isShared, tiles: 0, pixels: 0, tracedMs: 0 })
  }
}

/** Of 128 random bits. */
const randomWord = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** The first connection has a ticket, which becomes a cookie; later ones have that. An answer that was lost is given again to the same word. */
function connector({ access, socket: url }: Start['urls'], ticket: string): () => Promise<SocketChannel> {
  let unused = ticket
  const word = randomWord()
  return async () => {
    const answer = await fetch(access, {
      ...{ method: 'POST', body: JSON.stringify({ ticket: unused, word }), credentials: 'same-origin' as const },
    }).catch(() => {
      throw new Error('the master cannot be reached')
    })
    if (answer.status === 401) throw new AccessDeniedError((await answer.text()).trim())
    if (!answer.ok) throw new Error(`the master answers ${answer.status}`)
    unused = ''
    const socket = new WebSocket(url)
    const channel = new SocketChannel(socket as unknown as TabSocket)
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true })
      socket.addEventListener('close', () => reject(new Error('the master does not take the connection')), {
        once: true,
      })
    })
    return channel
  }
}
