/** Says in one sentence where a document differs from the schema: which part, what was expected, what is there. */
import type * as z from 'zod'
import { printable } from '../../../shared/text/printable.ts'

/** Of the first difference: one wrong part often has several. @param document that was refused */
export function problemIn({ issues }: z.ZodError, document: unknown): string {
  const issue = issues[0]!
  const got = issue.path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown>)?.[key], document)
  const part = placeOf(issue.path)
  return `${part === '' ? 'is not a glTF document: ' : `${part}: `}expected ${expectedBy(issue, got)}, got ${shown(got)}`
}

/** `nodes[0].mesh`, as programs write it. */
function placeOf(path: readonly PropertyKey[]): string {
  const written = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return brief(written.replace(/^\./, ''), LONGEST_PLACE)
}

function expectedBy(issue: z.core.$ZodIssue, got: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeof got === 'number' && !Number.isFinite(got)
        ? 'a finite number'
        : (TYPES[issue.expected] ?? issue.expected)
    case 'invalid_value':
      return `one of ${issue.values.join(', ')}`
    case 'too_small':
      if (issue.origin === 'array') return issue.exact ? `${issue.minimum} numbers` : 'a list that is not empty'
      return `a number ${issue.inclusive ? 'from' : 'above'} ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'array') return `${issue.maximum} numbers`
      return `a number ${issue.inclusive ? 'up to' : 'below'} ${issue.maximum}`
    case 'invalid_union':
      return 'options' in issue && issue.options ? `one of ${issue.options.join(', ')}` : 'another value'
    default:
      return issue.message.replace(/^expected /, '')
  }
}

const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** For messages: a value may be anything, of any size. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return brief(typeof value === 'string' ? `'${value}'` : String(value), LONGEST_VALUE)
}

const LONGEST_PLACE = 200
const LONGEST_VALUE = 60

const brief = (text: string, most: number): string => printable(text.length > most ? `${text.slice(0, most)}…` : text)
