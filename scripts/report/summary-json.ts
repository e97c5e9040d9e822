/**
 * A summary as the text of `summary.json`: outer levels indented for people, each record of a frame on a line of its own
 * with its lists. Half the size of what is indented to the end, and a difference of two runs still shows frame by frame.
 */
import type { Summary } from '../../shared/summary.ts'

/** Ends with a line break. */
export const summaryJson = (summary: Summary): string => `${indented(summary, '')}\n`

/** Levels that are indented: the summary, its lists, a strategy, the strategy's lists. */
const LEVELS = 4

function indented(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null || indent.length >= LEVELS) return JSON.stringify(value)
  const inner = `${indent} `
  const entries = Array.isArray(value)
    ? value.map(item => indented(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${JSON.stringify(key)}: ${indented(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (entries.length === 0 || isPlain(value)) return JSON.stringify(value)
  return `${open}\n${inner}${entries.join(`,\n${inner}`)}\n${indent}${close}`
}

/** A record or list of few words and numbers, short enough for one line. */
function isPlain(value: object): boolean {
  const items = Object.values(value)
  return items.length <= 8 && items.every(item => typeof item !== 'object')
}
