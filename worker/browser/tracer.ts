/** One tracing thread in a browser. */

import { WasmEngine } from '../engine/wasm/wasm-engine.ts'
import type { CopyAnswer, CopyOrder } from '../tab/copied-pool.ts'
import { CopyThread } from '../tab/copy-thread.ts'
import type { ThreadAnswer, ThreadOrder } from '../threads/messages.ts'
import { raysElsewhere } from '../threads/rays-line.ts'
import { TracingThread } from '../threads/tracing-thread.ts'
import { SHARE, SIGN, SIGN_MS, sharedNow, type ThreadStart } from './thread-messages.ts'

/** Browsers say no CPU time, and collect garbage when they like. */
const COMMON = { cpuClock: performance, now: sharedNow, collectGarbage: () => {} } as const

export function beginTracing({ settings, kernel, control, rays }: ThreadStart): void {
  const device = rays && raysElsewhere(rays)
  const engine = new WasmEngine('wasm', kernel, () => '', false, undefined, device)
  if (control) shareScenes(settings, engine, control)
  else copyScenes(engine)
}

function shareScenes(settings: ThreadStart['settings'], engine: WasmEngine, control: Int32Array): void {
  const share = () => Atomics.load(control, SHARE) / 100
  const thread = new TracingThread(settings, engine, { ...COMMON, share })
  self.onmessage = ({ data }: MessageEvent<ThreadOrder>) => self.postMessage(thread.answer(data))
  self.postMessage({ type: 'done' } satisfies ThreadAnswer)
}

function copyScenes(engine: WasmEngine): void {
  let signedAt = 0
  const share = () => {
    if (sharedNow() - signedAt >= SIGN_MS) {
      signedAt = sharedNow()
      self.postMessage(SIGN)
    }
    return 1
  }
  const thread = new CopyThread(engine, { ...COMMON, share })
  let turn = Promise.resolve()
  self.onmessage = ({ data }: MessageEvent<CopyOrder>) => {
    turn = turn.then(async () => {
      const answer: CopyAnswer = await thread.answer(data)
      self.postMessage(answer, answer.type === 'traced' ? [answer.tile.pixels.buffer] : [])
    })
  }
}
