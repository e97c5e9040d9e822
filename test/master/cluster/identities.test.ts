/** Who a worker is, over its connections. */
import { describe, expect, it } from 'vitest'
import { Identities, MOST_REMEMBERED } from '../../../master/cluster/identities.ts'

it('is the same when it reconnects, and when it is started anew', () => {
  const identities = new Identities()
  const first = identities.enter('10.0.0.1', 'anna', { own: 'p1' })
  first.leave()
  const back = identities.enter('10.0.0.1', 'anna', { own: 'p1' })
  expect(back.key).toBe(first.key)
  back.leave()
  expect(identities.enter('10.0.0.1', 'anna', { own: 'p2' }).key).toBe(first.key)
})

it('is its own, whatever others are called, and wherever they connect from', () => {
  const identities = new Identities()
  const all = [
    identities.enter('10.0.0.1', 'anna', { own: 'p1' }),
    identities.enter('10.0.0.1', 'anna', { own: 'p2' }),
    identities.enter('10.0.0.1', 'anna'),
    identities.enter('10.0.0.2', 'anna', { own: 'p1' }),
    identities.enter('10.0.0.1', 'ben', { own: 'p1' }),
  ]
  expect(new Set(all.map(({ key }) => key)).size).toBe(5)
  // Both come back, in the other order.
  for (const each of all.slice(0, 2)) each.leave()
  expect(identities.enter('10.0.0.1', 'anna', { own: 'p2' }).key).toBe(all[1]!.key)
  expect(identities.enter('10.0.0.1', 'anna', { own: 'p1' }).key).toBe(all[0]!.key)
})

it('is the same while its old connection has not ended yet', () => {
  const identities = new Identities()
  const old = identities.enter('10.0.0.1', 'anna', { own: 'p1' })
  const back = identities.enter('10.0.0.1', 'anna', { own: 'p1' })
  old.leave()
  expect(back.key).toBe(old.key)
  expect(identities.enter('10.0.0.1', 'anna', { own: 'p2' }).key).not.toBe(back.key)
})

it('is that of the expelled one for any that is started anew, not that of another one which restarts as well', () => {
  const identities = new Identities()
  const enter = (own: string) => {
    const entered = identities.enter('10.0.0.5', 'node', { own })
    if (identities.isExpelled(entered.key)) entered.leave()
    return entered
  }
  const honest = enter('h1')
  const liar = enter('l1')
  identities.expel(liar.key)
  liar.leave()
  honest.leave()
  // However often it tries, also while the place of the other one is free.
  for (const own of ['l2', 'l3', 'l4']) expect(enter(own).key).toBe(liar.key)
  const back = enter('h1')
  expect(back.key).toBe(honest.key)
  expect(enter('l5').key).toBe(liar.key)
  // It cannot be told from the one that lied.
  back.leave()
  expect(enter('h2').key).toBe(liar.key)
})

it('is forgotten for newer ones, unless it is connected', () => {
  const identities = new Identities()
  const first = identities.enter('10.0.0.1', 'anna', { own: 'p1' })
  identities.enter('10.0.0.1', 'ben', { own: 'p2' }).leave()
  for (let i = 0; i < MOST_REMEMBERED; i++) identities.enter('10.0.0.1', `n${i}`).leave()
  expect(identities.enter('10.0.0.1', 'anna', { own: 'p3' }).key).not.toBe(first.key)
})

