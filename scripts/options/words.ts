/** The words of options: what `--help`, tables and types say of them. */
import { type Caller, filled, forCaller, type Option, written } from './declare/group.ts'

/** How a place writes what is not plain text. */
export interface Style {
  /** Of an option. */
  name(key: string): string
  /** Of a value that is a word, such as `ambient`. */
  value(word: string): string
}

/** What it is, with the range and the names of its kind. */
export const helpText = (option: Option<unknown>, caller: Caller, style: Style): string =>
  withWords(forCaller(option.help, caller) ?? '', option, style)

/** What is said beyond help; empty: nothing. */
export const moreText = (option: Option<unknown>, caller: Caller, style: Style): string =>
  withWords(forCaller(option.more, caller) ?? '', option, style)

/** What happens where it is not given; empty: nothing, of flags. */
export function defaultText(option: Option<unknown>, caller: Caller, style: Style): string {
  const otherwise = forCaller(option.otherwise, caller)
  if (otherwise !== undefined) return withWords(otherwise, option, style)
  const usual = forCaller(option.usual, caller)
  return usual === undefined || typeof usual === 'boolean' ? '' : written(option, usual)
}

const withWords = (text: string, { kind }: Option<unknown>, { name, value }: Style): string =>
  filled(text, key => {
    if (key === 'range') return kind.range ?? ''
    return key === 'names' ? (kind.names ?? []).map(value).join(', ') : name(key)
  })
