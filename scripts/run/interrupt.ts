/** Ctrl-C and a polite kill end a run in order: what is whole stays, what is begun is finished or removed. */
import { setMaxListeners } from 'node:events'
import { constants } from 'node:os'
import { SortfirstError } from '../../shared/errors.ts'

/** Somebody wanted the program to end. */
export class InterruptedError extends SortfirstError {
  readonly code = 'INTERRUPTED'
  /** What a shell says of a program that the signal itself ended: 130 after Ctrl-C, 143 after SIGTERM. */
  override readonly exitCode: number
  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** How long what nobody waits for any more may keep the program after an interruption. */
const LINGER_MS = 200

/**
 * Runs `work` with a signal that aborts at the first interruption, with an InterruptedError; work that fails from then on
 * fails with that. The second one ends the process at once, for those who cannot wait.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  manyListen(abort.signal)
  const interrupt = (name: NodeJS.Signals): void => {
    const interrupted = new InterruptedError(name)
    if (abort.signal.aborted) process.exit(interrupted.exitCode)
    abort.abort(interrupted)
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  try {
    return await work(abort.signal)
  } catch (error) {
    // Whatever was given up may have said so in its own words.
    throw abort.signal.aborted ? abort.signal.reason : error
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt)
    // A timer or a socket that is still open belongs to what was given up.
    if (abort.signal.aborted) setTimeout(() => process.exit(), LINGER_MS).unref()
  }
}

/** A signal that aborts with the first of these. */
export const anyOf = (signals: AbortSignal[]): AbortSignal => manyListen(AbortSignal.any(signals))

/** Every tile that is being traced listens, which is as many as there are workers. */
function manyListen(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}
