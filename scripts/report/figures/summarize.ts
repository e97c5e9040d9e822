/**
 * From the frames of a run to its summary: one record per strategy, containing its frames. Pure; the result is validated
 * against the schema that readers of `summary.json` rely on.
 */
import { invariant } from '../../../shared/errors.ts'
import type { Clock } from '../../../shared/frame/frame-limits.ts'
import type { SceneChange } from '../../../shared/frame/frame-report.ts'
import {
  type FrameSummary,
  type StrategySummary,
  SUMMARY_VERSION,
  type Summary,
  summarySchema,
} from '../../../shared/frame/summary.ts'
import { meanInterval, type Runs, ratioInterval } from '../../../shared/metrics/bootstrap.ts'
import { mean, statistics } from '../../../shared/metrics/statistics.ts'
import { clockFor, epsilonBy, hasCpuClock } from './clocks.ts'
import { DeviceUses, idleWords } from './device-use.ts'
import { baselineOf, compareTo } from './headline.ts'
import { type KeptFrames, type KeptTotals, type SlowestTimes, sumOf } from './kept-frames.ts'
import { noiseWords } from './noise-left.ts'
import { passSummary } from './passes.ts'

/** Facts about the whole run, independent of the strategy. */
export type RunFacts = Pick<
  Summary,
  | 'scene'
  | 'size'
  | 'region'
  | 'quality'
  | 'noise'
  | 'timeMs'
  | 'denoise'
  | 'camera'
  | 'host'
  | 'workers'
  | 'pacing'
  | 'within'
> & {
  /** Devices that were to be started, each as often as it was. @default none */
  readonly devices?: readonly string[]
}

/**
 * The summary of a run. `runs` keep their order; an interrupted run counts with the frames it has, and `frames` is the
 * number of frames that all strategies rendered.
 *
 * @param asked the clock for each strategy's `epsilon`; frames contain both
 * @param later the same strategies, in the same order, for each further round
 * @throws InvariantError without a strategy, or for a strategy without a frame
 */
export function summarize(
  facts: RunFacts,
  runs: readonly KeptFrames[],
  asked: Clock = 'cpu',
  later: readonly (readonly KeptFrames[])[] = [],
): Summary {
  invariant(runs.length > 0, 'a summary needs at least one strategy')
  const rounds = [runs, ...later]
  for (const run of rounds.flat()) invariant(run.frames.length > 0, `strategy '${run.name}' rendered no frame`)
  const clock = clockFor(
    rounds.flat().flatMap(({ frames }) => frames),
    asked,
  )
  const strategies = runs.map((_, i) =>
    strategySummary(
      rounds.map(round => round[i]!),
      clock,
      facts.size[0] * facts.size[1],
    ),
  )
  const uses = new DeviceUses()
  for (const { devices } of rounds.flat()) for (const use of devices) uses.add(use)
  const idle = uses.idle(facts.devices)
  const times = rounds.map(round => round.map(run => run.frames.map(frame => frame.frameMs)))
  const traced = [...new Set(rounds.flat().flatMap(run => known(run.frames, frame => frame.tracedBy)))]
  return summarySchema.parse({
    version: SUMMARY_VERSION,
    scene: facts.scene,
    size: facts.size,
    ...(facts.region ? { region: facts.region } : {}),
    frames: Math.min(...runs.map(run => run.frames.length)),
    repeats: rounds.length,
    quality: facts.quality,
    ...(facts.noise === undefined ? {} : { noise: facts.noise }),
    ...(facts.timeMs === undefined ? {} : { timeMs: facts.timeMs }),
    ...(facts.denoise === undefined ? {} : { denoise: facts.denoise }),
    ...(traced.length > 0 ? { tracedBy: traced } : {}),
    camera: facts.camera,
    host: facts.host,
    warnings: [...idleWords(idle), ...noiseWords(strategies)],
    workers: facts.workers,
    pacing: facts.pacing,
    ...(facts.within !== undefined && facts.workers.some(({ workerId }) => workerId !== undefined)
      ? { within: facts.within }
      : {}),
    ...(idle.length > 0 ? { idleDevices: idle } : {}),
    strategies: withSpeedUps(strategies, i => times.map(round => round[i]!)),
  })
}

/** @param timesOf frame times of a strategy, per round */
function withSpeedUps(strategies: readonly StrategySummary[], timesOf: (strategy: number) => Runs): StrategySummary[] {
  const baseline = baselineOf({ strategies })
  const before = timesOf(strategies.indexOf(baseline))
  return strategies.map((strategy, i) => {
    if (strategy === baseline) return strategy
    const { factor } = compareTo(baseline, strategy)
    return { ...strategy, speedUp: { over: baseline.name, factor, ...ci95(ratioInterval(before, timesOf(i))) } }
  })
}

