/** Tracing threads in Node: worker threads with their own program. */
import { type MessagePort, Worker } from 'node:worker_threads'
import { messageOf } from '../../shared/errors.ts'
import type { ThreadAnswer } from '../threads/messages.ts'
import type { RaysLine } from '../threads/rays-line.ts'
import type { StartThread } from '../threads/thread-link.ts'

/** Starts threads that run a program. @param line of each to the device of this process, if it has one */
export const threadsOf =
  (program: URL, line?: () => RaysLine): StartThread =>
  (name, settings, events) => {
    const rays = line?.()
    const worker = new Worker(program, {
      name,
      workerData: { ...settings, rays },
      ...(rays ? { transferList: [rays.port as unknown as MessagePort] } : {}),
    })
    let lastError: unknown
    worker.on('message', (answer: ThreadAnswer) => events.answered(answer))
    worker.on('error', error => {
      lastError = error
    })
    worker.on('exit', code => {
      events.ended(lastError === undefined ? `exit code ${code}` : messageOf(lastError), lastError)
    })
    return {
      post: order => worker.postMessage(order),
      end: async () => {
        await worker.terminate()
      },
    }
  }
