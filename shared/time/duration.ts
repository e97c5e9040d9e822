/** Formats a duration in the most readable unit: `55 s`, `12 min`, `3.5 h`. */
export function inWords(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 120) return `${Math.ceil(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return `${Number((seconds / 3600).toFixed(1))} h`
}
