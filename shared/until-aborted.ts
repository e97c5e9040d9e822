/** Waiting under an abort signal without leaving a listener behind. */

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it aborts, since a peer that is stopped or busy
 * cannot answer.
 */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
