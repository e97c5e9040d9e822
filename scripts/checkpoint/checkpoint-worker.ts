/** The checkpoint thread as its owner sees it: it starts with its first order. */
import { Worker } from 'node:worker_threads'
import { SortfirstError } from '../../shared/errors.ts'
import { threadProgram } from '../../shared/node/program-files.ts'
import type { CheckpointAnswer, CheckpointOrder, CheckpointRequest, CheckpointResult } from './checkpoint-thread.ts'

/** The checkpoint thread failed or ended: a bug, or too little memory. */
export class CheckpointThreadError extends SortfirstError {
  readonly code = 'THREAD_FAILED'
}

interface Waiting {
  resolve(result: CheckpointResult): void
  reject(error: Error): void
}

export class CheckpointWorker {
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | undefined
  #orders = 0

  /** Rejects with the errors of the system, which have codes, or CheckpointThreadError. */
  do<O extends CheckpointOrder>(order: O): Promise<CheckpointResult<O>> {
    this.#thread ??= this.#start()
    const thread = this.#thread
    const number = this.#orders++
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve: result => resolve(result as CheckpointResult<O>), reject })
      thread.postMessage({ number, order } satisfies CheckpointRequest)
    })
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #start(): Worker {
    const thread = new Worker(threadProgram('scripts/checkpoint/checkpoint-thread.js'), { name: 'checkpoint' })
    const end = (reason: string) => {
      if (this.#thread === thread) this.#thread = undefined
      for (const { reject } of this.#waiting.values()) reject(new CheckpointThreadError(`keeping frames: ${reason}`))
      this.#waiting.clear()
    }
    thread.on('message', (answer: CheckpointAnswer) => {
      const waiting = this.#waiting.get(answer.number)
      this.#waiting.delete(answer.number)
      if ('result' in answer) return waiting?.resolve(answer.result)
      const { failed, code } = answer
      waiting?.reject(
        code === undefined ? new CheckpointThreadError(failed) : Object.assign(new Error(failed), { code }),
      )
    })
    thread.on('error', error => end(error.message))
    thread.on('exit', () => end('the thread has ended'))
    return thread
  }
}
