import { describe, expect, it } from 'vitest'
import { isLoopback } from '../../master/http/loopback.ts'
import { type MasterOptions, resolveMasterOptions } from '../../master/options.ts'
import { TLS } from '../support/tls.ts'

const TODAY = Date.UTC(2030, 0, 1)
const SECRET = 's'.repeat(32)
const resolve = (options: MasterOptions) => resolveMasterOptions(options, TODAY)

describe('a master', () => {
  it.each(['127.0.0.1:0', '127.1.2.3:0', '[::1]:0', 'localhost:0', '[::ffff:127.0.0.1]:0'])(
    'needs no token at %s',
    listen => {
      expect(resolve({ listen })).toMatchObject({ tokens: undefined, warnings: [] })
    },
  )

  it.each([
    '0.0.0.0:0',
    '[::]:0',
    '192.0.2.7:0',
    'render.example:0',
    '127.evil.example:0',
    '127.1:0',
    '[::ffff:192.0.2.7]:0',
  ])('is refused at %s without one, unless everybody is meant', listen => {
    expect(() => resolve({ listen })).toThrow(
      `--listen: expected a token with ${listen}, which other machines can reach: set SORTFIRST_TOKEN or --token-file`,
    )
    expect(() => resolve({ listen, tls: TLS })).toThrow('expected a token')
    expect(resolve({ listen, insecure: true }).warnings).toEqual([
      expect.stringContaining('--insecure: anyone who reaches'),
    ])
    expect(resolve({ listen, token: SECRET }).warnings).toEqual([expect.stringContaining('unencrypted')])
    expect(resolve({ listen, token: SECRET, tls: TLS }).warnings).toEqual([])
  })

  it('takes a secret for everything, or one for each right', () => {
    expect(resolve({ token: SECRET }).tokens).toEqual({
      worker: SECRET,
      client: SECRET,
      viewer: SECRET,
      operate: SECRET,
    })
    expect(resolve({ token: { client: SECRET } }).tokens).toEqual({ client: SECRET })
    expect(() => resolve({ token: 'short' })).toThrow('token: expected a secret of 16 to 256 characters')
    expect(() => resolve({ token: { viewer: 'short' } })).toThrow('token, viewer: expected a secret of 16')
    expect(() => resolve({ token: {} })).toThrow('token: expected a secret, or one for some of worker, client, viewer')
    expect(() => resolve({ token: SECRET, insecure: true })).toThrow('--insecure cannot be combined with a token')
  })
})

it('knows its own addresses', () => {
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', 'LOCALHOST'].every(isLoopback)).toBe(true)
  expect([undefined, '', '128.0.0.1', '::2', '127.0.0.1.example', '1127.0.0.1'].some(isLoopback)).toBe(false)
})
