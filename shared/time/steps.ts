/** A long computation that yields now and then, so that its thread can do something else in between. */
export type Steps<T> = Generator<void, T>

/** Runs all of it. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

export interface TurnPorts {
  /** ms on any clock. */
  readonly now: () => number
  /** Resolves when everybody else has had a turn. */
  readonly pause: () => Promise<void>
}

/** No pauses, where nobody else has to do anything. */
export const AT_ONCE: TurnPorts = { now: () => 0, pause: async () => {} }

/** How long a turn takes, but for its last step, ms. */
const TURN_MS = 8

/** Runs all of it, some milliseconds at a time. */
export async function inTurns<T>(steps: Steps<T>, { now, pause }: TurnPorts): Promise<T> {
  let end = now() + TURN_MS
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (now() < end) continue
    await pause()
    end = now() + TURN_MS
  }
}

/** Parts of `length` items, at most `most` of them each. */
export function* piecesOf(length: number, most: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < length; from += most) yield [from, Math.min(length, from + most)]
}
