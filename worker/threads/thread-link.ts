/** The pool's end of one thread: orders out, one answer back for each. */
import { Worker } from 'node:worker_threads'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import type { ThreadAnswer, ThreadOrder, ThreadSettings } from './messages.ts'

/** A thread failed at what it was told, or ended. */
export class ThreadError extends SortfirstError {
  readonly code = 'THREAD_FAILED'
}

interface Waiting {
  readonly task: string
  resolve(answer: ThreadAnswer): void
  reject(error: ThreadError): void
}

export class ThreadLink {
  readonly #name: string
  readonly #worker: Worker
  readonly #died: (error: ThreadError) => void
  /** What was asked and is not answered yet; answers come in the order of the questions. */
  readonly #waiting: Waiting[] = []
  /** Set once the thread cannot answer any more. */
  #end: ThreadError | undefined
  #lastError: unknown

  /** Starts a thread; `ready` tells when it can be asked. `died` is called when it ends without having been closed. */
  constructor(name: string, program: URL, settings: ThreadSettings, died: (error: ThreadError) => void) {
    this.#name = name
    this.#died = died
    this.#worker = new Worker(program, { name, workerData: settings })
    this.#worker.on('message', (answer: ThreadAnswer) => this.#take(answer))
    this.#worker.on('error', error => {
      this.#lastError = error
    })
    this.#worker.on('exit', code => this.#exited(code))
  }

  /** Resolves with the thread's first words. */
  ready(): Promise<ThreadAnswer> {
    return this.#answer('starting')
  }

  /**
   * Gives an order and waits for its answer; the thread takes orders one after the other. `task` says in an error what was
   * tried.
   * Rejects with ThreadError, of which the thread survives a failure.
   */
  ask(task: string, order: ThreadOrder): Promise<ThreadAnswer> {
    const answer = this.#answer(task)
    if (!this.#end) this.#worker.postMessage(order)
    return answer
  }

  async close(): Promise<void> {
    this.#finish(new ThreadError(`${this.#name} was closed`))
    await this.#worker.terminate()
  }

  #answer(task: string): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#end) reject(this.#end)
      else this.#waiting.push({ task, resolve, reject })
    })
  }

  #take(answer: ThreadAnswer): void {
    const waiting = this.#waiting.shift()
    if (answer.type === 'failed')
      waiting?.reject(
        new ThreadError(`${this.#name}: ${waiting.task} failed: ${answer.reason}`, { cause: answer.stack }),
      )
    else waiting?.resolve(answer)
  }

  #exited(code: number): void {
    if (this.#end) return
    const how = this.#lastError === undefined ? `exit code ${code}` : messageOf(this.#lastError)
    const error = new ThreadError(`${this.#name} ended by itself: ${how}`, { cause: this.#lastError })
    this.#finish(error)
    this.#died(error)
  }

  #finish(end: ThreadError): void {
    this.#end ??= end
    for (const { reject } of this.#waiting.splice(0)) reject(end)
  }
}
