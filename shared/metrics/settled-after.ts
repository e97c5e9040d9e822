/** How soon a value that is adjusted step by step arrives where it belongs, and stays. */

/** After how many of these values all others are within `tolerance` of `goal`; null: the last one is not, or there is none. */
export function settledAfter(values: readonly number[], goal: number, tolerance: number): number | null {
  const last = values.findLastIndex(value => Math.abs(value - goal) > tolerance)
  return last === values.length - 1 ? null : last + 1
}
