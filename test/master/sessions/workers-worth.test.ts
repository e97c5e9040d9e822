/** How many workers the work in hand is worth, and what of that autoscalers are told. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Demand,
  HOLD_MS,
  NONE_WANTED,
  USUAL_DONE_MS,
  USUAL_FRAME_MS,
  type Wanted,
  type WorkTargets,
  wantedNext,
  workersWorth,
} from '../../../master/sessions/workers-worth.ts'
import { Workload } from '../../../master/sessions/workload.ts'

const ms = (max: number) => fc.double({ min: 0, max, noNaN: true })
const demand: fc.Arbitrary<Demand> = fc.record({
  kind: fc.constantFrom('film', 'viewer'),
  frameWorkMs: fc.option(ms(1e7), { nil: undefined }),
  framesLeft: fc.double({ min: 0, max: 1e4, noNaN: true }),
  ageMs: ms(1e8),
  leastWorkers: fc.integer({ min: 1, max: 50 }),
})
const targets: fc.Arbitrary<WorkTargets> = fc.record({
  frameMs: fc.option(fc.double({ min: 1, max: 1e6, noNaN: true }), { nil: undefined }),
  doneMs: fc.option(fc.double({ min: 1, max: 1e8, noNaN: true }), { nil: undefined }),
  mostWorkers: fc.integer({ min: 1, max: 5000 }),
})
const speed = fc.double({ min: 0.01, max: 100, noNaN: true })
const film = (changes: Partial<Demand> = {}): Demand => ({
  kind: 'film',
  frameWorkMs: 1000,
  framesLeft: 10,
  ageMs: 0,
  leastWorkers: 1,
  ...changes,
})
const MOST = 960

describe('work', () => {
  it('is worth none without a session, and with one at least those that it waits for, within bounds', () => {
    fc.assert(
      fc.property(fc.array(demand), targets, speed, (demands, targets, speed) => {
        const worth = workersWorth(demands, targets, speed)
        expect(Number.isInteger(worth)).toBe(true)
        if (demands.length === 0) expect(worth).toBe(0)
        else {
          const least = Math.max(...demands.map(({ leastWorkers }) => leastWorkers))
          expect(worth).toBeGreaterThanOrEqual(Math.min(least, targets.mostWorkers))
          expect(worth).toBeLessThanOrEqual(targets.mostWorkers)
        }
      }),
    )
  })

  it('is worth no fewer if it is more, or comes beside other work, or workers are slower', () => {
    fc.assert(
      fc.property(fc.array(demand, { minLength: 1 }), demand, targets, speed, (demands, more, targets, speed) => {
        const worth = workersWorth(demands, targets, speed)
        expect(workersWorth([...demands, more], targets, speed)).toBeGreaterThanOrEqual(worth)
        expect(workersWorth(demands, targets, speed / 2)).toBeGreaterThanOrEqual(worth)
        const dearer = demands.map(each => ({
          ...each,
          frameWorkMs: each.frameWorkMs === undefined ? undefined : each.frameWorkMs * 1.5,
        }))
        expect(workersWorth(dearer, targets, speed)).toBeGreaterThanOrEqual(worth)
      }),
    )
  })

  it('is worth twice as many in half the time', () => {
    fc.assert(
      fc.property(demand, targets, speed, (demand, { mostWorkers: _, ...targets }, speed) => {
        const all = [{ ...demand, ageMs: 0, leastWorkers: 1 }]
        const bounds = { mostWorkers: Number.MAX_SAFE_INTEGER }
        const { frameMs = USUAL_FRAME_MS, doneMs = USUAL_DONE_MS } = targets
        const once = workersWorth(all, { frameMs, doneMs, ...bounds }, speed)
        const twice = workersWorth(all, { frameMs: frameMs / 2, doneMs: doneMs / 2, ...bounds }, speed)
        expect(twice).toBeGreaterThanOrEqual(2 * once - 2)
        expect(twice).toBeLessThanOrEqual(2 * once)
      }),
    )
  })

  it.each<[string, Demand, Partial<WorkTargets>, number]>([
    ['a frame of 1 s in 250 ms', film(), { frameMs: 250 }, 4],
    ['ten of them in 2.5 s', film(), { doneMs: 2500 }, 4],
    ['what wants more, of both', film(), { frameMs: 100, doneMs: 2500 }, 10],
    ['the rest in what is left of the time', film({ framesLeft: 5, ageMs: 1250 }), { doneMs: 2500 }, 4],
    ['what is late, in a tenth of its time', film({ framesLeft: 1, ageMs: 1e9 }), { doneMs: 2500 }, 4],
    ['nothing that is left', film({ framesLeft: 0 }), { doneMs: 2500 }, 1],
    ['an hour of work, by default', film({ frameWorkMs: 3_600_000, framesLeft: 1 }), {}, 6],
    ['a view, by default', film({ kind: 'viewer', frameWorkMs: 3500 }), {}, 4],
    ['a view, whatever films may take', film({ kind: 'viewer', frameWorkMs: 3500 }), { doneMs: 1 }, 4],
    ['what nothing is known of', film({ frameWorkMs: undefined, leastWorkers: 3 }), { frameMs: 1 }, 3],
    ['what costs nothing', film({ frameWorkMs: 0 }), { frameMs: 1 }, 1],
    ['too much', film({ frameWorkMs: 1e12 }), { frameMs: 1 }, MOST],
  ])('%s', (_, demand, targets, workers) => {
    expect(workersWorth([demand], { mostWorkers: MOST, ...targets }, 1)).toBe(workers)
  })

  it('of several sessions adds up', () => {
    expect(workersWorth([film(), film(), film()], { frameMs: 250, mostWorkers: MOST }, 2)).toBe(6)
  })
})

describe('what autoscalers are told', () => {
  const tell = (worths: readonly (readonly [at: number, worth: number])[]): number[] => {
    let wanted: Wanted = NONE_WANTED
    return worths.map(([at, worth]) => {
      wanted = wantedNext(wanted, worth, at)
      return wanted.workers
    })
  }

  it('grows at once, and shrinks when the work has been worth less for a while', () => {
    expect(
      tell([
        [0, 0],
        [1, 4],
        [2, 8],
      ]),
    ).toEqual([0, 4, 8])
    expect(
      tell([
        [0, 8],
        [1, 2],
        [HOLD_MS - 1, 2],
        [HOLD_MS, 2],
      ]),
    ).toEqual([8, 8, 8, 2])
    expect(
      tell([
        [0, 8],
        [1, 0],
        [HOLD_MS, 0],
        [HOLD_MS + 1, 3],
      ]),
    ).toEqual([8, 8, 0, 3])
  })

  it('shrinks to what it was worth meanwhile', () => {
    expect(
      tell([
        [0, 8],
        [10, 5],
        [20, 2],
        [HOLD_MS, 2],
        [HOLD_MS + 10, 2],
        [HOLD_MS + 20, 2],
      ]),
    ).toEqual([...[8, 8, 8, 5, 2, 2]])
  })

  it('does not flap', () => {
    const swings = Array.from({ length: 200 }, (_, i) => [i * 1000, i % 2 === 0 ? 10 : 3] as const)
    expect(new Set(tell(swings))).toEqual(new Set([10]))
    const noise = Array.from({ length: 200 }, (_, i) => [i * HOLD_MS, 100 + ((i * 7) % 11)] as const)
    expect(new Set(tell(noise))).toEqual(new Set([100]))
  })

  it('is never less than the work is worth by more than a tenth, nor more than it was worth lately', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20_000), fc.nat(960))), steps => {
        let now = 0
        const seen: { at: number; worth: number }[] = []
        let wanted: Wanted = NONE_WANTED
        for (const [pause, worth] of steps) {
          now += pause
          seen.push({ at: now, worth })
          wanted = wantedNext(wanted, worth, now)
          const lately = seen.filter(({ at }) => now - at < HOLD_MS).map(({ worth }) => worth)
          expect(wanted.workers).toBeGreaterThanOrEqual(worth / 1.1 - 1e-9)
          expect(wanted.workers).toBeLessThanOrEqual(Math.max(...lately) / 0.9 + 1e-9)
          if (Math.max(...lately) === 0) expect(wanted.workers).toBe(0)
          expect(wanted.peaks.length).toBeLessThanOrEqual(961)
        }
      }),
    )
  })
})

describe('the sessions of a master', () => {
  const world = (targets = {}) => {
    const time = { now: 0 }
    const areas = [
      { id: 'w1', speed: 2 },
      { id: 'w2', workerId: 'w2', speed: 1 },
      { id: 'w2.1', workerId: 'w2', speed: 1 },
    ]
    const ports = { clock: { now: () => time.now }, areas: () => areas, targets: { mostWorkers: MOST, ...targets } }
    return { time, areas, load: new Workload(ports) }
  }
  const order = { kind: 'film', frameCount: 10, minWorkers: 1 } as const
  const reportOf = (wallMs: number) => ({
    workers: [
      { id: 'w1', name: 'a', engine: 'wasm', threads: 2, speed: 2 },
      { id: 'w2', name: 'b', engine: 'wasm', threads: 1, speed: 1 },
    ],
    tiles: [
      { rect: { x: 0, y: 0, w: 1, h: 1 }, worker: 'w1', wallMs, cpuMs: 0 },
      { rect: { x: 0, y: 1, w: 1, h: 1 }, worker: 'w2', wallMs: 2 * wallMs, cpuMs: 0 },
    ],
  })

  it('want workers from their first complete frame on, and none when they are over', () => {
    const { time, load } = world({ frameMs: 100 })
    expect(load.wanted()).toBe(0)
    const session = load.join(order)
    expect(load.wanted()).toBe(1)
    // 2000 ms at speed 1 in 100 ms: a speed of 20, of workers of speed 2.
    session.frame(reportOf(500))
    expect(load.wanted()).toBe(10)
    session.frame(reportOf(1000))
    expect(load.wanted()).toBe(20)
    session.leave()
    expect(load.wanted()).toBe(20)
    time.now = HOLD_MS
    expect(load.wanted()).toBe(0)
    const again = load.join({ ...order, minWorkers: 3 })
    expect(load.wanted()).toBe(3)
    again.frame(reportOf(500))
    expect(load.wanted()).toBe(10)
  })

  it('are remembered for a while, also if nobody asked meanwhile', () => {
    const { time, load } = world({ frameMs: 100 })
    const session = load.join(order)
    session.frame(reportOf(500))
    session.leave()
    expect(load.wanted()).toBe(10)
    time.now = HOLD_MS
    expect(load.wanted()).toBe(0)
  })

  it('are two of the same, and want twice as many until one is over', () => {
    const { time, load } = world({ frameMs: 100 })
    const sessions = [load.join(order), load.join(order)]
    for (const session of sessions) session.frame(reportOf(500))
    expect(load.wanted()).toBe(20)
    sessions[0]!.leave()
    sessions[0]!.leave()
    load.wanted()
    time.now = HOLD_MS + 1
    expect(load.wanted()).toBe(10)
  })

  it('remember how fast workers are when all have left', () => {
    const { areas, load } = world({ frameMs: 100 })
    const session = load.join(order)
    load.wanted()
    areas.length = 0
    session.frame(reportOf(500))
    expect(load.wanted()).toBe(10)
  })

  it('want workers for a frame in progress, by what is done of it, with whoever came', () => {
    const { areas, load } = world({ frameMs: 1000 })
    const session = load.join({ ...order, frameCount: 1 })
    session.progress({ frame: 0, least: 0.001, elapsedMs: 10 })
    expect(load.wanted()).toBe(1)
    // A speed of 4 for 1 s is a tenth of it: 40 s of work, in 1 s.
    session.progress({ frame: 0, least: 0.1, elapsedMs: 1000 })
    expect(load.wanted()).toBe(20)
    areas.push({ id: 'w3', speed: 4 })
    session.progress({ frame: 0, least: 0.3, elapsedMs: 2000 })
    // 12 s of work for three tenths, of workers of speed 8 / 3.
    expect(load.wanted()).toBe(20)
    expect(Math.ceil(40 / (8 / 3))).toBe(15)
  })

  it('of a film want fewer as it goes on in time, and more when it is late', () => {
    const { time, load } = world({ doneMs: 10_000 })
    const session = load.join(order)
    for (const expected of [10, 10, 10]) {
      // The rest is on time: 1/10 of the film in 1/10 of its time.
      session.frame(reportOf(500))
      time.now += 1000
      expect(load.wanted()).toBeLessThanOrEqual(expected)
    }
    time.now = 9500
    expect(load.wanted()).toBe(7)
  })
})
