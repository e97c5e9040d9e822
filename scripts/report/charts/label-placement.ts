/** Spreads overlapping labels beside a chart, each as close to its value as possible. */

/**
 * Positions in px for labels with preferred positions `wanted`, at least `gap` apart and within `low`..`high`, in the
 * given order. If there are too many to fit, they are spaced evenly and overlap as little as possible.
 */
export function placeLabels(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a]! - wanted[b]! || a - b)
  const step = Math.min(gap, wanted.length > 1 ? (high - low) / (wanted.length - 1) : gap)
  // Groups of touching labels: each group is centred on the mean of its preferred positions, and merges with any it meets.
  const groups: { members: number[]; top: number }[] = []
  for (const index of order) {
    groups.push(settle([index]))
    for (let last = groups.length - 1; last > 0; last--) {
      const [above, below] = [groups[last - 1]!, groups[last]!]
      if (below.top >= above.top + above.members.length * step - 1e-9) break
      groups.splice(last - 1, 2, settle([...above.members, ...below.members]))
    }
  }
  const placed = new Array<number>(wanted.length).fill(0)
  for (const group of groups) {
    group.members.forEach((index, row) => {
      placed[index] = group.top + row * step
    })
  }
  return placed

  function settle(members: number[]): { members: number[]; top: number } {
    const middle = members.reduce((sum, index) => sum + wanted[index]!, 0) / members.length
    const span = (members.length - 1) * step
    return { members, top: Math.max(low, Math.min(high - span, middle - span / 2)) }
  }
}
