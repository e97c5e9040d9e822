/**
 * Live and simulated, a frame is the same machine: what live frames were told, told again by the simulator's driver, has the same
 * answers, and the same is done about them.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Turns } from '../../../master/sessions/turns.ts'
import { strategyNames } from '../../../master/strategies/index.ts'
import { areaId } from '../../../shared/ids.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'
import { decisionsOf, replay, type SessionTape, tape } from '../../support/frame-tape.ts'
import { MemoryCluster, type PaintPool, paintPool, sessionOf } from '../../support/memory-cluster.ts'
import { run, withCut } from '../../support/memory-session.ts'
import { scene, type TestSession } from '../../support/session.ts'

const TROUBLES = [
  'none',
  'one dies',
  'one fails a tile',
  'one fails all',
  'all die and one comes',
  'one comes',
  'one is set aside in a break',
] as const

interface Course {
  readonly strategy: string
  /** By worker: turns of the event loop that each of its tiles takes; the longer one takes, the more of it goes to others. */
  readonly turns: readonly number[]
  readonly passes: number
  readonly trouble: (typeof TROUBLES)[number]
  /** In which frame, and at which tile of it; frame 0 is that of the warm-up, too. */
  readonly frame: number
  readonly tile: number
  /** The master ticks at every so many tiles. */
  readonly tick: number
  /** What the master's clock is put forward by whenever it is read, ms: a frame takes breaks where its steps take long. */
  readonly reading: number
}

const turn = () => new Promise(resolve => setImmediate(resolve))
const FRAMES = 4

/** Runs a session on a live cluster that does as it is told, and tapes it. */
async function live(order: TestSession, course: Course): Promise<SessionTape> {
  const memory = new MemoryCluster()
  const { turns, trouble, reading } = course
  let [tiles, breaks, forward] = [0, 0, 0]
  const clock = {
    now: () => {
      forward += reading
      return performance.now() + forward
    },
  }
  const setAside = (): void => {
    const { id } = memory.cluster.workers().at(-1)!
    memory.cluster.quarantine(areaId(id), 'it is silent', 'silence')
  }
  const { alarm } = memory.ports
  Object.assign(memory.ports, {
    clock,
    turns: new Turns(() => clock.now()),
    alarm: (wake: () => void, inMs: number) => {
      // The break itself ends with a timer.
      if (inMs === 0 && ++breaks === course.tile && trouble === 'one is set aside in a break') queueMicrotask(setAside)
      return alarm(wake, inMs)
    },
  })
  const join = (name: string, turns: number): (() => void) => {
    const pool = paintPool()
    pool.before = async ({ frame }) => {
      if (frame === course.frame && ++tiles === course.tile) await strike(pool)
      if (tiles % course.tick === 0) memory.tick()
      for (let i = 0; i < turns; i++) await turn()
    }
    const line = memory.join(name, pool)
    return () => line.terminate()
  }
  const ends = turns.map((turns, i) => join(`n${i}`, turns))
  const strike = async (pool: PaintPool): Promise<void> => {
    if (trouble === 'one dies') ends[0]!()
    if (trouble === 'one comes' || trouble === 'all die and one comes') {
      const ready = memory.nextReady()
      join('late', 1)
      await ready
    }
    if (trouble === 'all die and one comes') for (const end of ends) end()
    if (trouble !== 'one fails a tile' && trouble !== 'one fails all') return
    const { trace } = pool
    pool.trace = () => {
      if (trouble === 'one fails a tile') pool.trace = trace
      return Promise.reject(new Error('no light'))
    }
  }
  return tape(() => run(memory, order).done)
}

const sessionFor = ({ strategy, passes, turns }: Course): TestSession => ({
  ...withCut(sessionOf(scene.hash, strategy, FRAMES, turns.length)),
  quality: { samples: passes, ambientRays: 1, maxDepth: 2 },
  options: { ...DEFAULT_STRATEGY_OPTIONS, tile: 16 },
  passes,
})

