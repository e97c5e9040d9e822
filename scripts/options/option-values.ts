/** Reads single words of commands whose options are not in groups. */
import { OptionError } from '../../shared/errors.ts'
import { type Kind, number as numberOf, wholeNumber as wholeNumberOf } from './declare/kinds.ts'

const read = <T>(kind: Kind<T>, option: string, text: string): T =>
  kind.read(text, (expected, got) => new OptionError(option, expected, got))

/** @throws OptionError */
export const wholeNumber = (option: string, text: string, least: number, most: number): number =>
  read(wholeNumberOf(least, most), option, text)

/** @throws OptionError */
export const number = (option: string, text: string, least: number, most: number): number =>
  read(numberOf(least, most), option, text)
