/** A run whose page looks at other strategies: what they would have taken, and being switched to one. */
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { recordedCosts } from '../../../master/costs/recorded-costs.ts'
import type { GuessAnswer } from '../../../master/page/what-if/guesser.ts'
import type { WantedFrame } from '../../../shared/session/session.ts'
import { smallCamera } from '../../support/small-scene.ts'
import { watched } from '../../support/watched-hub.ts'

/** Promises that are settled by now have been heard. */
const settled = () => new Promise(resolve => setImmediate(resolve))
const recorded = recordedCosts(new CostMap([80, 45], 8))
const frame = (number: number, more: Partial<WantedFrame> = {}) => ({ frame: number, camera: smallCamera(0), ...more })

describe('other strategies', () => {
  it('are simulated only while a page wants it: costs are asked for and are not the client’s', async () => {
    const { begin, look, make, source, wanted, threads, passed, heard, time, stop, hub } = watched(['watch'])
    const run = begin()
    const page = look()
    const take = (number: number) => {
      wanted.push(frame(number))
      return source().take()
    }
    page.hear({ for: 'news', isWatched: true })
    expect(take(0)).not.toHaveProperty('record')
    await make(0)
    page.hear({ for: 'what-if', run: 1 })
    expect(take(1)).toMatchObject({ frame: 1, record: true })
    expect(threads).toHaveLength(0)
    // A single pixel that a page asked about is no frame to divide.
    await make(1, undefined, { recorded, size: [1, 1] })
    expect(threads).toHaveLength(0)
    take(1)
    await make(1, undefined, { recorded })
    expect(threads[0]!.posted).toMatchObject([{ run: 1, place: 2, frame: 1, strategy: 'predictive', passes: 1 }])
    expect(passed).toHaveLength(3)
    expect(passed.every(report => !('recorded' in report))).toBe(true)
    const guess = { place: 2, strategy: 'pbt', frameMs: 50, times: [1, 2, null] }
    threads[0]!.events.answered({ run: 1, guess, doubts: ['Nobody knows.'] } as GuessAnswer)
    time.pass(2000)
    expect(heard.filter(each => each.is === 'what-if')).toMatchObject([
      { run: 1, guesses: [guess], doubts: ['Nobody knows.'], names: expect.arrayContaining(['pbt']) },
    ])
    // It is hidden, and shown again.
    page.hear({ for: 'news', isWatched: false })
    expect(threads[0]!.isOver).toBe(true)
    expect(take(2)).not.toHaveProperty('record')
    page.hear({ for: 'news', isWatched: true })
    expect(take(3)).toMatchObject({ record: true })
    time.pass(2000)
    expect(heard.filter(each => each.is === 'what-if')).toHaveLength(2)
    hub.unwatch(page)
    expect(take(4)).not.toHaveProperty('record')
    stop.abort()
    await run.catch(() => {})
  })

  it('are not simulated for a page that does not see the run, or whose run is over', async () => {
    const { begin, look, source, wanted, stop, hub, make, threads } = watched(['operate'])
    const run = begin()
    const pages = [
      [look('v2'), 1],
      [look(), 7],
    ] as const
    for (const [page, of] of pages) {
      page.hear({ for: 'news', isWatched: true })
      page.hear({ for: 'what-if', run: of })
    }
    // One that asks before it looks.
    hub.watch('v1', ['operate'], () => {}).hear({ for: 'what-if', run: 1 })
    wanted.push(frame(0))
    expect(source().take()).not.toHaveProperty('record')
    await make(0, undefined, { recorded })
    expect(threads).toHaveLength(0)
    stop.abort()
    await run.catch(() => {})
  })

  it.each([
    ['double', { noise: 0.1, quality: { samples: 64, ambientRays: 0, maxDepth: 2, bounces: 2 } }, {}, 8],
    ['motion blur', {}, { moments: [{ camera: smallCamera(0) }] }, 8],
    ['another run', {}, { from: {} as never }, 8],
    ['pixels', { size: [8192, 4320] as const }, {}, 8],
    ['One worker', {}, {}, 1],
  ])('are not simulated where that would say nothing, and it is said why: %s', async (why, changes, more, areas) => {
    const { begin, look, make, source, wanted, heard, time, stop, threads } = watched(['watch'], areas, 'v1', changes)
    const run = begin()
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    page.hear({ for: 'what-if', run: 1 })
    for (let i = 0; i < 3; i++) {
      wanted.push(frame(i, more))
      const taken = source().take()
      if (i > 0 || areas > 1) expect(taken).not.toHaveProperty('record')
      await make(i)
    }
    time.pass(3000)
    const said = heard.filter(each => each.is === 'what-if')
    expect(said).toMatchObject([{ guesses: [], doubts: [expect.stringContaining(why)] }])
    expect(threads).toHaveLength(0)
    stop.abort()
    await run.catch(() => {})
  })

  it('that fail to be simulated say so once', async () => {
    const { begin, look, make, source, wanted, heard, time, stop, threads } = watched(['watch'])
    const run = begin()
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    page.hear({ for: 'what-if', run: 1 })
    for (let i = 0; i < 3; i++) {
      wanted.push(frame(i))
      source().take()
      await make(i, undefined, { recorded })
      if (i === 0) threads[0]!.events.failed('out of memory')
    }
    time.pass(2000)
    expect(heard.filter(each => each.is === 'what-if')).toMatchObject([
      { doubts: ['The simulator failed: out of memory.'] },
    ])
    expect(threads).toHaveLength(1)
    stop.abort()
    await run.catch(() => {})
  })
})

