/** Waiting under abort signals without leaving a listener behind. */

/**
 * Settles as `work` does, or rejects with the reason of the first signal that aborts, as soon as it does: a peer that is stopped or
 * busy cannot answer. Nothing listens to the signals then, even if the work never settles.
 */
export function untilAborted<T>(signal: AbortSignal | readonly AbortSignal[], work: Promise<T>): Promise<T> {
  const signals = [signal].flat()
  return new Promise((resolve, reject) => {
    const stop = () => {
      for (const each of signals) each.removeEventListener('abort', giveUp)
    }
    const giveUp = () => {
      stop()
      reject(signals.find(({ aborted }) => aborted)?.reason)
    }
    for (const each of signals) each.addEventListener('abort', giveUp)
    if (signals.some(({ aborted }) => aborted)) giveUp()
    void work.then(resolve, reject).finally(stop)
  })
}
