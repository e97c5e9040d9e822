/**
 * Who wants to know what other strategies would have taken, of which runs: a thread begins with the first frame that somebody wants to know it
 * of, and ends with the last who does. It works on one frame at a time, and then on the newest.
 */
import type { GuessAnswer, GuessJob } from './guesser.ts'

export interface GuessThread {
  /** One at a time: the next is for when it has answered. */
  post(job: GuessJob): void
  end(): void
}

export type StartGuesses = (events: {
  answered(answer: GuessAnswer): void
  failed(reason: string): void
}) => GuessThread

export interface DeskPorts {
  readonly start: StartGuesses
  told(answer: GuessAnswer): void
  failed(run: number, reason: string): void
}

export class WhatIfDesk {
  readonly #ports: DeskPorts
  /** The run that each wants to know it of. */
  readonly #wanted = new Map<object, number>()
  /** The newest frames that wait, by run. */
  readonly #waiting = new Map<number, GuessJob>()
  #thread: GuessThread | undefined
  /** The run whose frame is worked on. */
  #current: number | undefined
  /** One that failed is not started again before somebody else wants to know. */
  #hasFailed = false

  constructor(ports: DeskPorts) {
    this.#ports = ports
  }

  /** @param run undefined: of none, any more */
  want(who: object, run: number | undefined): void {
    if (run === undefined) this.#wanted.delete(who)
    else {
      if (this.#wanted.get(who) !== run) this.#hasFailed = false
      this.#wanted.set(who, run)
    }
    if (this.#wanted.size === 0) this.#end()
  }

  wants(run: number): boolean {
    if (this.#wanted.size === 0 || this.#hasFailed) return false
    for (const wanted of this.#wanted.values()) if (wanted === run) return true
    return false
  }

  take(job: GuessJob): void {
    if (!this.wants(job.run)) return
    this.#waiting.set(job.run, job)
    this.#next()
  }

  #next(): void {
    const [next] = this.#waiting.values()
    if (!next || this.#current !== undefined) return
    this.#waiting.delete(next.run)
    if (!this.wants(next.run)) return this.#next()
    this.#thread ??= this.#ports.start({
      answered: answer => {
        this.#current = undefined
        this.#ports.told(answer)
        this.#next()
      },
      failed: reason => {
        const run = this.#current
        this.#end()
        this.#hasFailed = true
        if (run !== undefined) this.#ports.failed(run, reason)
      },
    })
    this.#current = next.run
    this.#thread.post(next)
  }

  #end(): void {
    this.#thread?.end()
    this.#thread = undefined
    this.#current = undefined
    this.#waiting.clear()
  }
}
