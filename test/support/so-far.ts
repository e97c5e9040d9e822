/**
 * A reporter of tests: how many files there are and how long they take, and from time to time how far they have come. Beside the default one,
 * which says nothing of files that are not done, and without a terminal nothing at all for minutes.
 */
import type { Reporter } from 'vitest/node'

/** Files of which a part of all tests has fewer. */
const ALL = 200
const SAY_EVERY_MS = 30_000

interface Ports {
  /** Takes a line. */
  write(line: string): void
  /** ms */
  now(): number
  /** Calls `wake` again and again; the returned function stops it. */
  repeat(wake: () => void, everyMs: number): () => void
}

/** What it needs of the run. */
export type SoFar = Required<Pick<Reporter, 'onTestRunEnd'>> & {
  onTestRunStart(files: { readonly length: number }): void
  onTestModuleEnd(): void
}

export function soFar({ write, now, repeat }: Ports): SoFar {
  let stop = () => {}
  let done = 0
  return {
    onTestRunStart({ length }) {
      done = 0
      const startedAt = now()
      if (length >= ALL)
        write(`${length} files of tests: about a quarter of an hour on two cores with nothing else to do`)
      stop = repeat(() => {
        write(`${done} of ${length} files of tests done, ${Math.round((now() - startedAt) / 1000)} s so far`)
      }, SAY_EVERY_MS)
    },
    onTestModuleEnd() {
      done++
    },
    onTestRunEnd() {
      stop()
    },
  }
}
