/** The outcome of one check. */
export interface Check {
  readonly name: string
  readonly value: number
  /** Most that `value` may be. */
  readonly limit: number
  readonly ok: boolean
}

/** A value that is not a number fails. */
export const atMost = (name: string, value: number, limit: number): Check => ({
  name,
  value,
  limit,
  ok: value <= limit,
})
