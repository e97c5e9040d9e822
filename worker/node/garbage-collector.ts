/**
 * Garbage collection at a known time. Shared memory is freed only when every thread that had a reference has collected it, and
 * it does not count towards the collector's triggers: dropped scenes could pile up until something else triggers a collection in
 * every thread.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A function that collects the calling thread's garbage; takes milliseconds with the small heaps of tracing threads. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('globalThis.gc')
  return typeof collect === 'function' ? () => void collect() : () => {}
}
