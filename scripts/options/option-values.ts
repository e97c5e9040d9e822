/** Parses command-line words to values; each error says in one sentence which option it is, what it expects, and what it got. */
import { OptionError, UnknownNameError } from '../../shared/errors.ts'

/** @throws OptionError */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) < least || Number(text) > most)
    throw new OptionError(option, `a whole number from ${least} to ${most}`, `'${text}'`)
  return Number(text)
}

/** @throws OptionError */
export function number(option: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!(value >= least && value <= most))
    throw new OptionError(option, `a number from ${least} to ${most}`, `'${text}'`)
  return value
}

/** @throws UnknownNameError */
export function oneOf<T extends string>(what: string, text: string, known: readonly T[]): T {
  const found = known.find(candidate => candidate === text)
  if (!found) throw new UnknownNameError(what, text, known)
  return found
}

/** Three comma-separated numbers; undefined for any other text. */
export function triple(text: string): readonly [number, number, number] | undefined {
  const words = text.split(',')
  const [a, b, c] = words.map(word => (word.trim() === '' ? Number.NaN : Number(word)))
  return words.length === 3 && Number.isFinite(a! + b! + c!) ? [a!, b!, c!] : undefined
}
