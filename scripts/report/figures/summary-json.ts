/**
 * A summary as the text of `summary.json`: outer levels indented for reading, each frame record on a single line with its
 * lists. Half the size of a fully indented file, and diffs of two runs are still per frame.
 */
import type { Summary } from '../../../shared/frame/summary.ts'

/** In pieces, the last of which ends with a line break: a very long film can exceed the maximum string length. */
export const summaryJson = (summary: Summary): Generator<string> => readableJson(summary)

/** The same for any record of frames. */
export function* readableJson(value: object): Generator<string> {
  yield* indented(value, '')
  yield '\n'
}

/** Indented levels: the summary, its lists, a strategy, the strategy's lists. */
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

/** A short record or list of words, numbers and intervals that fits on one line. */
function isPlain(value: object): boolean {
  if (Array.isArray(value) && value.length > 8) return false
  const items = Object.values(value)
  return items.length <= 8 && items.every(item => typeof item !== 'object' || isInterval(item))
}

const isInterval = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every(end => typeof end === 'number')
