/** Threads of a pool in Node. */
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../shared/errors.ts'
import { threadProgram } from '../../shared/node/program-files.ts'
import type { StartPlaneThread, ThreadAnswer } from './plane-pool.ts'

export const startPlaneThread: StartPlaneThread = ({ answered, ended }) => {
  const worker = new Worker(threadProgram('master/planes/plane-thread.js'), { name: 'planes' })
  // The program may end while none has anything to do.
  worker.unref()
  let lastError: unknown
  worker.on('message', (answer: ThreadAnswer) => answered(answer))
  worker.on('error', error => {
    lastError = error
  })
  worker.on('exit', code => ended(lastError === undefined ? `it ended with code ${code}` : messageOf(lastError)))
  return {
    post: (job, transfer) => worker.postMessage(job, [...transfer]),
    end: () => void worker.terminate(),
  }
}
