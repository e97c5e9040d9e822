/** Small jobs on the tent, for clusters of real processes. */
import { expect } from 'vitest'
import type { JobSink } from '../../master/sessions/run-session.ts'
import type { JobRunner } from '../../scripts/cluster/job-runner.ts'
import type { FrameReport } from '../../shared/frame-report.ts'
import type { Job } from '../../shared/protocol/job.ts'
import { SPAN_KINDS } from '../../shared/span.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/strategy-options.ts'
import { smallCamera, smallScene } from './small-scene.ts'

export const scene = smallScene()

export const smallJob = (changes: Partial<Job>): Job => ({
  sceneName: 'tent',
  scene: scene.hash,
  size: [80, 45],
  quality: { samples: 1, ambientRays: 1, maxDepth: 3 },
  exposure: 1,
  frames: [0, 1, 2].map(frame => ({ frame, camera: smallCamera(frame) })),
  strategy: 'pbt',
  options: DEFAULT_STRATEGY_OPTIONS,
  record: false,
  clock: 'cpu',
  engine: 'wasm',
  minWorkers: 1,
  waitMs: 60_000,
  ...changes,
})

/** Runs a job to its end; `frame` hears of every frame as it comes, while the next one is in flight. */
export async function reportsOf(
  runner: Pick<JobRunner, 'run'>,
  job: Job,
  frame: JobSink['frame'] = () => {},
): Promise<FrameReport[]> {
  const reports: FrameReport[] = []
  const sink: JobSink = {
    started: () => {},
    status: () => {},
    frame: (report, pixels) => {
      reports.push(report)
      return frame(report, pixels)
    },
  }
  await runner.run(job, scene, sink, new AbortController().signal)
  return reports
}

/** How far the ledger's rows are off the frame's wall time, as a share of it: the worst row. */
export const ledgerError = ({ ledger, wallMs }: FrameReport): number =>
  Math.max(...ledger.map(row => Math.abs(SPAN_KINDS.reduce((sum, kind) => sum + row[kind], 0) - wallMs))) / wallMs

/** An order and an answer for each tile; with row stealing a part of each, and a word for each steal, beside them. */
export function expectMessages({ strategy, messages, tiles, stolen }: FrameReport): void {
  const orders = 2 * tiles.length
  expect(messages).toBeGreaterThanOrEqual(orders)
  expect(messages).toBeLessThanOrEqual(strategy === 'predictive' ? orders + tiles.length + stolen : orders)
}
