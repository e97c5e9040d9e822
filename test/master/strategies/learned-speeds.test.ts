import { describe, expect, it } from 'vitest'
import { type LearnedSpeeds, learnSpeeds, takenSpeeds } from '../../../master/strategies/learned-speeds.ts'
import type { PreviousFrame } from '../../../master/strategies/strategy.ts'
import type { TileReport } from '../../../shared/frame/frame-report.ts'
import { team } from '../../support/strategy-run.ts'

const rect = { x: 0, y: 0, w: 8, h: 8 }

/** A frame in which each worker did so much work in so many ms of CPU time. */
const frameOf = (done: Readonly<Record<string, [work: number, cpuMs: number]>>, speeds = [1, 1, 1]): PreviousFrame => ({
  plan: { tiles: [] },
  workers: team(speeds),
  tiles: Object.entries(done).map(([worker, [work, cpuMs]], i): TileReport => {
    return { rect, worker, work, cpuMs, wallMs: cpuMs / speeds[i]! }
  }),
})

const learned = (frames: readonly PreviousFrame[]): LearnedSpeeds =>
  frames.reduce<LearnedSpeeds>((known, frame) => learnSpeeds(known, frame, 'cpu'), {})

describe('learned speeds', () => {
  const uneven = frameOf({ w1: [100, 10], w2: [100, 10], w3: [50, 10] })

  it('are found in one frame: work done in its time, over what all do', () => {
    const taken = takenSpeeds(learned([uneven]), team([1, 1, 1]))
    expect(taken).toEqual({ w1: expect.closeTo(1.2, 9), w2: expect.closeTo(1.2, 9), w3: expect.closeTo(0.6, 9) })
    expect(taken.w3! / taken.w1!).toBeCloseTo(0.5)
  })

  it('are those declared where the difference is small', () => {
    expect(
      takenSpeeds(learned([frameOf({ w1: [100, 10], w2: [100, 10.6], w3: [100, 9.7] })]), team([1, 1, 1])),
    ).toEqual({})
  })

  it('stay as they are until they clearly are others, and follow when a machine changes', () => {
    const nearly = frameOf({ w1: [100, 10], w2: [100, 10], w3: [53, 10] })
    const once = learned([uneven])
    expect(takenSpeeds(learned([uneven, nearly, nearly]), team([1, 1, 1]))).toEqual(takenSpeeds(once, team([1, 1, 1])))
    const fast = frameOf({ w1: [100, 10], w2: [100, 10], w3: [100, 10] })
    const { w3 } = takenSpeeds(learned([uneven, ...Array(30).fill(fast)]), team([1, 1, 1]))
    expect(w3 ?? 1).toBeGreaterThan(0.85)
  })

  it('say nothing of workers that counted no work, and keep what was known of them', () => {
    const known = learned([uneven])
    const silent = frameOf({ w1: [0, 10], w2: [100, 0] })
    expect(learnSpeeds(known, silent, 'cpu')).toEqual(known)
    const uncounted = { ...silent, tiles: silent.tiles.map(({ work: _, ...tile }) => tile) }
    expect(learnSpeeds({}, uncounted, 'cpu')).toEqual({})
  })

  it('expect as much of slow workers as they declare', () => {
    const slow = frameOf({ w1: [100, 10], w2: [100, 10], w3: [50, 10] }, [1, 1, 0.5])
    // By wall time w3 took 20 ms for half the work, as a worker of speed ½ would take 10 for.
    expect(takenSpeeds(learnSpeeds({}, slow, 'wall'), team([1, 1, 0.5])).w3).toBeCloseTo(0.6)
  })

  it('survive being written down', () => {
    const known = learned([uneven])
    expect(JSON.parse(JSON.stringify(known))).toEqual(known)
  })
})
