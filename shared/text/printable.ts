/**
 * Text from a peer that people will read: a worker's name, a reason. A line break in it could forge a log line, an escape
 * sequence could control the terminal, and characters that reverse the writing direction could hide both.
 */

/** Control, format, private-use and unassigned characters, lone surrogates, and line separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu

/** The same text on one line, with U+FFFD in place of unprintable characters. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\uFFFD')

/** The most characters of what others have said, in a sentence about it: its end is not to be lost. */
export const MAX_QUOTED = 1000

/**
 * A text of at most `most` characters, with an ellipsis in place of the rest. What passes on the words of others cuts them to what the next
 * schema allows: too long a text would end the connection of a peer that has not said it.
 */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
