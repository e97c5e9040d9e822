import { expect, it } from 'vitest'
import { masterUrl } from '../../../shared/protocol/master-address.ts'

it.each([
  ['ws://192.0.2.7:7411', 'ws://192.0.2.7:7411/'],
  ['192.0.2.7', 'ws://192.0.2.7:7411/'],
  ['host:80', 'ws://host/'],
  ['http://127.0.0.1:7411', 'ws://127.0.0.1:7411/'],
  ['http://127.0.0.1:7411/', 'ws://127.0.0.1:7411/'],
  ['HTTP://host', 'ws://host:7411/'],
  ['http://host:80', 'ws://host/'],
  ['https://host:7412', 'wss://host:7412/'],
  ['https://host:443', 'wss://host/'],
])('%s is understood as %s', (text, url) => {
  expect(masterUrl('--master', text)).toBe(url)
})

it.each(['ftp://host', 'http://', 'ws://a b', ''])("'%s' is refused", text => {
  expect(() => masterUrl('--master', text)).toThrow('--master: expected an address such as ws://')
})

it.each(['ws://me:secret@host', 'ws://secret@host:1', 'ws://host/?token=secret', 'host#secret'])(
  "'%s' is refused, and not repeated",
  text => {
    expect(() => masterUrl('--master', text)).toThrow(
      /and nothing else; tokens come from SORTFIRST_TOKEN or --token-file, got more$/,
    )
  },
)
