import { describe, expect, it } from 'vitest'
import { type GuessThread, WhatIfDesk } from '../../../../master/page/what-if/desk.ts'
import type { GuessAnswer, GuessJob } from '../../../../master/page/what-if/guesser.ts'

const job = (run: number, place: number) => ({ run, place }) as GuessJob
const answer = ({ run, place }: GuessJob) => ({ run, guess: { place }, doubts: [] }) as unknown as GuessAnswer

function desk() {
  const threads: { posted: GuessJob[]; isOver: boolean; events: Parameters<typeof start>[0] }[] = []
  const start = (events: { answered(answer: GuessAnswer): void; failed(reason: string): void }): GuessThread => {
    const thread = { posted: [] as GuessJob[], isOver: false, events }
    threads.push(thread)
    return {
      post: job => thread.posted.push(job),
      end() {
        thread.isOver = true
      },
    }
  }
  const told: GuessAnswer[] = []
  const failed: [number, string][] = []
  const made = new WhatIfDesk({ start, told: each => told.push(each), failed: (...each) => failed.push(each) })
  return { desk: made, threads, told, failed }
}

describe('a desk', () => {
  const [one, two] = [{}, {}]

  it('starts a thread with the first frame that somebody wants to know of, and ends it with the last who does', () => {
    const { desk: it, threads, told } = desk()
    it.take(job(1, 0))
    expect(it.wants(1)).toBe(false)
    it.want(one, 1)
    it.want(two, 2)
    expect([it.wants(1), it.wants(2), it.wants(3)]).toEqual([true, true, false])
    expect(threads).toHaveLength(0)
    it.take(job(3, 0))
    expect(threads).toHaveLength(0)
    it.take(job(1, 1))
    expect(threads[0]!.posted).toEqual([job(1, 1)])
    threads[0]!.events.answered(answer(job(1, 1)))
    expect(told).toHaveLength(1)
    it.want(one, undefined)
    expect(threads[0]!.isOver).toBe(false)
    it.want(two, undefined)
    it.want(two, undefined)
    expect(threads[0]!.isOver).toBe(true)
    it.take(job(2, 5))
    expect(threads).toHaveLength(1)
    it.want(one, 2)
    it.take(job(2, 6))
    expect(threads).toHaveLength(2)
    expect(threads[1]!.posted).toEqual([job(2, 6)])
  })

  it('works on one frame at a time, and then on the newest of each run', () => {
    const { desk: it, threads } = desk()
    it.want(one, 1)
    it.want(two, 2)
    for (let place = 0; place < 5; place++) it.take(job(1, place))
    for (let place = 0; place < 3; place++) it.take(job(2, place))
    const [{ posted, events }] = threads as [(typeof threads)[number]]
    expect(posted).toEqual([job(1, 0)])
    events.answered(answer(job(1, 0)))
    expect(posted.at(-1)).toEqual(job(1, 4))
    // While it works, its run is not wanted any more: what waits of it is not begun.
    it.take(job(1, 9))
    it.want(one, 2)
    events.answered(answer(job(1, 4)))
    expect(posted.slice(2)).toEqual([job(2, 2)])
    events.answered(answer(job(2, 2)))
    expect(posted).toHaveLength(3)
  })

  it('does not start a thread again that failed, before somebody asks anew', () => {
    const { desk: it, threads, failed } = desk()
    it.want(one, 1)
    it.take(job(1, 0))
    threads[0]!.events.failed('out of memory')
    expect(failed).toEqual([[1, 'out of memory']])
    expect(it.wants(1)).toBe(false)
    it.take(job(1, 1))
    it.want(one, 1)
    it.take(job(1, 2))
    expect(threads).toHaveLength(1)
    it.want(two, 1)
    it.take(job(1, 3))
    expect(threads).toHaveLength(2)
  })
})
