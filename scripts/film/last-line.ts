/** The last line of what a program said with anything in it, without the trailing full stop; programs end with what went wrong. */
export const lastLine = (text: string): string | undefined =>
  text
    .split(/[\r\n]+/)
    .map(line => line.trim().replace(/\.$/, ''))
    .findLast(line => line !== '')
