/** Measures build time. */
import { cpuMsOf } from '../cpu-time.ts'
import { median } from '../measure.ts'
import { BUILDS } from './ray-engine.ts'

/** Builds repeatedly; returns the last result and the median CPU time in ms. */
export function timedBuild<T>(build: () => T): { readonly built: T; readonly buildMs: number } {
  const times: number[] = []
  for (;;) {
    let built: T | undefined
    times.push(
      cpuMsOf(() => {
        built = build()
      }),
    )
    if (times.length === BUILDS) return { built: built as T, buildMs: median(times) }
  }
}
