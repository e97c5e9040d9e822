/** Who a worker is, over its connections. */
import { expect, it } from 'vitest'
import { Identities, MOST_REMEMBERED } from '../../../master/cluster/identities.ts'

it('is the same when it reconnects, and when it is started anew', () => {
  const identities = new Identities(() => false)
  const first = identities.enter('10.0.0.1', 'anna', 'p1')
  first.leave()
  const back = identities.enter('10.0.0.1', 'anna', 'p1')
  expect(back.key).toBe(first.key)
  back.leave()
  expect(identities.enter('10.0.0.1', 'anna', 'p2').key).toBe(first.key)
})

it('is its own, whatever others are called, and wherever they connect from', () => {
  const identities = new Identities(() => false)
  const all = [
    identities.enter('10.0.0.1', 'anna', 'p1'),
    identities.enter('10.0.0.1', 'anna', 'p2'),
    identities.enter('10.0.0.1', 'anna'),
    identities.enter('10.0.0.2', 'anna', 'p1'),
    identities.enter('10.0.0.1', 'ben', 'p1'),
  ]
  expect(new Set(all.map(({ key }) => key)).size).toBe(5)
  // Both come back, in the other order.
  for (const each of all.slice(0, 2)) each.leave()
  expect(identities.enter('10.0.0.1', 'anna', 'p2').key).toBe(all[1]!.key)
  expect(identities.enter('10.0.0.1', 'anna', 'p1').key).toBe(all[0]!.key)
})

it('is the same while its old connection has not ended yet', () => {
  const identities = new Identities(() => false)
  const old = identities.enter('10.0.0.1', 'anna', 'p1')
  const back = identities.enter('10.0.0.1', 'anna', 'p1')
  old.leave()
  expect(back.key).toBe(old.key)
  expect(identities.enter('10.0.0.1', 'anna', 'p2').key).not.toBe(back.key)
})

it('is that of the expelled one for any that is started anew, not that of another one which restarts as well', () => {
  const expelled = new Set<string>()
  const identities = new Identities(key => expelled.has(key))
  const enter = (own: string) => {
    const entered = identities.enter('10.0.0.5', 'node', own)
    if (expelled.has(entered.key)) entered.leave()
    return entered
  }
  const honest = enter('h1')
  const liar = enter('l1')
  expelled.add(liar.key)
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
  const identities = new Identities(() => false)
  const first = identities.enter('10.0.0.1', 'anna', 'p1')
  identities.enter('10.0.0.1', 'ben', 'p2').leave()
  for (let i = 0; i < MOST_REMEMBERED; i++) identities.enter('10.0.0.1', `n${i}`).leave()
  expect(identities.enter('10.0.0.1', 'anna', 'p3').key).not.toBe(first.key)
})
