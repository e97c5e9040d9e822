/** Tracing threads of a device that starts, and is of no use. Those of the CPU beside it work: each of them has a larger share of a core. */
import { parentPort, workerData } from 'node:worker_threads'
import { engineByName } from '../../../worker/node/engines.ts'
import { sharedNow } from '../../../worker/node/shared-clock.ts'
import type { ThreadAnswer, ThreadOrder, ThreadSettings } from '../../../worker/threads/messages.ts'
import { TracingThread } from '../../../worker/threads/tracing-thread.ts'

/** Of a thread of the CPU. */
export const CPU_SHARE = 0.5

/** Runs a tracing thread that fails orders of one kind where it is a device's. */
export function runUseless(kind: ThreadOrder['type']): void {
  const port = parentPort!
  const settings = workerData as ThreadSettings
  const ports = { cpuClock: performance, now: sharedNow, collectGarbage: () => {} }
  const thread = new TracingThread(settings, engineByName(settings.engine), ports)
  const answer = (order: ThreadOrder): ThreadAnswer =>
    settings.coreShare < CPU_SHARE && order.type === kind
      ? { type: 'failed', reason: 'out of memory', stack: undefined }
      : thread.answer(order)
  port.on('message', (order: ThreadOrder) => port.postMessage(answer(order)))
  port.postMessage({ type: 'done' } satisfies ThreadAnswer)
}