describe('a switch to another strategy', () => {
  it('counts from the next frame on, and is an event', async () => {
    const { begin, look, make, source, wanted, heard, time, stop } = watched(['operate'])
    const run = begin()
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    const take = (number: number) => {
      wanted.push(frame(number))
      return source().take()
    }
    expect(take(0)).not.toHaveProperty('strategy')
    page.hear({ for: 'strategy', run: 1, strategy: 'scatter' })
    page.hear({ for: 'strategy', run: 1, strategy: 'scatter' })
    await settled()
    expect(take(1)).toMatchObject({ strategy: 'scatter' })
    await make(0)
    await make(1)
    time.pass(2000)
    expect(heard.filter(each => each.is === 'answer').map(({ text }) => text)).toEqual([
      'it is balanced by scatter from the next frame on',
      'it is balanced by scatter already',
    ])
    expect(heard.findLast(each => each.is === 'events')).toMatchObject({
      events: [{ kind: 'strategy', before: 0, text: 'scatter instead of pbt' }],
    })
    expect(heard.findLast(each => each.is === 'state')).toMatchObject({ state: { runs: [{ strategy: 'scatter' }] } })
    page.hear({ for: 'strategy', run: 1, strategy: 'pbt' })
    await settled()
    expect(take(2)).not.toHaveProperty('strategy')
    stop.abort()
    await run.catch(() => {})
  })

  it.each([
    ['film', ['watch', 'steer'], 'operate'],
    ['viewer', ['watch', 'operate'], 'steer'],
  ] as const)('of a %s needs its own right', async (kind, rights, needed) => {
    const { begin, look, source, wanted, heard, time, stop } = watched(rights, 8, 'v1', { kind })
    const run = begin()
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    page.hear({ for: 'strategy', run: 1, strategy: 'scatter' })
    await settled()
    time.pass(1000)
    expect(heard.find(each => each.is === 'answer')).toEqual({
      ...{ is: 'answer', isError: true, text: `this link may not do that: it needs the right ${needed}` },
    })
    wanted.push(frame(0))
    expect(source().take()).not.toHaveProperty('strategy')
    stop.abort()
    await run.catch(() => {})
  })

  it('is refused for names that there are not, runs of others, and runs that are over', async () => {
    const { begin, look, heard, time, stop } = watched(['steer', 'operate'])
    const run = begin()
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    page.hear({ for: 'strategy', run: 1, strategy: 'fastest' })
    page.hear({ for: 'strategy', run: 4, strategy: 'pbt' })
    const other = look('v2')
    other.hear({ for: 'strategy', run: 1, strategy: 'scatter' })
    await settled()
    stop.abort()
    await run.catch(() => {})
    page.hear({ for: 'strategy', run: 1, strategy: 'scatter' })
    await settled()
    time.pass(3000)
    const answers = heard.filter(each => each.is === 'answer')
    expect(answers).toHaveLength(4)
    expect(answers.every(({ isError }) => isError)).toBe(true)
    expect(answers[0]!.text).toContain("unknown strategy 'fastest': expected one of single-worker")
  })
})

