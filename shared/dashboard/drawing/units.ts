/** Times and shares as the dashboard says them. */
import { longTime } from '../../time/duration.ts'

export const ms = (value: number): string =>
  longTime(value) ?? (value >= 10 ? `${value.toFixed(0)} ms` : `${value.toFixed(1)} ms`)

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

export function duration(value: number): string {
  const seconds = Math.round(value / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}
