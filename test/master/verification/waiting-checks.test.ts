/** Which of the checks that wait a worker is given. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Terms, WaitingChecks } from '../../../master/verification/waiting-checks.ts'

const KEYS = ['anna', 'bob', 'carl'] as const
const asker = fc.record({ key: fc.constantFrom(...KEYS), kernel: fc.constantFrom('k', 'l') })
const anyStep = fc.oneof(
  fc.record({
    add: fc.record({
      kernel: fc.constantFrom('k', 'l'),
      closedTo: fc.subarray([...KEYS], { minLength: 1 }),
      isUrgent: fc.boolean(),
    }),
  }),
  fc.record({ take: asker }),
  fc.record({ delete: fc.nat() }),
  fc.record({ present: fc.array(asker, { maxLength: 3 }) }),
)

it('is one that it may answer if there is any, and an urgent one if there is any', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), steps => {
      const waiting = new WaitingChecks<number>()
      const model = new Map<number, Terms>()
      for (const [number, step] of steps.entries()) {
        if ('add' in step) {
          const terms = { ...step.add, closedTo: new Set(step.add.closedTo) }
          waiting.add(number, terms)
          model.set(number, terms)
        } else if ('take' in step) {
          const { key, kernel } = step.take
          const open = [...model].filter(([, terms]) => terms.kernel === kernel && !terms.closedTo.has(key))
          const first = open.some(([, terms]) => terms.isUrgent) ? open.filter(([, terms]) => terms.isUrgent) : open
          const taken = waiting.take(step.take)
          if (taken === undefined) expect(first).toEqual([])
          else expect(first.map(([check]) => check)).toContain(taken)
          model.delete(taken!)
        } else if ('delete' in step) {
          const check = [...model.keys()][step.delete % Math.max(1, model.size)]
          waiting.delete(check ?? -1)
          model.delete(check!)
        } else {
          const mayAnswer = ({ kernel, closedTo }: Terms) =>
            step.present.some(each => each.kernel === kernel && !closedTo.has(each.key))
          const stuck = [...model].filter(([, terms]) => !mayAnswer(terms)).map(([check]) => check)
          const found = waiting.closedTo(step.present)
          if (found === undefined) expect(stuck).toEqual([])
          else expect(stuck).toContain(found)
        }
        expect([...waiting.all()].sort()).toEqual([...model.keys()].sort())
        expect(waiting.size).toBe(model.size)
      }
    }),
  )
})

it('is of each of the others in turn', () => {
  const waiting = new WaitingChecks<string>()
  for (const key of ['anna', 'bob'])
    for (let i = 0; i < 2; i++) waiting.add(`${key}'s ${i}`, { kernel: 'k', closedTo: new Set([key]), isUrgent: false })
  const carl = { key: 'carl', kernel: 'k' }
  expect(Array.from({ length: 5 }, () => waiting.take(carl))).toEqual([
    ...["anna's 0", "bob's 0", "anna's 1", "bob's 1"],
    undefined,
  ])
})

it.each(['undisputed', 'disputed by the same two'])(
  'is found without looking at thousands that are not for it: %s',
  kind => {
    let looked = 0
    class Counting extends Set<string> {
      override has(key: string): boolean {
        looked++
        return super.has(key)
      }
    }
    const workers = 16
    const most = 4096
    const waiting = new WaitingChecks<number>()
    const isUrgent = kind !== 'undisputed'
    for (let i = 0; i < most; i++) {
      const closedTo = new Counting(isUrgent ? ['w0', 'w1'] : [`w${i % workers}`])
      waiting.add(i, { kernel: 'k', closedTo, isUrgent })
    }
    // Among them those that may answer none.
    let asks = 0
    while (waiting.size > 0) {
      for (let i = 0; i < workers; i++) waiting.take({ key: `w${i}`, kernel: 'k' })
      asks += workers
    }
    expect(looked).toBeLessThanOrEqual(2 * asks)
  },
)
