/** Ctrl-C and SIGTERM end a run in an orderly way: complete files stay, partial ones are finished or removed. */
import { setMaxListeners } from 'node:events'
import { constants } from 'node:os'
import { SortfirstError } from '../../shared/errors.ts'

/** The user interrupted the program. */
export class InterruptedError extends SortfirstError {
  readonly code = 'INTERRUPTED'
  /** The exit code of a program that the signal itself ended: 130 after Ctrl-C, 143 after SIGTERM. */
  override readonly exitCode: number
  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** How long abandoned work may keep the process alive after an interruption. */
const LINGER_MS = 200

/**
 * Runs `work` with a signal that aborts on the first interruption, with an InterruptedError; any later failure of `work` is
 * replaced by that error. A second interruption exits the process at once.
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
    // Cancelled work may have failed with an error of its own.
    throw abort.signal.aborted ? abort.signal.reason : error
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt)
    // Open timers and sockets belong to cancelled work.
    if (abort.signal.aborted) setTimeout(() => process.exit(), LINGER_MS).unref()
  }
}

/** A signal that aborts as soon as any of these does. */
export const anyOf = (signals: AbortSignal[]): AbortSignal => manyListen(AbortSignal.any(signals))

/** Every tile that is being traced adds a listener, so there may be as many as workers. */
function manyListen(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}