describe('cuts', () => {
  it('are events of the run whose frames say so; what happened to workers was said when it happened', async () => {
    const { begin, make, source, heard, look, time, stop } = watched()
    const run = begin()
    const said = (kind: 'cut' | 'joined') => ({ at: 1, kind, text: `${kind}!` })
    for (let i = 0; i < 5; i++) {
      source().take()
      await make(i, undefined, i % 2 === 0 && i > 0 ? { events: [said('joined'), said('cut')] } : {})
    }
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    time.pass(1000)
    expect(heard.find(each => each.is === 'events')).toMatchObject({
      events: [
        { kind: 'cut', before: 2 },
        { kind: 'cut', before: 4 },
      ],
    })
    stop.abort()
    await run.catch(() => {})
  })
})

describe('a page with several runs', () => {
  it('has the whole line of one that it chose, however fast the frames of a newer one come, and any part that it asks for', async () => {
    const { begin, look, make, sinks, heard, time, stop } = watched()
    const runs = [begin(), begin()]
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    page.hear({ for: 'run', run: 1 })
    for (let i = 0; i < 900; i++) {
      if (i % 3 === 0) await make(i, sinks[0])
      await make(i, sinks[1])
      time.pass(33)
    }
    time.pass(5000)
    const points = (run: number) => {
      const places = new Set<number>()
      for (const each of heard)
        if (each.is === 'line' && each.run === run) each.points.forEach((_, i) => void places.add(each.from + i))
      return places
    }
    expect(points(1).size).toBe(300)
    expect(points(2).size).toBe(900)
    // Its newest frames come by themselves.
    expect(heard.findLast(each => each.is === 'frame')).toMatchObject({ run: 1, place: 299 })
    const late = look()
    heard.length = 0
    late.hear({ for: 'news', isWatched: true })
    time.pass(3000)
    expect(points(2).has(100)).toBe(false)
    late.hear({ for: 'line', run: 2, from: 90 })
    late.hear({ for: 'line', run: 9, from: 90 })
    time.pass(3000)
    late.hear({ for: 'line', run: 2, from: 90 })
    time.pass(3000)
    expect([points(2).has(89), points(2).has(90), points(2).has(329)]).toEqual([false, true, true])
    stop.abort()
    await Promise.allSettled(runs)
  })

  it('shows pictures of the run that it looks at, of two films that go on', async () => {
    const { begin, hub, make, sinks, stop } = watched()
    const runs = [begin(), begin()]
    const taken: string[] = []
    const pictures = (name: string) => ({ take: () => void taken.push(name) }) as never
    const pages = ['chosen', 'newest'].map(name => hub.watch(undefined, ['watch'], () => {}, pictures(name)))
    pages[0]!.hear({ for: 'run', run: 1 })
    await make(0, sinks[0])
    expect(taken).toEqual(['chosen'])
    await make(0, sinks[1])
    expect(taken).toEqual(['chosen', 'newest'])
    // The frame that is there comes at once.
    pages[0]!.hear({ for: 'run' })
    expect(taken).toEqual(['chosen', 'newest', 'chosen'])
    await make(1, sinks[1])
    expect(taken).toEqual(['chosen', 'newest', 'chosen', 'chosen', 'newest'])
    stop.abort()
    await Promise.allSettled(runs)
  })
})
