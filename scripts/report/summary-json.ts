/**
 * A summary as the text of `summary.json`: outer levels indented for people, each record of a frame on a line of its own
 * with its lists. Half the size of what is indented to the end, and a difference of two runs still shows frame by frame.
 */
import type { Summary } from '../../shared/summary.ts'

/** In pieces, which together end with a line break: the text of a very long film is more than one string can hold. */
export const summaryJson = (summary: Summary): Generator<string> => readableJson(summary)

/** The same for any record of frames. */
export function* readableJson(value: object): Generator<string> {
  yield* indented(value, '')
  yield '\n'
}

/** Levels that are indented: the summary, its lists, a strategy, the strategy's lists. */
const LEVELS = 4

function* indented(value: unknown, indent: string): Generator<string> {
  if (typeof value !== 'object' || value === null || indent.length >= LEVELS || isPlain(value)) {
    yield JSON.stringify(value)
    return
  }
  const inner = `${indent} `
  const list = Array.isArray(value)
  let before = `${list ? '[' : '{'}\n${inner}`
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    yield list ? before : `${before}${JSON.stringify(key)}: `
    yield* indented(item, inner)
    before = `,\n${inner}`
  }
  yield `\n${indent}${list ? ']' : '}'}`
}

/** A record or list of few words and numbers, intervals among them, short enough for one line. */
function isPlain(value: object): boolean {
  if (Array.isArray(value) && value.length > 8) return false
  const items = Object.values(value)
  return items.length <= 8 && items.every(item => typeof item !== 'object' || isInterval(item))
}

const isInterval = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every(end => typeof end === 'number')
