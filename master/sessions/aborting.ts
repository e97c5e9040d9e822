/** Waiting and working under a signal, of which nothing is left when it is over. */
import { CancelledError } from '../../shared/errors.ts'

/** The promise, or CancelledError as soon as the signal aborts. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new CancelledError())
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel))
  })
}

/** Aborts `inner` with a signal; the answer unhooks it. */
export function hooked(outer: AbortSignal, inner: AbortController): () => void {
  const abort = () => inner.abort()
  if (outer.aborted) abort()
  outer.addEventListener('abort', abort)
  return () => outer.removeEventListener('abort', abort)
}
