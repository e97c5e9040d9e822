/**
 * What the value of an option may be, said once: how it is read from a word of the command line, which values of a program are one, what
 * errors expect, and how help, tables and types show it. Imports nothing but errors, because every command knows its options.
 */
import { UnknownNameError } from '../../../shared/errors.ts'

export interface Kind<T> {
  /** In TypeScript. */
  readonly type: string
  /** `1 to 64`, for help and tables; absent if there is none worth saying. */
  readonly range?: string
  /** The names that there are, for help and tables. */
  readonly names?: readonly string[]
  /** Reads a word. @throws UsageError */
  read(word: string, wrong: Wrong): T
  /** Checks a value of a program. @throws UsageError */
  check(value: unknown, wrong: Wrong): void
  /** A value as it is written in a word. @default with commas */
  written?(value: T): string
  /** Whether the option may be given several times; each time adds to the list. */
  readonly repeated?: true
}

/** Makes the error of an option: it knows which one, and how the caller names it. */
export type Wrong = (expected: string, got: string) => Error

/** A value in an error: any, because programs may give anything. */
export function said(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return `${value}`
  try {
    return JSON.stringify(value) ?? typeof value
  } catch {
    // It refers to itself, or has a bigint.
    return typeof value
  }
}

const numberIn = (word: string): number => (word.trim() === '' ? Number.NaN : Number(word))

/** A number, or another one where `isOne` and `expected` say so. */
export function number(
  least: number,
  most: number,
  expected = `a number from ${least} to ${most}`,
  isOne = (value: number): boolean => value >= least && value <= most,
): Kind<number> {
  return {
    type: 'number',
    range: `${least} to ${most}`,
    read(word, wrong) {
      const value = numberIn(word)
      if (!isOne(value)) throw wrong(expected, `'${word}'`)
      return value
    },
    check(value, wrong) {
      if (typeof value !== 'number' || !isOne(value)) throw wrong(expected, said(value))
    },
  }
}

/** A share of something, from 0 to 1; words may be in percent, too. @param expected what errors say of it */
export function share(expected?: string, isOne?: (value: number) => boolean): Kind<number> {
  const plain = number(0, 1, expected, isOne)
  return {
    ...plain,
    read(word, wrong) {
      // The number that would be written without: 0.7 / 100 is not 0.007.
      const bare = word.replace(/\s*%\s*$/, 'e-2')
      return plain.read(bare, expected => wrong(`${expected}, or in percent`, `'${word}'`))
    },
  }
}

export function wholeNumber(least: number, most: number): Kind<number> {
  const expected = `a whole number from ${least} to ${most}`
  const isOne = (value: number) => Number.isInteger(value) && value >= least && value <= most
  const plain = number(least, most, expected, isOne)
  return {
    ...plain,
    read(word, wrong) {
      if (!/^\d+$/.test(word)) throw wrong(expected, `'${word}'`)
      return plain.read(word, wrong)
    },
  }
}

/** A number that the program may find itself, too. */
export const orAuto = (plain: Kind<number>): Kind<number | 'auto'> => ({
  type: `${plain.type} | 'auto'`,
  ...(plain.range === undefined ? {} : { range: plain.range }),
  read: (word, wrong) => (word === 'auto' ? 'auto' : plain.read(word, withAuto(wrong))),
  check: (value, wrong) => (value === 'auto' ? undefined : plain.check(value, withAuto(wrong))),
})

const withAuto =
  (wrong: Wrong): Wrong =>
  (expected, got) =>
    wrong(`${expected}, or auto`, got)

/** Seconds of each unit. */
const UNITS = { ms: 0.001, s: 1, m: 60, h: 3600 } as const

/** Seconds, more than none; words may have a unit, such as 90s, 10m or 1.5h. @param most seconds */
export function duration(most: number): Kind<number> {
  const expected = `a time such as 90s, 10m or 1.5h, above 0 and at most ${most / UNITS.h} h`
  const isOne = (value: unknown) => typeof value === 'number' && value > 0 && value <= most
  return {
    type: 'number',
    read(word, wrong) {
      const [, number = '', unit = 's'] = /^(\d+|\d*\.\d+)(ms|s|m|h)?$/.exec(word) ?? []
      const value = numberIn(number) * UNITS[unit as keyof typeof UNITS]
      if (!isOne(value)) throw wrong(expected, `'${word}'`)
      return value
    },
    check(value, wrong) {
      if (!isOne(value)) throw wrong(`a number of seconds above 0, at most ${most}`, said(value))
    },
    written: value => `${value}s`,
  }
}

/** One of a few numbers. */
export function oneNumberOf<const N extends readonly number[]>(numbers: N, unit: string): Kind<N[number]> {
  const listed = `${numbers.slice(0, -1).join(', ')} or ${numbers.at(-1)}`
  const isOne = (value: unknown): value is N[number] => numbers.some(each => each === value)
  return {
    type: numbers.join(' | '),
    range: listed,
    read(word, wrong) {
      const found = numbers.find(each => `${each}` === word)
      if (!isOne(found)) throw wrong(`${listed} ${unit}`, `'${word}'`)
      return found
    },
    check(value, wrong) {
      if (!isOne(value)) throw wrong(`${listed} ${unit}`, said(value))
    },
  }
}

