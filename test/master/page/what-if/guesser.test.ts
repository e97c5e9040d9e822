import { describe, expect, it } from 'vitest'
import { recordedCosts } from '../../../../master/costs/recorded-costs.ts'
import { type GuessAnswer, Guesser, type GuessJob } from '../../../../master/page/what-if/guesser.ts'
import {
  type ClusterSpec,
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  virtualWorkers,
  workerInfos,
} from '../../../../master/simulator/cluster-spec.ts'
import { oneWayMs } from '../../../../master/simulator/recorded-cluster.ts'
import { simulate } from '../../../../master/simulator/simulate.ts'
import type { FrameWorkload } from '../../../../master/simulator/simulate-frame.ts'
import { strategies, strategyByName, strategyNames } from '../../../../master/strategies/index.ts'
import { whatIf } from '../../../../shared/dashboard/what-if.ts'
import type { Size } from '../../../../shared/frame/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../../shared/session/strategy-options.ts'
import { bodyFrames } from '../../../support/cost-maps.ts'

const SIZE: Size = [160, 90]
const QUALITY = { samples: 1, ambientRays: 1 }
const untimed = <T>(work: () => T) => ({ result: work(), ms: 0 })

function cluster(speeds: readonly number[], pace = 1): ClusterSpec {
  const tracing = { ...DEFAULT_TRACING, batchPixels: 32768 / 3, pace }
  return { workers: virtualWorkers(speeds.length, speeds), network: LOOPBACK, master: DEFAULT_MASTER, tracing }
}

/** Frames of a run whose truth is a simulation: what was measured of each. */
function jobsOf(name: string, spec: ClusterSpec, frames: readonly FrameWorkload[], size = SIZE): GuessJob[] {
  const options = DEFAULT_STRATEGY_OPTIONS
  const run = { strategy: strategyByName(name), options, size, clock: 'cpu', cluster: spec, frames } as const
  return [...simulate(run)].map((report, place) => {
    const { frame, camera, costs, passes = 1 } = frames[place]!
    return {
      ...{ run: 1, place, frame, camera, size, passes, costs: recordedCosts(costs), rays: QUALITY, options },
      ...{ tiles: report.tiles, workers: workerInfos(spec), clock: 'cpu' as const, strategy: name },
      ...{ frameMs: report.frameMs, oneWayMs: oneWayMs(report), without: [] },
    }
  })
}

function answered(guesser: Guesser, job: GuessJob): GuessAnswer {
  const steps = guesser.guess(job)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const timeOf = ({ guess: { times } }: GuessAnswer, name: string) => times[strategyNames.indexOf(name)]!

describe('a guesser', () => {
  const frames = bodyFrames(SIZE, 3, 6)

  it.each([
    ['static-blocks', [1, 1, 1, 1], 1],
    ['scatter', [1, 0.5, 2], 1],
    ['demand-driven', [1, 1, 1], 1],
    ['static-blocks', [1, 1, 1], 5],
  ])('finds what %s took, of workers with speeds %s at pace %s', (name, speeds, pace) => {
    const guesser = new Guesser(untimed)
    for (const job of jobsOf(name, cluster(speeds, pace), frames)) {
      const answer = answered(guesser, job)
      // Times of a network are known by halves of round trips.
      expect(Math.abs(timeOf(answer, name) / job.frameMs - 1)).toBeLessThan(0.02)
      expect(answer.doubts).toEqual([])
      expect(answer.guess.times).toHaveLength(strategies.length)
      expect(answer.guess.times.every(time => time !== null && time > 0)).toBe(true)
    }
  })

  it.each(['diffusion', 'predictive'])('finds what %s took, which learns from frame to frame', name => {
    const guesser = new Guesser(untimed)
    const answers = jobsOf(name, cluster([1, 1, 1, 1]), frames).map(job => answered(guesser, job))
    const { error, best, regret } = whatIf(
      strategyNames,
      answers.map(({ guess }) => guess),
    )
    expect(error).toBeLessThan(0.05)
    expect(best).not.toBe('single-worker')
    expect(regret.at(-1)).toBeGreaterThanOrEqual(0)
    for (const answer of answers) expect(timeOf(answer, 'single-worker')).toBeGreaterThan(timeOf(answer, name))
  })

  it('knows frames of several passes', () => {
    const passes = frames.map(frame => ({ ...frame, passes: 4 }))
    const guesser = new Guesser(untimed)
    for (const job of jobsOf('static-blocks', cluster([1, 1]), passes)) {
      const once = answered(new Guesser(untimed), { ...job, passes: 1 })
      const answer = answered(guesser, job)
      expect(Math.abs(timeOf(answer, 'static-blocks') / job.frameMs - 1)).toBeLessThan(0.04)
      // Each pass waits for the slowest worker, and for its orders.
      expect(timeOf(answer, 'static-blocks')).toBeGreaterThan(timeOf(once, 'static-blocks'))
    }
  })

  it('begins anew when workers come or go, keeps runs apart, and has as many areas as there are', () => {
    const guesser = new Guesser(untimed)
    const [four, two] = [
      jobsOf('static-blocks', cluster([1, 1, 1, 1]), frames),
      jobsOf('static-blocks', cluster([1, 1]), frames),
    ]
    for (const [i, job] of four.entries()) {
      expect(Math.abs(timeOf(answered(guesser, job), 'static-blocks') / job.frameMs - 1)).toBeLessThan(0.02)
      const other = { ...two[i]!, run: i % 2 }
      expect(Math.abs(timeOf(answered(guesser, other), 'static-blocks') / other.frameMs - 1)).toBeLessThan(0.02)
    }
  })

  it('says nothing of strategies that would cost too much, and of costs that are no map', () => {
    const [job] = jobsOf('pbt', cluster([1, 1]), frames)
    const answer = answered(new Guesser(untimed), { ...job!, without: ['scatter'] })
    expect(timeOf(answer, 'scatter')).toBeNull()
    expect(timeOf(answer, 'pbt')).toBeGreaterThan(0)
    const none = answered(new Guesser(untimed), { ...job!, costs: { ...job!.costs, costs: 'AAAA' } })
    expect(none.guess.times.every(time => time === null)).toBe(true)
    const odd = { ...job!, options: { ...job!.options, predictor: 'of my own' } }
    expect(answered(new Guesser(untimed), odd).guess.times.every(time => time === null)).toBe(true)
  })

  it('has doubts where workers were delayed, and simulates them as slow as they were', () => {
    const [job] = jobsOf('static-blocks', cluster([1, 1]), frames)
    const tiles = job!.tiles.map(tile => ({ ...tile, wallMs: tile.wallMs * 3 }))
    const answer = answered(new Guesser(untimed), { ...job!, tiles, frameMs: job!.frameMs * 3 })
    expect(answer.doubts).toEqual([
      'Tiles took 3.00 times what their CPU time and pacing explain: workers were delayed.',
    ])
    expect(timeOf(answer, 'static-blocks')).toBeGreaterThan(2 * job!.frameMs)
  })
})
