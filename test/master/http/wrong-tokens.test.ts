import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WrongTokens } from '../../../master/http/wrong-tokens.ts'

const limits = { tries: 3, everyMs: 1000, addresses: 4 }

describe('wrong tokens of an address', () => {
  it('are few at once, then one now and then', () => {
    const wrong = new WrongTokens(limits)
    for (const left of [0, 0, 1000]) {
      wrong.count('192.0.2.7', 0)
      expect(wrong.waitMs('192.0.2.7', 0)).toBe(left)
    }
    expect(wrong.waitMs('192.0.2.8', 0)).toBe(0)
    expect(wrong.waitMs('192.0.2.7', 400)).toBe(600)
    expect(wrong.waitMs('192.0.2.7', 1000)).toBe(0)
    wrong.count('192.0.2.7', 1000)
    expect(wrong.waitMs('192.0.2.7', 1000)).toBe(1000)
    expect(wrong.waitMs('192.0.2.7', 1_000_000)).toBe(0)
  })

  it.each([
    ['::ffff:192.0.2.7', '192.0.2.7', true],
    ['2001:db8:1:2::7', '2001:db8:1:2:aaaa:bbbb:cccc:dddd', true],
    ['2001:db8::7', '2001:db8:0:0:1::', true],
    ['fe80::1%eth0', 'fe80::2', true],
    ['2001:db8:1:2::7', '2001:db8:1:3::7', false],
    ['::1', '1::', false],
  ])('%s and %s are of one: %s', (a, b, same) => {
    const wrong = new WrongTokens({ ...limits, tries: 1 })
    wrong.count(a, 0)
    expect(wrong.waitMs(b, 0) > 0).toBe(same)
  })

  it('are remembered of a bounded number of addresses, and no address gets more than its share', () => {
    const attempts = fc.array(fc.record({ host: fc.nat(9), afterMs: fc.nat(700) }), { maxLength: 300 })
    fc.assert(
      fc.property(attempts, list => {
        const wrong = new WrongTokens({ ...limits, addresses: 20 })
        const looked = new Map<number, number>()
        let now = 0
        for (const { host, afterMs } of list) {
          now += afterMs
          if (wrong.waitMs(`192.0.2.${host}`, now) > 0) continue
          wrong.count(`192.0.2.${host}`, now)
          looked.set(host, (looked.get(host) ?? 0) + 1)
        }
        for (const count of looked.values()) expect(count).toBeLessThanOrEqual(limits.tries + now / limits.everyMs)
      }),
    )
    const wrong = new WrongTokens(limits)
    for (let i = 0; i < 10_000; i++) wrong.count(`2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`, 0)
    expect(wrong.size).toBe(4)
  })
})
