/**
 * The cost of sharing a frame. Several one-thread workers render the same frames as one worker with a thread per core:
 * extra CPU time is the overhead of tiles and of separate copies of the scene. One worker also renders them with one
 * thread and with more, to measure the speedup in frame time.
 *
 * All clusters run for the whole bench and take turns frame by frame, so that other load on the machine affects all
 * equally. In its turn a cluster renders the frame twice, and only the second time counts: the other clusters leave cold
 * caches, which consecutive frames would not have. Workers are not paced, because the bench measures the whole machine.
 */
import { invariant } from '../../shared/errors.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Quality } from '../../shared/frame/view.ts'
import { film, type SessionRunner } from '../../shared/session/session.ts'
import type { Log } from '../../shared/text/log.ts'
import { startEmbeddedCluster } from '../library/embedded-cluster.ts'
import { resolvePacing } from '../options/groups/pacing.ts'
import { type PreparedScene, prepareScene } from '../run/prepare-scene.ts'
import { median } from './measure.ts'
import { benchOrder, reportsTo } from './order.ts'

export interface ClusterBenchOptions {
  /** A built-in scene, or a mesh file. */
  readonly scene: string
  readonly size: Size
  /** At least 2; the first does not count. */
  readonly frames: number
  /** Number of one-thread workers. */
  readonly workers: number
  /** Of this machine. */
  readonly cores: number
}

export interface TeamFigures {
  readonly workers: number
  /** Of each worker. */
  readonly threads: number
  /** CPU time of all tracing threads combined, ms, median of the frames. */
  readonly cpuMs: number
  /** As in frame reports, including preparation, ms wall, median of the frames. */
  readonly frameMs: number
}

export interface ClusterBench {
  readonly scene: string
  readonly triangles: number
  readonly size: Size
  /** Excluding the warm-up frame. */
  readonly frames: number
  readonly quality: Quality
  readonly shared: TeamFigures
  readonly alone: TeamFigures
  /** CPU time of `shared` over that of `alone`, median of the frames' ratios. */
  readonly cpuRatio: number
  /** One worker, with one thread first. `speedup`: over one thread, median of the frames' ratios. */
  readonly scaling: readonly (TeamFigures & { readonly speedup: number })[]
}

/** The defaults of `render`. */
const QUALITY: Quality = { samples: 2, ambientRays: 2, maxDepth: 6 }

/** A cluster and the reports of the frames it rendered. */
interface Team {
  readonly workers: number
  readonly threads: number
  readonly runner: SessionRunner
  readonly reports: FrameReport[]
}

/** @throws UsageError for a scene that cannot be loaded */
export async function benchCluster(
  { scene: sceneName, size, frames, workers, cores }: ClusterBenchOptions,
  signal: AbortSignal,
  log: Log,
): Promise<ClusterBench> {
  const scene = await prepareScene(sceneName, size, undefined, log, signal)
  const threadCounts = [...new Set([1, Math.min(2, cores), cores])]
  const teams: Team[] = []
  const open = async (workers: number, threads: number): Promise<Team> => {
    const pacing = resolvePacing({ count: workers, threads, cores, shares: 'off' })
    const runner = await startEmbeddedCluster({ pacing, threads, engine: 'wasm' }, log)
    const team: Team = { workers, threads, runner, reports: [] }
    teams.push(team)
    return team
  }
  try {
    const shared = await open(workers, 1)
    const single: Team[] = []
    for (const threads of threadCounts) single.push(await open(1, threads))
    for (let frame = 0; frame < frames; frame++) {
      // Alternate the direction, so that no cluster always follows a pause.
      for (const team of frame % 2 === 0 ? teams : teams.toReversed())
        await renderFrame(team, frame, scene, size, signal)
      log.info(`frame ${frame + 1} of ${frames}${frame === 0 ? ' (not counted)' : ''}`)
    }
    checkSamePixels(teams)
    const one = single[0]!
    const alone = single.at(-1)!
    return {
      scene: scene.name,
      triangles: scene.triangles,
      size,
      frames: frames - 1,
      quality: QUALITY,
      shared: figures(shared),
      alone: figures(alone),
      cpuRatio: ratio(shared, alone, cpuMs),
      scaling: single.map(team => ({ ...figures(team), speedup: ratio(one, team, frameMs) })),
    }
  } finally {
    for (const { runner } of teams) await runner.close()
  }
}

/** A team's turn. Equal blocks, one per worker: a plan that is independent of measurements. */
async function renderFrame(
  { workers, runner, reports }: Team,
  frame: number,
  scene: PreparedScene,
  size: Size,
  signal: AbortSignal,
): Promise<void> {
  const order = benchOrder(scene, { size, quality: QUALITY, strategy: 'static-blocks', workers })
  let last: FrameReport
  const sink = reportsTo(report => {
    last = report
  })
  const frames = film([frame, frame].map(each => ({ frame: each, camera: scene.cameraAt(each) })))
  await runner.run(order, scene.held, frames, sink, signal)
  reports.push(last!)
}

/** Different pixels mean different work. */
function checkSamePixels([first, ...others]: readonly Team[]): void {
  for (const { workers, threads, reports } of others)
    for (const [frame, { sha256 }] of reports.entries())
      invariant(
        sha256 === first?.reports[frame]?.sha256,
        `frame ${frame} has different pixels with ${workers} × ${threads} threads than with ${first?.workers} workers`,
      )
}

const cpuMs = ({ tiles }: FrameReport): number => tiles.reduce((sum, tile) => sum + tile.cpuMs, 0)
const frameMs = (report: FrameReport): number => report.frameMs

const counted = ({ reports }: Team): readonly FrameReport[] => reports.slice(1)

const figures = (team: Team): TeamFigures => ({
  workers: team.workers,
  threads: team.threads,
  cpuMs: median(counted(team).map(cpuMs)),
  frameMs: median(counted(team).map(frameMs)),
})

/** Median over the frames of the per-frame ratio. */
function ratio(over: Team, under: Team, ms: (report: FrameReport) => number): number {
  const below = counted(under)
  return median(counted(over).map((report, i) => ms(report) / ms(below[i]!)))
}
