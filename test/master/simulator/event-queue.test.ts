import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventQueue } from '../../../master/simulator/event-queue.ts'

it('gives events back by time, those of one time in the order in which they were put in', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20), { nil: undefined }), { maxLength: 200 }), steps => {
      const queue = new EventQueue<number>()
      const waiting: { time: number; event: number }[] = []
      let number = 0
      let right = true
      // A number is put in with that time; nothing stands for taking the soonest out.
      for (const step of [...steps, ...steps.map(() => undefined)]) {
        if (step !== undefined) {
          queue.push(step, number)
          waiting.push({ time: step, event: number++ })
          continue
        }
        waiting.sort((a, b) => a.time - b.time || a.event - b.event)
        const [next, popped] = [waiting.shift(), queue.pop()]
        right &&= next?.time === popped?.time && next?.event === popped?.event && queue.size === waiting.length
      }
      return right
    }),
  )
  expect(new EventQueue().pop()).toBeUndefined()
})
