/** The pool's end of one thread: sends orders, and receives one answer for each. */
import { SortfirstError } from '../../shared/errors.ts'
import type { ThreadAnswer, ThreadOrder, ThreadSettings } from './messages.ts'

/** A thread failed at an order, or ended. */
export class ThreadError extends SortfirstError {
  readonly code = 'THREAD_FAILED'
}

/** A thread, as provided by the runtime. */
export interface RunningThread {
  post(order: ThreadOrder): void
  /** Terminates it immediately, whatever it is doing. */
  end(): Promise<void>
}

/** The events of a thread. */
export interface ThreadEvents {
  answered(answer: ThreadAnswer): void
  /** It has ended, by itself or because it was terminated; `how` describes it in words. */
  ended(how: string, cause: unknown): void
}

/** Starts a thread, whose first answer says that it is ready for orders. */
export type StartThread = (name: string, settings: ThreadSettings, events: ThreadEvents) => RunningThread

interface Waiting {
  readonly task: string
  resolve(answer: ThreadAnswer): void
  reject(error: ThreadError): void
}

export class ThreadLink {
  readonly #name: string
  readonly #thread: RunningThread
  readonly #died: (error: ThreadError) => void
  /** Orders that are not answered yet; answers come in the order of the orders, but for urgent ones, which have an order of their own. */
  readonly #waiting: Waiting[] = []
  readonly #urgent: Waiting[] = []
  /** Set once the thread cannot answer any more. */
  #end: ThreadError | undefined

  /** Starts a thread; `ready` resolves when it accepts orders. `died` is called if it ends without having been closed. */
  constructor(name: string, start: StartThread, settings: ThreadSettings, died: (error: ThreadError) => void) {
    this.#name = name
    this.#died = died
    this.#thread = start(name, settings, {
      answered: answer => this.#take(answer),
      ended: (how, cause) => this.#ended(how, cause),
    })
  }

  /** Resolves with the thread's first answer. */
  ready(): Promise<ThreadAnswer> {
    return this.#answer('starting')
  }

  /**
   * Sends an order and waits for its answer; the thread processes orders one after the other. `task` describes the attempt in
   * errors.
   * Rejects with ThreadError; the thread survives a failed order.
   */
  ask(task: string, order: ThreadOrder): Promise<ThreadAnswer> {
    const answer = this.#answer(task, order.type === 'trace' && order.urgent ? this.#urgent : this.#waiting)
    if (!this.#end) this.#thread.post(order)
    return answer
  }

  async close(): Promise<void> {
    this.#finish(new ThreadError(`${this.#name} was closed`))
    await this.#thread.end()
  }

  #answer(task: string, queue = this.#waiting): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#end) reject(this.#end)
      else queue.push({ task, resolve, reject })
    })
  }

  #take(answer: ThreadAnswer): void {
    const waiting = (answer.urgent ? this.#urgent : this.#waiting).shift()
    if (answer.type === 'failed')
      waiting?.reject(
        new ThreadError(`${this.#name}: ${waiting.task} failed: ${answer.reason}`, { cause: answer.stack }),
      )
    else waiting?.resolve(answer)
  }

  #ended(how: string, cause: unknown): void {
    if (this.#end) return
    const error = new ThreadError(`${this.#name} ended unexpectedly: ${how}`, { cause })
    this.#finish(error)
    this.#died(error)
  }

  #finish(end: ThreadError): void {
    this.#end ??= end
    for (const { reject } of [...this.#waiting.splice(0), ...this.#urgent.splice(0)]) reject(end)
  }
}
