/** Tracing threads in Node: worker threads with their own program. */
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../shared/errors.ts'
import type { ThreadAnswer } from '../threads/messages.ts'
import type { StartThread } from '../threads/thread-link.ts'

/** Starts threads that run a program. */
export const threadsOf =
  (program: URL): StartThread =>
  (name, settings, events) => {
    const worker = new Worker(program, { name, workerData: settings })
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
