/**
 * A remote cluster whose master may go and come back: after a crash, a restart, a cut cable. Its films go on with the first frame
 * that was not delivered, its viewers with the newest view that was not shown; callers notice no more than a pause.
 */

import { CancelledError, messageOf } from '../../shared/errors.ts'
import type { SessionRunner, SessionSink } from '../../shared/session/session.ts'
import type { Log } from '../../shared/text/log.ts'
import { Backoff } from '../../shared/time/backoff.ts'
import { forUpTo, inWords } from '../../shared/time/duration.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { LastingSession } from './lasting-session.ts'
import { MasterConnectionError, RemoteError } from './remote-errors.ts'

/** A connection that lasted for so long was one, ms. */
const STEADY_MS = 2000

export interface LastingPorts {
  readonly url: string
  /** Connects once, as `connectToCluster` does. */
  readonly connect: (signal: AbortSignal) => Promise<SessionRunner>
  /** How long a session waits for its master between two frames, in all, ms. */
  readonly patienceMs: number
  readonly now: () => number
  /** Waits; rejects as soon as the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** From 0 to below 1. */
  readonly random: () => number
}

export class LastingCluster implements SessionRunner {
  readonly #ports: LastingPorts
  readonly #backoff: Backoff
  readonly #closed = new AbortController()
  /** How long the master was waited for since the last frame, ms. */
  #waitedMs = 0
  /** The newest connection, or the attempts at one. */
  #link: Promise<SessionRunner>

  private constructor(ports: LastingPorts, log: Log, signal: AbortSignal) {
    this.#ports = ports
    this.#backoff = new Backoff(ports.random)
    let said = false
    const isWorthwhile = (error: unknown): boolean => {
      if (!isBusy(error)) return false
      if (!said) log.info(this.#waiting(error))
      said = true
      return true
    }
    this.#link = this.#attempts(isWorthwhile, AbortSignal.any([signal, this.#closed.signal]))
  }

  /** Rejects as `connect` does; only a master that has too many connections is waited for. */
  static async open(ports: LastingPorts, log: Log, signal: AbortSignal): Promise<LastingCluster> {
    const cluster = new LastingCluster(ports, log, signal)
    await cluster.#link
    return cluster
  }

  /** Rejects with MasterConnectionError when the master stays away, else as a connection's `run` does. */
  async run(...[order, scene, source, sink, signal]: Parameters<SessionRunner['run']>): Promise<void> {
    const { now } = this.#ports
    const session = new LastingSession(order, source, sink, now, () => this.#advanced())
    this.#advanced()
    try {
      for (;;) {
        const link = this.#link
        let since: number | undefined
        try {
          const connection = await untilAborted(signal, link)
          since = now()
          return await connection.run(order, scene, session.next(), session.sink, signal)
        } catch (error) {
          if (signal.aborted) throw new CancelledError()
          if (session.refused) throw session.refused.error
          if (!mayPass(error)) throw error
          // A viewer may want nothing for days.
          if (since !== undefined && now() - since >= STEADY_MS && !session.isOwed) this.#advanced()
          await this.#back(link, error, sink, signal)
          session.reconnected()
        }
      }
    } finally {
      session.end()
    }
  }

  async close(): Promise<void> {
    this.#closed.abort(new CancelledError())
    const link = await this.#link.catch(() => undefined)
    await link?.close()
  }

  /** A frame was delivered: whatever happens next is a new misfortune. */
  #advanced(): void {
    this.#waitedMs = 0
    this.#backoff.reset()
  }

  /** Resolves when there is another connection than the one that was lost. */
  async #back(lost: Promise<SessionRunner>, why: unknown, sink: SessionSink, signal: AbortSignal): Promise<void> {
    sink.status(this.#waiting(why))
    if (this.#link === lost) {
      this.#link = this.#return(why)
      // Who waits for it may give up before.
      this.#link.catch(() => {})
    }
    try {
      await untilAborted(signal, this.#link)
    } catch (error) {
      throw signal.aborted ? new CancelledError() : error
    }
    sink.status('connected to the master again', true)
  }

  #waiting(why: unknown): string {
    const { url, patienceMs } = this.#ports
    const left = Math.max(0, patienceMs - this.#waitedMs)
    return `master ${url}: ${reasonOf(why)}; waiting for it${forUpTo(left)}`
  }

  async #return(why: unknown): Promise<SessionRunner> {
    const { url, patienceMs } = this.#ports
    try {
      return await this.#attempts(mayPass, this.#closed.signal, why)
    } catch (error) {
      if (!mayPass(error)) throw error
      const late = `and it did not come back within ${inWords(patienceMs)} (${reasonOf(error)})`
      throw new MasterConnectionError(url, `${reasonOf(why)}, ${late}`)
    }
  }

  /**
   * Tries to connect as long as that may succeed.
   * @param lost why the connection before ended: the others who lost it try again, too
   */
  async #attempts(
    isWorthwhile: (error: unknown) => boolean,
    signal: AbortSignal,
    lost?: unknown,
  ): Promise<SessionRunner> {
    const { connect, now, pause, patienceMs } = this.#ports
    const from = now()
    const left = () => patienceMs - this.#waitedMs - (now() - from)
    let failure = lost
    try {
      for (;;) {
        if (failure !== undefined) {
          // Also if it can be reached, and is lost before every frame.
          if (left() <= 0) throw failure
          await pause(Math.min(this.#backoff.next(), left()), signal)
        }
        // The first connection has its own limits: patience is for a master that was lost, or has no room.
        const late = failure === undefined ? undefined : AbortSignal.timeout(Math.max(0, Math.ceil(left())))
        try {
          return await connect(late ? AbortSignal.any([signal, late]) : signal)
        } catch (error) {
          if (signal.aborted) throw error
          if (late?.aborted) throw failure
          if (!isWorthwhile(error)) throw error
          failure = error
        }
      }
    } finally {
      this.#waitedMs += now() - from
    }
  }
}

const isBusy = (error: unknown): boolean => error instanceof MasterConnectionError && error.isBusy

/** Whether trying again may end otherwise. */
const mayPass = (error: unknown): boolean =>
  error instanceof MasterConnectionError || (error instanceof RemoteError && PASSING.has(error.code))

/** It had no time to listen, or was told to end, as one that is restarted. */
const PASSING = new Set<string>(['NO_HELLO', 'MASTER_CLOSING'])

const reasonOf = (error: unknown): string => (error instanceof MasterConnectionError ? error.why : messageOf(error))
