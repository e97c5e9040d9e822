/** What a thread shows and asks between the portions of its rows, on clocks that only the test advances. */
import { describe, expect, it } from 'vitest'
import { type Interruption, RowsAtHand } from '../../../worker/threads/rows-at-hand.ts'
import { TileProgress } from '../../../worker/tile-progress.ts'

/** Sleep takes its time on the clock; `during` is called in it. */
class SleptProgress extends TileProgress {
  readonly slept: number[] = []
  during: (ms: number) => void = () => {}
  override sleep(ms: number): void {
    this.slept.push(ms)
    this.during(ms)
  }
}

/** @param interrupt what is urgent when it is asked for; called with how often that was */
function setUp({ share = 1, rows = 10, interrupt = undefined as ((asked: number) => number) | undefined } = {}) {
  const time = { wall: 1000, cpu: 0, share: 1 }
  const progress = new SleptProgress(TileProgress.of(rows, 1).bytes)
  progress.during = ms => {
    time.wall += ms
  }
  let asked = 0
  const giveWay = (): Interruption | undefined => {
    const ms = interrupt!(asked++)
    time.wall += ms
    time.cpu += ms
    return ms > 0 ? { ms, cpuMs: ms } : undefined
  }
  const clocks = { now: () => time.wall, cpuClock: { now: () => time.cpu }, share: () => time.share }
  const hand = new RowsAtHand(0, share, clocks, interrupt && giveWay)
  hand.beginTile(progress, 1000)
  const work = (ms: number) => {
    time.wall += ms
    time.cpu += ms
  }
  const take = (count: number, rays = 1000) => {
    const { from } = progress.take(() => count)!
    hand.begin(from, rays)
    return from
  }
  return { time, progress, hand, work, take }
}

describe('rows at hand', () => {
  it('pause between portions while their thread is to take a share of the time, and as long as the share says', () => {
    const { time, progress, hand, work, take } = setUp()
    take(1)
    work(40)
    hand.goOn(0.1)
    expect(progress.slept).toEqual([])
    time.share = 0.5
    work(10)
    hand.goOn(0.2)
    // Once, for all since the tile's begin.
    expect(progress.slept).toEqual([50])
    work(10)
    hand.goOn(0.3)
    time.share = 0.25
    work(10)
    hand.goOn(0.4)
    expect(progress.slept).toEqual([50, 10, 30])
    time.share = 1
    work(10)
    hand.goOn(0.5)
    expect(progress.slept).toHaveLength(3)
    // What is left is reckoned without pauses.
    expect(progress.doneWithin(79)).toBe(0)
    expect(progress.doneWithin(80)).toBe(1)
  })

  it('advance with every portion', () => {
    const { progress, hand, take } = setUp()
    take(1)
    const seen = new Set([progress.portions])
    for (const done of [0, 0.3, 0.6]) {
      hand.goOn(done)
      seen.add(progress.portions)
    }
    expect(seen.size).toBe(4)
  })

  it('say for how long they will take, first as those before them did', () => {
    const { progress, hand, work, take } = setUp()
    take(1)
    expect(hand.goOn(0)).toBe(true)
    expect(progress.doneWithin(0)).toBe(1)
    work(3000)
    hand.goOn(0.25)
    expect([progress.doneWithin(8999), progress.doneWithin(9000)]).toEqual([0, 1])
    work(9000)
    expect(hand.end()).toBe(true)
    expect(progress.doneWithin(0)).toBe(1)
    take(1, 500)
    hand.goOn(0)
    expect([progress.doneWithin(5999), progress.doneWithin(6000)]).toEqual([1, 2])
  })

  it('are given back when they are not wanted any more, and tell nothing of the time that rows take', () => {
    const { progress, hand, work, take } = setUp()
    take(4)
    hand.goOn(0)
    work(100)
    hand.end()
    take(4)
    hand.goOn(0)
    progress.trim(4)
    work(1e6)
    expect(hand.goOn(0.5)).toBe(false)
    expect(hand.end()).toBe(false)
    expect([progress.begun, progress.rows]).toEqual([8, 4])
  })

  it('of no pixels teach nothing', () => {
    const { progress, hand, take } = setUp()
    take(4, 0)
    hand.end()
    take(4)
    hand.goOn(0)
    expect(progress.doneWithin(0)).toBe(8)
  })

  it('are paced in their midst, but not for every portion, and pauses do not count as their time', () => {
    const { time, progress, hand, work, take } = setUp({ share: 0.25 })
    take(1)
    hand.goOn(0)
    work(60)
    hand.goOn(0.06)
    expect(progress.slept).toEqual([])
    work(40)
    hand.goOn(0.1)
    expect(progress.slept).toEqual([300])
    expect([progress.doneWithin(899), progress.doneWithin(900)]).toEqual([0, 1])
    expect(time.wall).toBe(1400)
    work(10)
    hand.end()
    hand.rest()
    expect(time.wall).toBe(1000 + time.cpu / 0.25)
  })

  it('advance while they are paced, however small the share', () => {
    const { time, progress, hand, work, take } = setUp({ share: 0.01 })
    take(1)
    work(100)
    const before = progress.portions
    hand.goOn(0.5)
    expect(time.wall).toBe(1000 + 100 / 0.01)
    expect(Math.max(...progress.slept)).toBeLessThanOrEqual(500)
    expect(progress.portions - before).toBeGreaterThanOrEqual(progress.slept.length)
  })

  it.each(['trim', 'leave', 'stop'] as const)('pause no longer after a %s', how => {
    const { time, progress, hand, work, take } = setUp({ share: 0.01 })
    take(1)
    take(1)
    work(100)
    progress.during = ms => {
      time.wall += ms
      if (how === 'trim') progress.trim(1)
      else progress[how]()
    }
    hand.goOn(0.99)
    expect(progress.slept).toHaveLength(1)
  })

  it.each([0, 1, 2, 5])(
    'give way, in pauses too, for which they are not paced twice: asked for the %ith time',
    when => {
      const { time, hand, work, take } = setUp({ share: 0.25, interrupt: asked => (asked === when ? 50 : 0) })
      take(1)
      hand.goOn(0)
      work(100)
      hand.goOn(0.1)
      expect(time.wall).toBe(1000 + 100 / 0.25 + 50)
      expect([hand.cpuMs, hand.gaveWayMs]).toEqual([100, 50])
      work(900)
      hand.end()
      hand.rest()
      expect(time.wall).toBe(1000 + 1000 / 0.25 + 50)
    },
  )

  it('take as long as they would have without giving way', () => {
    const { progress, hand, work, take } = setUp({ interrupt: asked => (asked === 1 ? 5000 : 0) })
    take(1)
    hand.goOn(0)
    work(1000)
    hand.goOn(0.5)
    expect([progress.doneWithin(999), progress.doneWithin(1000)]).toEqual([0, 1])
    hand.end()
  })

  it('do not pause without a share', () => {
    const { progress, hand, work, take } = setUp()
    take(1)
    work(1e4)
    hand.goOn(0.5)
    hand.end()
    hand.rest()
    expect(progress.slept).toEqual([])
  })
})
