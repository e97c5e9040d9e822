/**
 * Text of a peer that people will read: a worker's name, a reason. A line break in it would forge a line of a log, an escape
 * sequence would speak to the terminal, and characters that turn the direction of writing around would hide both.
 */
import * as z from 'zod'

/** Control, format, private and unassigned characters, halves of pairs, and what breaks a line. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu

/** The same text on one line, with U+FFFD in the place of what cannot be seen. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\uFFFD')

/** A peer's text of at most so many characters, printable once it is read. */
export const printableText = (max: number) => z.string().max(max).overwrite(printable)
