/** Time as a parameter: programs pass the real clock, tests one that they advance themselves. */
export interface Clock {
  /** Milliseconds since an arbitrary start, never going back. */
  now(): number
}
