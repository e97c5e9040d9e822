/** Frames in words: `frame 3`, `frames 0 to 2, 5`. */

/** @param numbers rising, at least one */
export function frameNumbers(numbers: readonly number[]): string {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else runs.push([number, number])
  }
  const words = runs.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ')
  return `${numbers.length === 1 ? 'frame' : 'frames'} ${words}`
}
