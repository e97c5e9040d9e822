/**
 * Where to cut when fine costs are known. Eq. (5) takes the first column that reaches the share and so always gives the
 * first part too much: half a column on average, which matters because small tiles have few columns.
 */

/** How many leading columns come nearest to `share` of the cost. If the total cost is 0, columns are shared instead. */
export function nearestLines(profile: Float64Array, share: number): number {
  let total = 0
  for (const cost of profile) total += cost
  if (total === 0) return Math.round(profile.length * share)
  const goal = share * total
  let sum = 0
  let lines = 0
  while (lines < profile.length && sum + profile[lines]! < goal) sum += profile[lines++]!
  return lines < profile.length && sum + profile[lines]! - goal <= goal - sum ? lines + 1 : lines
}
