/** What a page is shown, and when: on a clock of the test's own, by a tracer and a line of its own. */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { SETTLED_MS, type Shot, STILL_MS, ViewLoop } from '../../../master/page/view-loop.ts'
import type { Size } from '../../../shared/frame/rect.ts'

const FULL: Size = [1280, 720]
const viewpoint = { eye: [0, 0, 1], target: [0, 0, 0], up: [0, 1, 0], fov: 36 } as const

/** A loop with what it asked for, in its order. */
class Bench {
  now = 0
  /** Of the views that come. */
  viewCost = 1
  readonly shots: Shot[] = []
  readonly sent: { readonly shot: Shot; readonly number: number }[] = []
  abandoned = 0
  #alarm: { readonly at: number; readonly wake: () => void } | undefined
  readonly loop: ViewLoop<Shot>
  #seq = 0

  constructor(hasFirst = false) {
    this.loop = new ViewLoop<Shot>(
      {
        trace: shot => void this.shots.push(shot),
        abandon: () => void this.abandoned++,
        send: (shot, number) => void this.sent.push({ shot, number }),
        viewCost: () => this.viewCost,
        now: () => this.now,
        alarm: (wake, inMs) => {
          const alarm = { at: this.now + inMs, wake }
          this.#alarm = alarm
          return () => {
            if (this.#alarm === alarm) this.#alarm = undefined
          }
        },
      },
      hasFirst,
    )
  }

  look(): number {
    this.loop.look({ seq: ++this.#seq, viewpoint, tiles: false, fullSize: FULL })
    return this.#seq
  }

  pass(ms: number): void {
    const until = this.now + ms
    for (let due = this.#alarm; due && due.at <= until; due = this.#alarm) {
      this.now = due.at
      this.#alarm = undefined
      due.wake()
    }
    this.now = until
  }

  /** The newest shot is traced and encoded. */
  finish(shot = this.shots.at(-1)!): void {
    if (this.loop.finished(shot.frame)) this.loop.ready(shot, shot)
  }

  draw(number = this.sent.at(-1)!.number): void {
    this.loop.drawn(number)
  }

  get stages(): string[] {
    return this.shots.map(({ look, stage }) => `${look.seq} ${stage}`)
  }
}

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})

describe('a view that moves', () => {
  it('has one frame in tracing, and then that of the newest view', () => {
    for (let i = 0; i < 5; i++) bench.look()
    expect(bench.stages).toEqual(['1 moving'])
    bench.finish()
    expect(bench.stages).toEqual(['1 moving', '5 moving'])
    expect(bench.abandoned).toBe(0)
  })

  it('takes no older view than it has', () => {
    bench.loop.look({ seq: 7, viewpoint, tiles: false, fullSize: FULL })
    bench.loop.look({ seq: 6, viewpoint, tiles: false, fullSize: FULL })
    bench.finish()
    expect(bench.stages).toEqual(['7 moving'])
  })

  it('is as large as its predicted cost lets it', () => {
    for (let i = 0; i < 60; i++) {
      bench.look()
      const shot = bench.shots.at(-1)!
      bench.loop.measured(shot, shot.size[0] * shot.size[1] * 1e-4 * bench.viewCost)
      bench.finish()
      bench.draw()
    }
    const before = bench.shots.at(-1)!.size
    bench.viewCost = 4
    bench.look()
    expect(bench.shots.at(-1)!.viewCost).toBe(4)
    expect(bench.shots.at(-1)!.size[0]).toBeLessThan(before[0] * 0.6)
  })

  it('is made smaller than one that stands still', () => {
    bench.look()
    expect(bench.shots[0]!.size[0]).toBeLessThan(FULL[0])
    bench.pass(STILL_MS)
    bench.finish()
    expect(bench.shots[1]!.size).toEqual(FULL)
  })
})

describe('a view that stands still', () => {
  const rest = () => {
    bench.look()
    bench.finish()
    bench.draw()
    bench.pass(STILL_MS)
  }

  it('is made in full once, under the number that render gives to its one frame', () => {
    rest()
    expect(bench.stages).toEqual(['1 moving', '1 full'])
    expect(bench.shots[1]!.frame).toBe(0)
    bench.finish()
    bench.draw()
    bench.pass(10 * STILL_MS)
    expect(bench.shots).toHaveLength(2)
  })

  it('is made in full again when that is wanted, and not if it is not, or moves', () => {
    bench.loop.again()
    bench.look()
    bench.loop.again()
    bench.finish()
    bench.draw()
    bench.pass(STILL_MS)
    // What is being made goes on.
    bench.loop.again()
    expect(bench.stages).toEqual(['1 moving', '1 full'])
    bench.finish()
    bench.draw()
    bench.loop.again()
    bench.loop.again()
    expect(bench.stages).toEqual(['1 moving', '1 full', '1 full'])
    expect(bench.shots.map(({ isAgain = false }) => isAgain)).toEqual([false, false, true])
    expect(bench.shots[2]!.frame).toBe(bench.shots[1]!.frame)
    bench.finish()
    bench.draw()
    expect(bench.sent.map(({ number }) => number)).toEqual([1, 2, 3])
    bench.look()
    bench.finish()
    bench.draw()
    bench.pass(STILL_MS)
    expect(bench.shots.at(-1)).toMatchObject({ stage: 'full', look: { seq: 2 } })
    expect(bench.shots.at(-1)).not.toHaveProperty('isAgain')
    expect(bench.abandoned).toBe(0)
  })

  it('is made in full again when it is shown again, if it was hidden meanwhile', () => {
    rest()
    bench.finish()
    bench.draw()
    bench.loop.again()
    bench.loop.shown(false)
    expect(bench.abandoned).toBe(1)
    bench.loop.again()
    bench.loop.shown(true)
    expect(bench.stages).toEqual(['1 moving', '1 full', '1 full', '1 full'])
    expect(bench.shots.at(-1)).toMatchObject({ isAgain: true })
  })

  it('has all its pixels as soon as it has not changed for a moment, and then all samples', () => {
    bench = new Bench(true)
    bench.look()
    bench.finish()
    bench.draw()
    bench.pass(SETTLED_MS - 1)
    expect(bench.stages).toEqual(['1 moving'])
    bench.pass(1)
    expect(bench.stages).toEqual(['1 moving', '1 first'])
    expect(bench.shots[1]).toMatchObject({ size: FULL, isDeep: bench.shots[0]!.isDeep })
    bench.finish()
    bench.draw()
    // It may yet move on.
    expect(bench.shots).toHaveLength(2)
    bench.pass(STILL_MS - SETTLED_MS)
    expect(bench.stages).toEqual(['1 moving', '1 first', '1 full'])
    expect(new Set(bench.shots.map(({ frame }) => frame)).size).toBe(3)
  })

  it('is not begun with all its pixels while it moves on, however slowly pictures come', () => {
    bench = new Bench(true)
    for (let i = 0; i < 30; i++) {
      bench.look()
      bench.pass(SETTLED_MS - 1)
      if (i % 3 === 2) bench.finish()
    }
    expect(bench.shots.every(({ stage }) => stage === 'moving')).toBe(true)
    expect(bench.abandoned).toBe(0)
  })

  it('that comes to rest while a picture of before is traced has all its pixels next', () => {
    bench = new Bench(true)
    bench.look()
    bench.look()
    bench.pass(STILL_MS)
    bench.finish()
    expect(bench.stages).toEqual(['1 moving', '2 first'])
    bench.finish()
    expect(bench.stages.at(-1)).toBe('2 full')
  })

  it('is given up when it moves, and what comes of it is not shown', () => {
    rest()
    const late = bench.shots.at(-1)!
    bench.look()
    expect(bench.abandoned).toBe(1)
    expect(bench.stages.at(-1)).toBe('2 moving')
    expect(bench.loop.tracing(late.frame)).toBeUndefined()
    expect(bench.loop.finished(late.frame)).toBeUndefined()
    expect(bench.sent).toHaveLength(1)
  })

  it('is not sent in full if it waited for the line, and the view has moved on', () => {
    bench.look()
    bench.finish()
    bench.pass(STILL_MS)
    bench.finish()
    expect(bench.stages).toEqual(['1 moving', '1 full'])
    bench.look()
    bench.draw()
    expect(bench.sent.map(({ shot }) => shot.stage)).toEqual(['moving'])
    expect(bench.stages.at(-1)).toBe('2 moving')
  })

  it('is not sent in full, once the view has moved on', () => {
    rest()
    const full = bench.shots.at(-1)!
    bench.loop.finished(full.frame)
    bench.look()
    bench.loop.ready(full, full)
    expect(bench.sent.map(({ shot }) => shot.stage)).toEqual(['moving'])
  })
})

describe('a page that draws nothing', () => {
  it('has one picture on its way, one that waits, and nothing in tracing', () => {
    for (let i = 0; i < 20; i++) {
      bench.look()
      bench.pass(16)
      bench.finish()
    }
    expect(bench.sent).toHaveLength(1)
    expect(bench.shots).toHaveLength(2)
    expect(bench.loop.silentMs).toBe(20 * 16 - 16)
  })

  it('is shown the newest view afterwards, not what waited', () => {
    for (let i = 0; i < 20; i++) {
      bench.look()
      bench.pass(16)
      bench.finish()
    }
    bench.pass(6000)
    bench.draw()
    // What waited is of a view before the last one.
    expect(bench.sent).toHaveLength(1)
    bench.finish()
    expect(bench.sent.at(-1)!.shot.look.seq).toBe(20)
  })

  it('of a view that stands still gets the finished picture in place of what came before', () => {
    bench.look()
    bench.pass(STILL_MS)
    bench.finish()
    const full = bench.shots.at(-1)!
    const preview = { ...full, size: [1, 1] as const }
    bench.loop.ready(full, preview)
    bench.finish()
    bench.draw()
    expect(bench.sent.map(({ shot }) => shot)).toEqual([bench.shots[0], full])
  })

  it('gets more at once over a long line', () => {
    // Each way takes 120 ms; what is sent meanwhile is drawn later.
    const way: { readonly number: number; readonly at: number }[] = []
    let seen = 0
    for (let i = 0; i < 100; i++) {
      bench.look()
      bench.pass(20)
      bench.finish()
      for (; seen < bench.sent.length; seen++) way.push({ number: bench.sent[seen]!.number, at: bench.now + 120 })
      while (way.length > 0 && way[0]!.at <= bench.now) bench.draw(way.shift()!.number)
    }
    // One at a time would be 2,000 / 140.
    expect(bench.sent.length).toBeGreaterThan(25)
    expect(way.length).toBeLessThanOrEqual(4)
  })
})

describe('a page whose place another one takes', () => {
  it('is sent nothing that was made for it, and is not waited for', () => {
    for (const isEncoded of [true, false]) {
      bench = new Bench()
      bench.look()
      bench.finish()
      bench.look()
      const shot = bench.shots.at(-1)!
      bench.loop.finished(shot.frame)
      if (isEncoded) bench.loop.ready(shot, shot)
      bench.loop.leave()
      if (!isEncoded) bench.loop.ready(shot, shot)
      // It has drawn a later one, of the other page, in place of what was sent.
      bench.pass(60_000)
      expect(bench.loop.silentMs).toBe(0)
      bench.draw()
      expect(bench.sent).toHaveLength(1)
      expect(bench.shots).toHaveLength(2)
    }
  })

  it('goes on with the view that it asks for when it is back', () => {
    bench.look()
    bench.loop.leave()
    bench.loop.shown(true)
    bench.pass(STILL_MS)
    expect(bench.stages).toEqual(['1 moving'])
    bench.look()
    expect(bench.stages).toEqual(['1 moving', '2 moving'])
  })
})

describe('a page that is hidden', () => {
  it('has nothing traced until it is shown again', () => {
    bench.look()
    bench.loop.shown(false)
    expect(bench.abandoned).toBe(1)
    bench.look()
    bench.pass(STILL_MS)
    expect(bench.shots).toHaveLength(1)
    bench.loop.shown(true)
    expect(bench.stages.at(-1)).toBe('2 full')
  })
})

it('shows views in their order, and the last one in full at last, whatever happens', () => {
  const events = fc.array(fc.constantFrom('look', 'finish', 'draw', 'pass', 'still', 'hide', 'show'), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(events, fc.boolean(), (happened, hasFirst) => {
      const own = new Bench(hasFirst)
      const newest = () => own.shots.at(-1)
      const act = (event: string) => {
        if (event === 'look') own.look()
        else if (event === 'finish' && newest()) own.finish(newest())
        else if (event === 'draw' && own.sent.length > 0) own.draw()
        else if (event === 'pass') own.pass(20)
        else if (event === 'still') own.pass(STILL_MS)
        else if (event === 'hide') own.loop.shown(false)
        else if (event === 'show') own.loop.shown(true)
      }
      for (const event of happened) act(event)
      own.loop.shown(true)
      const last = own.look()
      for (let i = 0; i < 8; i++) for (const event of ['still', 'finish', 'draw']) act(event)
      const seqs = own.sent.map(({ shot }) => shot.look.seq)
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      expect(own.sent.at(-1)!.shot).toMatchObject({ stage: 'full', look: { seq: last } })
    }),
  )
})