/** What happened live, and that the simulator's driver, told the same, does the same. */
async function expectSame(course: Course): Promise<SessionTape> {
  const order = sessionFor(course)
  const taped = await live(order, course)
  const { frames: _, ...session } = order
  const replayed = await tape(() => replay(taped, session))
  expect(taped.frames).toHaveLength(FRAMES)
  expect(replayed.frames.map(decisionsOf)).toEqual(taped.frames.map(decisionsOf))
  return taped
}

const calm: Omit<Course, 'strategy'> = {
  turns: [0, 3, 1],
  passes: 1,
  trouble: 'none',
  frame: 1,
  tile: 1,
  tick: 5,
  reading: 0,
}

const eventsOf = ({ frames }: SessionTape): string[] =>
  frames.flatMap(({ calls }) => calls.flatMap(call => (call.call === 'happened' ? call.event.type : [])))

const actionsOf = ({ frames }: SessionTape): string[] =>
  frames.flatMap(({ calls }) => calls.flatMap(call => ('actions' in call ? call.actions.map(({ type }) => type) : [])))

describe('a live frame and its replay in the simulator', () => {
  it.each(strategyNames)('of %s take the same decisions', async strategy => {
    const taped = await expectSame({ ...calm, strategy })
    expect(new Set(eventsOf(taped))).toContain('tile-done')
    expect(actionsOf(taped).filter(type => type === 'frame-complete').length).toBeGreaterThanOrEqual(FRAMES)
  })

  it.each(['predictive', 'pbt', 'demand-driven', 'work-stealing'])(
    'of %s take the same decisions when a worker dies',
    async strategy => {
      const taped = await expectSame({ ...calm, strategy, trouble: 'one dies' })
      expect(eventsOf(taped)).toContain('area-lost')
    },
  )

  it('of work-stealing take the same decisions when a worker is quarantined', async () => {
    const taped = await expectSame({ ...calm, strategy: 'work-stealing', trouble: 'one fails all' })
    expect(actionsOf(taped)).toContain('quarantine')
  })

  it('take the same decisions when a worker is quarantined while a frame has a break between two steps', async () => {
    const courses = Array.from({ length: 12 }, (_, i) => ({ ...calm, reading: 3, tile: i + 1 }))
    const steps = new Set<string>()
    for (const course of courses) {
      const { frames } = await expectSame({ ...course, strategy: 'pbt', trouble: 'one is set aside in a break' })
      for (const { calls } of frames)
        for (const [i, call] of calls.entries())
          if (call.call === 'happened' && call.event.type === 'area-quarantined')
            steps.add(`${calls[i - 1]?.call} to ${calls[i + 1]?.call}`)
    }
    expect(steps).toContain('decide to begin')
    expect(steps).toContain('learn to decide')
  })

  it('take the same decisions whatever happens', async () => {
    const course: fc.Arbitrary<Course> = fc.record({
      strategy: fc.constantFrom(...strategyNames, 'predictive', 'predictive', 'demand-driven', 'work-stealing'),
      turns: fc.array(fc.nat(6), { minLength: 1, maxLength: 6 }),
      passes: fc.constantFrom(1, 1, 3),
      trouble: fc.constantFrom(...TROUBLES),
      frame: fc.integer({ min: 1, max: FRAMES - 1 }),
      tile: fc.integer({ min: 1, max: 6 }),
      tick: fc.integer({ min: 1, max: 9 }),
      reading: fc.constantFrom(0, 0, 3),
    })
    const lone = (trouble: Course['trouble']) =>
      ['one dies', 'one fails all', 'one is set aside in a break'].includes(trouble)
    const survivable = course.filter(({ trouble, turns }) => turns.length > 1 || !lone(trouble))
    await fc.assert(
      fc.asyncProperty(survivable, async each => void (await expectSame(each))),
      { numRuns: 30 },
    )
  })
})
