/**
 * Collecting garbage at a known time. Memory that threads share is freed when each of them has found its end of it to be
 * garbage, and a collector does not count such memory among the reasons to look: scenes that were dropped could pile up
 * until something else makes every thread look.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A function that collects the calling thread's garbage: milliseconds, for the small heaps of threads that trace. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('globalThis.gc')
  return typeof collect === 'function' ? () => void collect() : () => {}
}
