/** The lines of a text one after the other: an array of all of them can be longer than an array may be. */

/** Without what ends them: \n, \r\n or \r. */
export function* linesOf(text: string): Generator<string> {
  const breaks = /\r\n|\r|\n/g
  let start = 0
  for (let found = breaks.exec(text); found; found = breaks.exec(text)) {
    yield text.slice(start, found.index)
    start = breaks.lastIndex
  }
  yield text.slice(start)
}