/** @param rounds of one strategy */
function strategySummary(rounds: readonly KeptFrames[], clock: Clock, pixels: number): StrategySummary {
  const [{ name, hashes, frames: first }] = rounds as [KeptFrames]
  const frames = rounds.flatMap(round => round.frames)
  const totals = totalsOf(rounds)
  const times = rounds.map(round => round.frames.map(frame => frame.frameMs))
  const epsilons = rounds.map(round => round.frames.map(frame => epsilonBy(clock, frame)))
  const errors = known(frames, frame => frame.predictionError)
  const preparations = known(frames, frame => frame.preparationMs)
  // The first frame has no predecessor to migrate from; counting it as 0 would favour short runs.
  const migrated = rounds.flatMap(round => round.frames.slice(1).map(frame => frame.migrationShare))
  return {
    name,
    frameMs: { ...statistics(times.flat()), ...ci95(meanInterval(times)) },
    ...(preparations.length > 0 ? { preparationMs: mean(preparations) } : {}),
    ...sceneChanges(frames),
    throughput: throughputOf(rounds, frames.length),
    epsilon: {
      clock,
      mean: mean(epsilons.flat()),
      ...ci95(meanInterval(epsilons)),
      first: mean(epsilons.map(round => round[0]!)),
      last: mean(epsilons.map(round => round.at(-1)!)),
    },
    efficiency: mean(frames.map(efficiency)),
    slowest: perFrame(totals.slowest, frames.length),
    decideMs: mean(frames.map(frame => frame.decideMs)),
    // Each row adds up to the frame's wall time, so a share of all rows is a share of the workers' wall time.
    idleShare: toShare(totals.idleMs, totals.workersWallMs),
    overheadShare: toShare(totals.overheadMs, totals.workersWallMs),
    messagesPerFrame: mean(frames.map(frame => frame.messages)),
    messagesPerWorker: ratioOf(total(frames.map(frame => frame.messages)), totals.rows),
    bytesPerFrame: mean(frames.map(frame => frame.bytes)),
    migrationShare: toShare(total(migrated), migrated.length),
    tilesPerFrame: mean(frames.map(frame => frame.tileCount)),
    stolenPerFrame: mean(frames.map(frame => frame.stolen)),
    redundantShare: totals.repeated / frames.length,
    stitchMs: totals.stitchMs / frames.length,
    decisions: meanDecisions(frames),
    ...(errors.length > 0 ? { predictionError: mean(errors) } : {}),
    ...passSummary(frames, pixels, clock),
    ...(rounds.length > 1 ? { rounds: times.map((frameMs, i) => ({ frameMs, epsilon: epsilons[i]! })) } : {}),
    frameSha256: [...hashes],
    frames: [...first],
  }
}

function sceneChanges(frames: readonly FrameSummary[]): Pick<StrategySummary, 'sceneChange'> {
  const changes = frames.flatMap(({ sceneChange }) => sceneChange ?? [])
  if (changes.length === 0) return {}
  const meanOf = (key: keyof SceneChange) => mean(changes.map(change => change[key]))
  return {
    sceneChange: {
      bytesPerWorker: meanOf('bytesPerWorker'),
      buildMs: meanOf('buildMs'),
      slowestBuildMs: meanOf('slowestBuildMs'),
      waitMs: meanOf('waitMs'),
    },
  }
}

const perFrame = (sums: SlowestTimes, frames: number): SlowestTimes => ({
  prepareMs: sums.prepareMs / frames,
  transitMs: sums.transitMs / frames,
  tracingMs: sums.tracingMs / frames,
  idleMs: sums.idleMs / frames,
})

const ci95 = (interval: [number, number] | undefined): { ci95?: [number, number] } =>
  interval ? { ci95: interval } : {}

type Sums = Omit<KeptTotals, 'beganAt' | 'endedAt'>

/** Sums over all rounds. */
function totalsOf(rounds: readonly KeptFrames[]): Sums {
  const sum = (of: (totals: KeptTotals) => number): number => total(rounds.map(({ totals }) => of(totals)))
  return {
    rows: sum(totals => totals.rows),
    idleMs: sum(totals => totals.idleMs),
    overheadMs: sum(totals => totals.overheadMs),
    stitchMs: sum(totals => totals.stitchMs),
    workersWallMs: sum(totals => totals.workersWallMs),
    tracingMs: sum(totals => totals.tracingMs),
    cores: sum(totals => totals.cores),
    repeated: sum(totals => totals.repeated),
    framesWallMs: sum(totals => totals.framesWallMs),
    slowest: sumOf(rounds.map(({ totals }) => totals.slowest)),
  }
}

/**
 * Frames of a film overlap, so together they take less time than the sum of their times. If reports do not say when frames
 * began and ended, the frames are assumed to be consecutive. Between the rounds of one strategy others render.
 */
function throughputOf(rounds: readonly KeptFrames[], frames: number): StrategySummary['throughput'] {
  const { tracingMs, cores } = totalsOf(rounds)
  const wallMs = total(rounds.map(({ totals }) => wallOf(totals)))
  return {
    framesPerSecond: ratioOf(frames, wallMs / 1000),
    utilisation: toShare(tracingMs, (cores / frames) * wallMs),
  }
}

const wallOf = ({ beganAt, endedAt, framesWallMs }: KeptTotals): number =>
  beganAt === undefined || endedAt === undefined ? framesWallMs : endedAt - beganAt

/** Mean of each decision over all frames; frames that do not report it count as 0. */
function meanDecisions(frames: readonly FrameSummary[]): Record<string, number> {
  const names = new Set(frames.flatMap(({ decisions }) => Object.keys(decisions)))
  return Object.fromEntries([...names].map(name => [name, mean(frames.map(({ decisions }) => decisions[name] ?? 0))]))
}

const known = <T>(frames: readonly FrameSummary[], value: (frame: FrameSummary) => T | undefined): T[] =>
  frames.flatMap(frame => value(frame) ?? [])

/** T_min / T of one frame, 0 to 1; a frame without work is perfectly balanced. */
function efficiency(frame: FrameSummary): number {
  // Eq. (3): T_min / T = 1 / (1 + ε).
  if (!hasCpuClock(frame)) return 1 / (1 + frame.epsilonWall)
  const { criticalMs, meanMs } = frame
  return criticalMs > 0 ? toShare(meanMs, criticalMs) : 1
}

// Sums of rounded milliseconds may exceed their limits by an ulp, which the schema would reject.
const toShare = (part: number, whole: number): number => (whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0)

const ratioOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
