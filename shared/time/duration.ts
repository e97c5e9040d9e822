/** Formats a duration in the most readable unit: `55 s`, `12 min`, `3.5 h`. */
export function inWords(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 120) return `${Math.ceil(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return `${Number((seconds / 3600).toFixed(1))} h`
}

/** For how long something is waited for: `, for up to 55 s`; nothing where there is no limit. */
export const forUpTo = (ms: number): string => (ms === Number.POSITIVE_INFINITY ? '' : `, for up to ${inWords(ms)}`)

/** What took so long that milliseconds say little, ms: `12.3 s`, `6 min 33 s`, `2 h 5 min`; undefined for less than ten seconds. */
export function longTime(ms: number): string | undefined {
  if (ms < 9999.5) return undefined
  if (ms < 119_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
