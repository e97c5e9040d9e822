/**
 * From the frames of a run to its summary: one record per strategy, with the frames kept below it. Pure; what leaves here has
 * been checked against the schema that readers of `summary.json` rely on.
 */
import { invariant } from '../../shared/errors.ts'
import type { Clock } from '../../shared/frame-report.ts'
import { mean, statistics } from '../../shared/metrics/statistics.ts'
import {
  type FrameSummary,
  type StrategySummary,
  SUMMARY_VERSION,
  type Summary,
  summarySchema,
} from '../../shared/summary.ts'
import type { KeptFrames } from './kept-frames.ts'

/** What holds for the whole run, whichever strategy it used. */
export type RunFacts = Pick<Summary, 'scene' | 'size' | 'quality' | 'camera' | 'host' | 'workers' | 'pacing'>

/**
 * The summary of a run. `runs` are kept in the order given; a run that was cut short counts with the frames it has,
 * and `frames` is what every strategy rendered.
 *
 * @param clock what `epsilon` of each strategy is taken from; the frames carry both
 * @throws InvariantError without a strategy, or for a strategy without a frame
 */
export function summarize(facts: RunFacts, runs: readonly KeptFrames[], clock: Clock = 'cpu'): Summary {
  invariant(runs.length > 0, 'a summary needs at least one strategy')
  for (const run of runs) invariant(run.frames.length > 0, `strategy '${run.name}' rendered no frame`)
  return summarySchema.parse({
    version: SUMMARY_VERSION,
    scene: facts.scene,
    size: facts.size,
    frames: Math.min(...runs.map(run => run.frames.length)),
    quality: facts.quality,
    camera: facts.camera,
    host: facts.host,
    workers: facts.workers,
    pacing: facts.pacing,
    strategies: runs.map(run => strategySummary(run, clock)),
  })
}

function strategySummary({ name, frames, hashes, totals }: KeptFrames, clock: Clock): StrategySummary {
  const epsilons = frames.map(frame => (clock === 'cpu' ? frame.epsilonCpu : frame.epsilonWall))
  const errors = known(frames, frame => frame.predictionError)
  const preparations = known(frames, frame => frame.preparationMs)
  return {
    name,
    frameMs: statistics(frames.map(frame => frame.frameMs)),
    ...(preparations.length > 0 ? { preparationMs: mean(preparations) } : {}),
    throughput: throughputOf({ frames, totals }),
    epsilon: { clock, mean: mean(epsilons), first: epsilons[0]!, last: epsilons.at(-1)! },
    efficiency: mean(frames.map(efficiency)),
    decideMs: mean(frames.map(frame => frame.decideMs)),
    // Every row of a frame adds up to the frame's wall time, so a share of all rows is a share of the workers' wall time.
    idleShare: toShare(totals.idleMs, totals.workersWallMs),
    overheadShare: toShare(totals.overheadMs, totals.workersWallMs),
    messagesPerFrame: mean(frames.map(frame => frame.messages)),
    messagesPerWorker: ratioOf(total(frames.map(frame => frame.messages)), totals.rows),
    bytesPerFrame: mean(frames.map(frame => frame.bytes)),
    // The first frame has no predecessor to migrate from; counting its 0 would flatter short runs.
    migrationShare: toShare(total(frames.slice(1).map(frame => frame.migrationShare)), frames.length - 1),
    tilesPerFrame: mean(frames.map(frame => frame.tileCount)),
    stolenPerFrame: mean(frames.map(frame => frame.stolen)),
    repeatedShare: totals.repeated / frames.length,
    stitchMs: totals.stitchMs / frames.length,
    decisions: meanDecisions(frames),
    ...(errors.length > 0 ? { predictionError: mean(errors) } : {}),
    frameSha256: [...hashes],
    frames: [...frames],
  }
}

/**
 * Frames of a film overlap: what they take together is less than what each of them takes. Where reports do not say when
 * frames began and ended, they are taken to have followed each other.
 */
function throughputOf({ frames, totals }: Pick<KeptFrames, 'frames' | 'totals'>): StrategySummary['throughput'] {
  const { beganAt, endedAt, framesWallMs, tracingMs, cores } = totals
  const wallMs = beganAt === undefined || endedAt === undefined ? framesWallMs : endedAt - beganAt
  return {
    framesPerSecond: ratioOf(frames.length, wallMs / 1000),
    utilisation: toShare(tracingMs, (cores / frames.length) * wallMs),
  }
}

/** Mean over all frames of each decision that any of them names. */
function meanDecisions(frames: readonly FrameSummary[]): Record<string, number> {
  const names = new Set(frames.flatMap(({ decisions }) => Object.keys(decisions)))
  return Object.fromEntries([...names].map(name => [name, mean(frames.map(({ decisions }) => decisions[name] ?? 0))]))
}

const known = (frames: readonly FrameSummary[], value: (frame: FrameSummary) => number | undefined): number[] =>
  frames.flatMap(frame => value(frame) ?? [])

/** T_min / T of one frame, 0 to 1; a frame without work is perfectly shared. */
const efficiency = ({ criticalMs, meanMs }: FrameSummary): number => (criticalMs > 0 ? toShare(meanMs, criticalMs) : 1)

// Sums of rounded milliseconds may pass their own limits by an ulp, which the schema would refuse.
const toShare = (part: number, whole: number): number => (whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0)

const ratioOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
