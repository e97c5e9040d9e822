/** Words as a shell reads them. */

/** A text as a POSIX shell reads it as one word. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) && !text.startsWith('~') ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Several words of one line. */
export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ')