/** @param what in errors: `unknown clock 'sun'` */
export function oneOf<const N extends readonly string[]>(what: string, names: N): Kind<N[number]> {
  const found = (text: unknown): N[number] => {
    const name = names.find(each => each === text)
    if (name === undefined) throw new UnknownNameError(what, typeof text === 'string' ? text : said(text), names)
    return name as N[number]
  }
  return { type: names.map(each => `'${each}'`).join(' | '), names, read: found, check: found }
}

/** The words of a comma-separated list. @param expected in the error of one with nothing between its commas: `names such as pbt,scatter` */
export function wordsIn(list: string, expected: string, wrong: Wrong): string[] {
  if (list.trim() === '') throw wrong(expected, 'nothing')
  const words = list.split(',').map(word => word.trim())
  if (words.includes('')) throw wrong(`${expected}, none of them empty`, `'${list}'`)
  return words
}

/** Comma-separated names, each once, in the order in which they are known. */
export function listOf<const N extends readonly string[]>(what: string, names: N): Kind<readonly N[number][]> {
  const one = oneOf(what, names)
  const checked = (list: readonly unknown[], got: string, wrong: Wrong): N[number][] => {
    for (const each of list) one.check(each, wrong)
    if (new Set(list).size < list.length) throw wrong('each name once', got)
    return names.filter(name => list.includes(name)) as N[number][]
  }
  return {
    type: `readonly (${one.type})[]`,
    names,
    read(word, wrong) {
      return checked(wordsIn(word, `names such as ${names.slice(0, 3).join(',')}`, wrong), `'${word}'`, wrong)
    },
    check(value, wrong) {
      if (!Array.isArray(value)) throw wrong(`a list of names such as ${names.slice(0, 3).join(', ')}`, said(value))
      checked(value, said(value), wrong)
    },
  }
}

/**
 * Any text; where it is used, it is looked up.
 * @param names those that are always there
 */
export const text = (names?: readonly string[]): Kind<string> => ({
  type: 'string',
  ...(names ? { names } : {}),
  read: word => word,
  check(value, wrong) {
    if (typeof value !== 'string') throw wrong('text', said(value))
  },
})

export function path(of: 'file' | 'folder'): Kind<string> {
  const check = (value: unknown, wrong: Wrong) => {
    if (typeof value !== 'string' || value.trim() === '') throw wrong(`the path of a ${of}`, 'nothing')
  }
  return {
    type: 'string',
    read(word, wrong) {
      check(word, wrong)
      return word
    },
    check,
  }
}

/** Of a page in a browser, without a query or a fragment. */
export const pageAddress: Kind<string> = {
  type: 'string',
  read(word, wrong) {
    if (!isPageAddress(word)) throw wrong(PAGE_ADDRESS, `'${word}'`)
    return word
  },
  check(value, wrong) {
    if (!isPageAddress(value)) throw wrong(PAGE_ADDRESS, said(value))
  },
}
const PAGE_ADDRESS = 'an address such as https://render.example.org/sortfirst'
const isPageAddress = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\/[^?#\s]+$/i.test(value) && URL.canParse(value)

/** There or not; on the command line, it has no value. */
export const flag: Kind<boolean> = {
  type: 'boolean',
  read: () => true,
  check(value, wrong) {
    if (typeof value !== 'boolean') throw wrong('true or false', said(value))
  },
  written: () => 'yes',
}

/** A list with a word for each time that the option is given. */
export const several: Kind<readonly string[]> = {
  repeated: true,
  type: 'readonly string[]',
  read: word => [word],
  check(value, wrong) {
    if (!Array.isArray(value)) throw wrong('a list', said(value))
  },
  written: list => list.join(', '),
}

/** Comma-separated numbers, so many of them; undefined for any other text. */
export function numbersIn(word: string, count: number): readonly number[] | undefined {
  const numbers = word.split(',').map(numberIn)
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined
}

export type Vector = readonly [number, number, number]

export const triple = (word: string): Vector | undefined => numbersIn(word, 3) as Vector | undefined

/** @param other what it may be instead, for errors */
export function vector(farthest: number, other = ''): Kind<Vector> {
  const expected = `three comma-separated numbers, such as 1.5,2,-3${other}`
  const isOne = (value: unknown): value is Vector =>
    Array.isArray(value) && value.length === 3 && value.every(each => Math.abs(each) <= farthest)
  return {
    type: 'readonly [number, number, number]',
    read(word, wrong) {
      const found = triple(word)
      if (!isOne(found)) throw wrong(expected, `'${word}'`)
      return found
    },
    check(value, wrong) {
      if (!isOne(value)) throw wrong(expected, said(value))
    },
  }
}

/** What only programs can give: an object or a function, which is checked where it is used. */
export const given = <T>(type: string): Kind<T> => ({
  type,
  read(_, wrong) {
    throw wrong('it from a program', 'a word')
  },
  check() {},
})