describe('a worker that holds a key', () => {
  it('is that key, wherever it comes from and whatever it is called, and no other', () => {
    const identities = new Identities()
    const key = identities.enter('10.0.0.1', 'anna', { own: 'p1', identity: 'A' }).key
    expect(identities.enter('10.9.9.9', 'pod-7', { own: 'p2', identity: 'A' }).key).toBe(key)
    expect(identities.enter('10.0.0.1', 'anna', { own: 'p1', identity: 'B' }).key).not.toBe(key)
    expect(identities.enter('10.0.0.1', 'anna', { own: 'p1' }).key).not.toBe(key)
  })

  it('is expelled everywhere, and nobody behind the same gateway that was there before', () => {
    const identities = new Identities()
    const isIn = (address: string, name: string, who: object) => {
      const entered = identities.enter(address, name, who)
      if (identities.isExpelled(entered.key)) entered.leave()
      return !identities.isExpelled(entered.key)
    }
    identities.enter('10.0.0.1', 'pod', { identity: 'honest' }).leave()
    const liar = identities.enter('10.0.0.1', 'pod', { identity: 'liar' })
    identities.expel(liar.key)
    liar.leave()
    expect(isIn('10.0.0.1', 'pod', { identity: 'liar' })).toBe(false)
    expect(isIn('10.0.0.2', 'other', { identity: 'liar' })).toBe(false)
    expect(isIn('10.0.0.1', 'pod', { identity: 'honest' })).toBe(true)
    // It could be the liar without its key, or with another.
    expect(isIn('10.0.0.1', 'pod', { identity: 'new' })).toBe(false)
    expect(isIn('10.0.0.1', 'pod', { own: 'p' })).toBe(false)
    expect(isIn('10.0.0.1', 'pod-2', { identity: 'new' })).toBe(true)
    expect(isIn('10.0.0.2', 'pod', { identity: 'newer' })).toBe(true)
  })

  it.each([1, 2, 5])('gets no new key in from an address of which %i were expelled, if so many may be', most => {
    const identities = new Identities(most)
    const before = identities.enter('10.0.0.1', 'before', { identity: 'before' })
    before.leave()
    const isIn = (address: string, i: number | string, who: object) =>
      !identities.isExpelled(identities.enter(address, `n${i}`, who).key)
    for (let i = 0; i < most; i++) {
      expect(isIn('10.0.0.1', i, { identity: `k${i}` })).toBe(true)
      identities.expel(identities.enter('10.0.0.1', `n${i}`, { identity: `k${i}` }).key)
      // The same one again counts once.
      identities.expel(identities.enter('10.0.0.1', `n${i}`, { identity: `k${i}` }).key)
    }
    for (let i = most; i < 1000; i++) expect(isIn('10.0.0.1', i, { identity: `k${i}` })).toBe(false)
    expect(isIn('10.0.0.1', 'x', { own: 'p' })).toBe(false)
    expect(isIn('::ffff:10.0.0.1', 'x', { own: 'p' })).toBe(false)
    expect(isIn('10.0.0.2', 'x', { identity: 'elsewhere' })).toBe(true)
    expect(identities.enter('10.0.0.1', 'before', { identity: 'before' }).key).toBe(before.key)
    expect(identities.isExpelled(before.key)).toBe(false)
  })

  it('is forgotten for newer ones of the address that makes so many, not for those of others', () => {
    const identities = new Identities(1)
    const honest = identities.enter('10.0.0.1', 'pod', { identity: 'honest' })
    honest.leave()
    const stays = identities.enter('10.6.6.6', 'stays', { identity: 'stays' })
    for (let i = 0; i < MOST_REMEMBERED + 100; i++) identities.enter('10.6.6.6', `n${i}`, { identity: `k${i}` }).leave()
    identities.expel(identities.enter('10.0.0.1', 'pod', { identity: 'liar' }).key)
    identities.expel(identities.enter('10.6.6.6', 'liar', { identity: 'other-liar' }).key)
    const isIn = (address: string, identity: string) =>
      !identities.isExpelled(identities.enter(address, 'pod', { identity }).key)
    expect(isIn('10.0.0.1', 'honest')).toBe(true)
    expect(isIn('10.6.6.6', 'stays')).toBe(true)
    expect(isIn('10.6.6.6', `k${MOST_REMEMBERED + 99}`)).toBe(true)
    expect(isIn('10.6.6.6', 'k0')).toBe(false)
    stays.leave()
  })
})
