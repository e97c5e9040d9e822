/**
 * Where to cut when costs are known finely. Eq. (5) takes the first column that reaches the share, and so always gives the
 * first part too much: half a column too much on the average, of which small tiles have few.
 */

/** How many leading columns come nearest to `share` of the cost. Where nothing costs anything, columns are shared. */
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
