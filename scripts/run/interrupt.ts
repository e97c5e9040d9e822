/** Ctrl-C and a polite kill end a run in order: what is whole stays, what is begun is finished or removed. */
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs `work` with a signal that aborts at the first interruption. The second one ends the process at once, for those
 * who cannot wait.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  const interrupt = (name: NodeJS.Signals): void => {
    if (abort.signal.aborted) process.exit(128 + constants.signals[name])
    abort.abort()
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  try {
    return await work(abort.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
}
