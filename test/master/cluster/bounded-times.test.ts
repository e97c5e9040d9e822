/** What workers say of their own time, by the master's clock. */

import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type AnswerTimes, BoundedTimes, TOO_FAST } from '../../../master/cluster/bounded-times.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { TileTimes } from '../../../shared/protocol/codec.ts'
import { MemoryCluster, paintPool, sessionOf } from '../../support/memory-cluster.ts'
import { run } from '../../support/memory-session.ts'
import { scene } from '../../support/session.ts'

/** Of an area's first answer, so long after its order. */
const boundedTimes = (times: TileTimes, elapsedMs: number, threads: number): TileTimes =>
  new BoundedTimes(threads).of(times, { since: 0, begunAt: elapsedMs, arrivedAt: elapsedMs })

/** An area that traces one tile after another, each ordered while it traced the one before. */
interface Link {
  readonly tiles: readonly number[]
  /** There and back; every answer takes as long on its way as its bytes need, behind those before it. */
  readonly tripMs: number
  readonly transmitMs: number
  /** How many orders it has at a time. */
  readonly depth: number
  /** What it loses between threads, of each tile. */
  readonly delayMs: number
}

/** When its answers come, and what the tiles took. */
function answersOf({ tiles, tripMs, transmitMs, depth, delayMs }: Link): (AnswerTimes & { readonly wallMs: number })[] {
  const came: (AnswerTimes & { readonly wallMs: number })[] = []
  let doneAt = 0
  let lineFreeAt = 0
  for (const [i, wallMs] of tiles.entries()) {
    // The first ones are ordered at once, each further one when an answer comes.
    const since = i < depth ? 0 : came[i - depth]!.arrivedAt
    doneAt = Math.max(doneAt, since + tripMs / 2) + wallMs + delayMs
    const begunAt = Math.max(lineFreeAt, doneAt + tripMs / 2)
    lineFreeAt = begunAt + transmitMs
    came.push({ since, begunAt, arrivedAt: lineFreeAt, wallMs })
  }
  return came
}

const anyLink: fc.Arbitrary<Link> = fc.record({
  tiles: fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 60 }),
  tripMs: fc.integer({ min: 0, max: 250 }),
  transmitMs: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3000 })),
  depth: fc.integer({ min: 1, max: 3 }),
  delayMs: fc.integer({ min: 0, max: 50 }),
})

const said = (wallMs: number) => ({ waitMs: 0, wallMs, encodeMs: 0, cpuMs: wallMs })

describe('times below what the clock allows', () => {
  it('are never found with an honest worker, on whatever line', () => {
    fc.assert(
      fc.property(anyLink, link => {
        const times = new BoundedTimes(1)
        for (const { wallMs, ...answer } of answersOf(link))
          expect(times.of(said(wallMs), answer)).toEqual(said(wallMs))
      }),
      { numRuns: 2000 },
    )
  })

  it('are corrected after a stretch, whatever part of them a worker says', () => {
    fc.assert(
      fc.property(
        fc.record({
          factor: fc.integer({ min: 3, max: 1000 }),
          depth: fc.integer({ min: 1, max: 3 }),
          tripMs: fc.integer({ min: 0, max: 100 }),
        }),
        fc.array(fc.integer({ min: 600, max: 3000 }), { minLength: 12, maxLength: 40 }),
        ({ factor, depth, tripMs }, tiles) => {
          const times = new BoundedTimes(1)
          // What it traces at first is small: it warms up.
          const link = { tiles: [20, ...tiles], tripMs, transmitMs: 1, depth, delayMs: 0 }
          const found = answersOf(link).map(({ wallMs, ...answer }) => ({
            wallMs,
            found: times.of(said(wallMs / factor), answer),
          }))
          for (const { wallMs, found: each } of found.slice(3)) {
            expect(each.wallMs).toBeGreaterThan(wallMs / (1.5 * TOO_FAST.factor))
            expect(each.cpuMs).toBe(each.wallMs)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('are corrected where nothing is said to take any time', () => {
    const times = new BoundedTimes(2)
    expect(times.of(said(0), { since: 0, begunAt: 10, arrivedAt: 10 }).wallMs).toBe(0)
    expect(times.of(said(0), { since: 10, begunAt: 1010, arrivedAt: 1020 })).toMatchObject({
      wallMs: 1010,
      cpuMs: 2052,
    })
  })
})

describe('times that a worker reports', () => {
  it('stay as they are if they fit between its order and its answer', () => {
    const times = { waitMs: 10, wallMs: 80, encodeMs: 5, cpuMs: 310, work: 7, more: true as const }
    expect(boundedTimes(times, 96, 4)).toEqual(times)
  })

  it('are shortened to that: tracing counts first, then packing, then waiting', () => {
    const times = { waitMs: 1e6, wallMs: 60, encodeMs: 30, cpuMs: 10 }
    expect(boundedTimes(times, 100, 1)).toEqual({ waitMs: 10, wallMs: 60, encodeMs: 30, cpuMs: 10 })
    expect(boundedTimes({ ...times, wallMs: 1e6 }, 100, 1)).toMatchObject({ waitMs: 0, wallMs: 100, encodeMs: 0 })
  })

  it('have no more CPU time than its threads could have had, give or take a step of their clocks', () => {
    expect(boundedTimes({ waitMs: 0, wallMs: 0, encodeMs: 0, cpuMs: 1e6 }, 100, 4).cpuMs).toBe(4 * 116)
  })

  afterEach(() => void vi.useRealTimers())

  it('are bounded in the reports of frames', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const memory = new MemoryCluster()
    memory.join('n0', paintPool())
    const liar = paintPool()
    const { trace } = liar
    liar.trace = async (order, progress) => {
      vi.advanceTimersByTime(10)
      const traced = await trace.call(liar, order, progress)
      return traced && { ...traced, cpuMs: 1e6, wallMs: 1e6 }
    }
    memory.join('n1', liar)
    const before = performance.now()
    const { done, reports } = run(memory, sessionOf(scene.hash, 'static-blocks', 2, 2))
    await done
    const elapsed = performance.now() - before
    const its = (reports as FrameReport[]).flatMap(({ tiles }) => tiles.filter(({ worker }) => worker === 'w2'))
    expect(its.length).toBeGreaterThan(0)
    for (const { cpuMs, wallMs } of its) {
      expect(wallMs).toBeLessThan(elapsed)
      expect(cpuMs).toBeLessThan(elapsed + 17)
    }
  })
})
