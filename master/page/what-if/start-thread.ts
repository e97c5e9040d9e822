/** The thread of a desk in Node. */
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../../shared/errors.ts'
import { threadProgram } from '../../../shared/node/program-files.ts'
import type { StartGuesses } from './desk.ts'
import type { GuessAnswer } from './guesser.ts'

export const startGuesses: StartGuesses = ({ answered, failed }) => {
  const worker = new Worker(threadProgram('master/page/what-if/guess-thread.js'), { name: 'what-if' })
  // The program may end while it works.
  worker.unref()
  let isOver = false
  worker.on('message', (answer: GuessAnswer) => isOver || answered(answer))
  worker.on('error', error => isOver || failed(messageOf(error)))
  return {
    post: job => worker.postMessage(job),
    end() {
      isOver = true
      void worker.terminate()
    },
  }
}
