/**
 * Simulates frames of live runs under every strategy, each with what it would have known of the frames before. What was measured of a frame
 * makes the cluster and the costs, as `simulate --check` does it. Pure, but for the stopwatch that it is given.
 */
import type { Guess } from '../../../shared/dashboard/what-if.ts'
import type { Clock } from '../../../shared/frame/frame-limits.ts'
import type { RecordedCosts, TileReport, WorkerInfo } from '../../../shared/frame/frame-report.ts'
import type { RayCounts } from '../../../shared/frame/rays-per-pixel.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Camera } from '../../../shared/frame/view.ts'
import { keepNewest } from '../../../shared/keep-newest.ts'
import type { StrategyOptions } from '../../../shared/session/strategy-options.ts'
import { bodiesOf, costMapOf } from '../../costs/recorded-costs.ts'
import { type ClusterSpec, DEFAULT_MASTER, DEFAULT_TRACING, LOOPBACK } from '../../simulator/cluster-spec.ts'
import { batchPixels, recordedPace, recordedWorkers } from '../../simulator/recorded-cluster.ts'
import { simulate } from '../../simulator/simulate.ts'
import type { FrameWorkload, Stopwatch } from '../../simulator/simulate-frame.ts'
import { delayOf, noiseOf, TOLERATED_DELAY, TOLERATED_NOISE } from '../../simulator/unexplained-times.ts'
import { strategies as builtIn } from '../../strategies/index.ts'
import type { Strategy } from '../../strategies/strategy.ts'

/** A frame as it was made. */
export interface GuessJob {
  readonly run: number
  readonly place: number
  readonly frame: number
  readonly camera: Camera
  readonly size: Size
  readonly passes: number
  readonly costs: RecordedCosts
  readonly tiles: readonly TileReport[]
  readonly workers: readonly WorkerInfo[]
  readonly options: StrategyOptions
  readonly clock: Clock
  readonly rays: RayCounts
  readonly strategy: string
  readonly frameMs: number
  readonly oneWayMs: number
  /** Strategies that would cost too much. */
  readonly without: readonly string[]
}

export interface GuessAnswer {
  readonly run: number
  readonly guess: Guess
  /** Reasons why it says little, as sentences. */
  readonly doubts: readonly string[]
}

/** Runs whose frames are remembered. */
const MOST_RUNS = 4
/** Times that the first frame comes before itself: strategies that learn have learned, as those of a run have that goes on. */
const BEFORE = 2

/** What changes from frame to frame. */
type Measured<T, K extends keyof T> = Omit<T, K> & { -readonly [P in K]: T[P] }

/** A run for as long as nothing changes but its frames. */
interface Sequence {
  readonly key: string
  readonly network: Measured<ClusterSpec['network'], 'latencyMs'>
  readonly tracing: Measured<ClusterSpec['tracing'], 'pace'>
  readonly simulations: Map<string, Simulated | undefined>
}

interface Simulated {
  /** @returns ms */
  next(frame: FrameWorkload): number
}

export class Guesser {
  readonly #stopwatch: Stopwatch
  readonly #strategies: readonly Strategy[]
  readonly #sequences = new Map<number, Sequence>()

  constructor(stopwatch: Stopwatch, strategies = builtIn) {
    this.#stopwatch = stopwatch
    this.#strategies = strategies
  }

  /** Each step is one strategy, so that whoever takes them may rest in between. */
  *guess(job: GuessJob): Generator<void, GuessAnswer> {
    const { run, place, strategy, frameMs, frame, camera, passes, size, without } = job
    const costs = costMapOf(size, job.costs)
    const bodies = bodiesOf(job.costs)
    const truth = costs && { frame, camera, costs, passes, ...(bodies ? { bodies } : {}) }
    const sequence = this.#sequenceOf(job)
    const times: (number | null)[] = []
    for (const each of this.#strategies) {
      times.push(truth && !without.includes(each.name) ? this.#timeOf(each, truth, sequence, job) : null)
      yield
    }
    return { run, guess: { place, strategy, frameMs: tenths(frameMs), times }, doubts: doubtsOf(job) }
  }

  #sequenceOf(job: GuessJob): Sequence {
    const { run, size, workers, options, clock, rays, oneWayMs } = job
    const own = workers.map(({ id, speed, cores, threads, workerId }) => [id, speed, cores, threads, workerId])
    const key = JSON.stringify([size, own, options, clock, rays])
    let sequence = this.#sequences.get(run)
    if (sequence?.key !== key) {
      const tracing = { ...DEFAULT_TRACING, batchPixels: batchPixels(rays) }
      sequence = { key, network: { ...LOOPBACK }, tracing, simulations: new Map() }
      this.#sequences.delete(run)
      this.#sequences.set(run, sequence)
      keepNewest(this.#sequences, MOST_RUNS)
    }
    sequence.network.latencyMs = oneWayMs
    // What holds workers up would do so whoever had cut the frame.
    sequence.tracing.pace = recordedPace(workers) * Math.max(1, delayOf(job))
    return sequence
  }

  /** Rounded to tenths of ms; null if it cannot be simulated. */
  #timeOf(strategy: Strategy, truth: FrameWorkload, sequence: Sequence, job: GuessJob): number | null {
    const { name } = strategy
    const { simulations } = sequence
    try {
      if (!simulations.has(name)) {
        const begun = this.#begun(strategy, sequence, job)
        simulations.set(name, begun)
        for (let i = 0; i < BEFORE; i++) begun.next(truth)
      }
      const simulated = simulations.get(name)
      return simulated ? tenths(simulated.next(truth)) : null
    } catch {
      simulations.set(name, undefined)
      return null
    }
  }

  #begun(strategy: Strategy, { network, tracing }: Sequence, job: GuessJob): Simulated {
    const { workers, options, size, clock } = job
    const cluster = { workers: recordedWorkers(workers), network, master: DEFAULT_MASTER, tracing }
    let next: FrameWorkload | undefined
    const frames = (function* () {
      for (;;) yield next!
    })()
    const reports = simulate({ strategy, options, size, clock, cluster, frames, stopwatch: this.#stopwatch })
    return {
      next(frame) {
        next = frame
        return reports.next().value!.frameMs
      },
    }
  }
}

function doubtsOf(job: GuessJob): string[] {
  const delay = delayOf(job)
  const noise = noiseOf(job)
  return [
    ...(delay > TOLERATED_DELAY
      ? [`Tiles took ${delay.toFixed(2)} times what their CPU time and pacing explain: workers were delayed.`]
      : []),
    ...(noise > TOLERATED_NOISE
      ? [`${Math.round(noise * 100)} % of the CPU time does not follow the counted work: costs are noise.`]
      : []),
  ]
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10
