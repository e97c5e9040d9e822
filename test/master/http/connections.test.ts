import { describe, expect, it } from 'vitest'
import { Connections, networkOf } from '../../../master/http/connections.ts'

describe('connections', () => {
  it('are bounded in all and from each address, and make room when they end', () => {
    const connections = new Connections({ total: 3, perAddress: 2 })
    const enter = (address: string) => connections.enter(address)
    expect([enter('10.0.0.1'), enter('10.0.0.1')]).toEqual([undefined, undefined])
    expect(enter('10.0.0.1')).toEqual({
      network: '10.0.0.1',
      sentence: 'too many connections from 10.0.0.1: expected at most 2 (--max-connections-per-address)',
    })
    expect(enter('10.0.0.2')).toBeUndefined()
    expect(enter('10.0.0.3')).toEqual({
      network: undefined,
      sentence: 'too many connections: expected at most 3 (--max-connections)',
    })
    expect(connections.count).toBe(3)
    connections.leave('10.0.0.1')
    expect(enter('10.0.0.3')).toBeUndefined()
    connections.leave('10.0.0.1')
    expect([enter('10.0.0.1'), connections.count]).toEqual([undefined, 3])
  })
})

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
