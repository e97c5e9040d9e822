/** A long computation that yields now and then, so that whoever runs it can do something else in between. */
export type Steps<T> = Generator<void, T>

/** Runs all of it. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Parts of `length` items, at most `most` of them each. */
export function* piecesOf(length: number, most: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < length; from += most) yield [from, Math.min(length, from + most)]
}
