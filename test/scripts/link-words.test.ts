/** What a master says of its links. */
import { expect, it } from 'vitest'
import { linkWords } from '../../scripts/commands/master.ts'

it('says for how long links count, and how to get others, also where there is no Enter', () => {
  expect(linkWords({ page: 'operate' }, true)).toBe(
    'a link to the page is for one browser, within a minute; Enter prints another',
  )
  expect(linkWords({ page: 'watch', joinLinks: true }, false)).toBe(
    'a link to the page is for one browser, within a minute; a link to join is for one tab, within ten minutes; there is no terminal here: for another one, write a line to its standard input, or start it again',
  )
})
