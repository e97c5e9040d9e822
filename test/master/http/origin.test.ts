import { describe, expect, it } from 'vitest'
import { hostAllowed, originAllowed } from '../../../master/http/origin.ts'

describe('a WebSocket', () => {
  it.each<[string, string | undefined, string | undefined, boolean]>([
    ['a program, which says no origin', undefined, '127.0.0.1:7411', true],
    ['a page of the master itself', 'http://127.0.0.1:7411', '127.0.0.1:7411', true],
    ['one that found it as localhost', 'http://localhost:7411', 'localhost:7411', true],
    ['one on the port that is not written', 'http://192.0.2.7', '192.0.2.7:80', true],
    ['one behind TLS', 'https://192.0.2.7', '192.0.2.7', true],
    ['one over IPv6', 'http://[::1]:7411', '[::1]:7411', true],
    ['one by the name that the master listens on', 'http://Render.example:7411', 'render.example:7411', true],
    ['a page from elsewhere', 'https://evil.example', '127.0.0.1:7411', false],
    ['a page of another port', 'http://127.0.0.1:8080', '127.0.0.1:7411', false],
    ['a page whose name was pointed here', 'http://evil.example:7411', 'evil.example:7411', false],
    ['a file', 'null', '127.0.0.1:7411', false],
    ['a page of another kind', 'ftp://127.0.0.1:7411', '127.0.0.1:7411', false],
    ['a request to no host', 'http://127.0.0.1:7411', undefined, false],
    ['nonsense', '://', '127.0.0.1:7411', false],
    ['a host that is none', 'http://127.0.0.1:7411', 'a b', false],
  ])('for %s', (_, origin, host, allowed) => {
    expect(originAllowed({ origin, host }, 'render.example')).toBe(allowed)
  })
})

describe('a plain request', () => {
  it.each<[string, string | undefined, boolean]>([
    ['to an address', '192.0.2.7:7411', true],
    ['to one of IPv6', '[::1]:7411', true],
    ['to localhost', 'localhost:7411', true],
    ['to the name that the master listens on', 'RENDER.example:7411', true],
    ['to a name that was pointed here', 'evil.example:7411', false],
    ['to a name that looks like an address', '127.0.0.1.evil.example', false],
    ['to a name under localhost', 'evil.localhost', false],
    ['to no name', undefined, false],
    ['to nonsense', 'a b', false],
    ['to an address with something before it', 'evil.example@127.0.0.1:7411', true],
  ])('%s', (_, host, allowed) => {
    expect(hostAllowed(host, 'render.example')).toBe(allowed)
  })
})
