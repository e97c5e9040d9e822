/** Links to pages that browsers reach by another address than the master's. */
import { expect, it } from 'vitest'
import { joinLinkOf, linkAt, linkOf } from '../../../scripts/library/shown-view.ts'
import { readMaster } from '../../../scripts/options/groups/master.ts'

it.each([
  ['http://localhost:7411', 'http://localhost:7411/#abc', 'http://localhost:7411/join#abc'],
  ['https://render.example.org/', 'https://render.example.org/#abc', 'https://render.example.org/join#abc'],
  ['https://example.org/a/b', 'https://example.org/a/b/#abc', 'https://example.org/a/b/join#abc'],
])('a link is at %s', (page, view, join) => {
  expect(linkAt(linkOf('ws://192.0.2.7:7411', 'abc'), page)).toBe(view)
  expect(linkAt(joinLinkOf('wss://192.0.2.7:7411/behind/a/proxy', 'abc'), page)).toBe(join)
})

it('stays where it is otherwise', () => {
  const link = linkOf('ws://192.0.2.7:7411/behind', 'abc')
  expect(linkAt(link, undefined)).toBe(link)
  expect(link).toBe('http://192.0.2.7:7411/behind/#abc')
})

it.each(['localhost:7411', 'ws://localhost:7411', 'https://', 'https://a/?b', 'https://a/#b', 'http://a b', ''])(
  'the address of a page is none: %j',
  word => {
    expect(() => readMaster({ pageAt: word })).toThrow(/^--page-at: expected an address such as https:\/\/.*, got '/)
  },
)
