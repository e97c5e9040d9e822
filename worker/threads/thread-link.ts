/** The pool's end of one thread: orders out, one answer back for each. */
import { SortfirstError } from '../../shared/errors.ts'
import type { ThreadAnswer, ThreadOrder, ThreadSettings } from './messages.ts'

/** A thread failed at what it was told, or ended. */
export class ThreadError extends SortfirstError {
  readonly code = 'THREAD_FAILED'
}

/** A thread as its runtime has it. */
export interface RunningThread {
  post(order: ThreadOrder): void
  /** Ends it at once, whatever it is at. */
  end(): Promise<void>
}

/** What comes of a thread. */
export interface ThreadEvents {
  answered(answer: ThreadAnswer): void
  /** It has ended, by itself or because it was told to; `how` says so in words. */
  ended(how: string, cause: unknown): void
}

/** Starts a thread, whose first answer says that it can be asked. */
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
  /** What was asked and is not answered yet; answers come in the order of the questions. */
  readonly #waiting: Waiting[] = []
  /** Set once the thread cannot answer any more. */
  #end: ThreadError | undefined

  /** Starts a thread; `ready` tells when it can be asked. `died` is called when it ends without having been closed. */
  constructor(name: string, start: StartThread, settings: ThreadSettings, died: (error: ThreadError) => void) {
    this.#name = name
    this.#died = died
    this.#thread = start(name, settings, {
      answered: answer => this.#take(answer),
      ended: (how, cause) => this.#ended(how, cause),
    })
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
    if (!this.#end) this.#thread.post(order)
    return answer
  }

  async close(): Promise<void> {
    this.#finish(new ThreadError(`${this.#name} was closed`))
    await this.#thread.end()
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

  #ended(how: string, cause: unknown): void {
    if (this.#end) return
    const error = new ThreadError(`${this.#name} ended by itself: ${how}`, { cause })
    this.#finish(error)
    this.#died(error)
  }

  #finish(end: ThreadError): void {
    this.#end ??= end
    for (const { reject } of this.#waiting.splice(0)) reject(end)
  }
}
