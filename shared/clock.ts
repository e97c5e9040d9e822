/** Time as a parameter: programs pass the real one, tests one they turn by hand. */
export interface Clock {
  /** Milliseconds since an arbitrary start, never going back. */
  now(): number
}
