/** Orders frames of one scene from a cluster, shared by one strategy, and passes them on as they come. */
import type { FrameReport } from '../../shared/frame-report.ts'
import type { JobRunner } from '../cluster/job-runner.ts'
import type { RunOptions } from './options.ts'
import type { PreparedScene } from './prepare-scene.ts'
import type { Progress } from './progress.ts'

export interface FrameOrder {
  readonly scene: PreparedScene
  readonly strategy: string
  /** Frame numbers, in the order in which they are rendered. */
  readonly frames: Iterable<number> & { readonly length: number }
}

/** Takes a frame; the next but one is not begun before it answers. Owns the pixels (RGB8). */
export type FrameTaker = (report: FrameReport, pixels: Uint8Array) => void | Promise<void>

/** Resolves when all frames were taken. Rejects as `runJob` does. */
export async function renderFrames(
  { scene, strategy, frames }: FrameOrder,
  options: RunOptions,
  runner: JobRunner,
  progress: Progress,
  take: FrameTaker,
  signal: AbortSignal,
): Promise<void> {
  const job = {
    sceneName: scene.name,
    scene: scene.held.hash,
    size: options.size,
    quality: options.quality,
    exposure: scene.exposure,
    frames: Array.from(frames, frame => ({ frame, camera: scene.cameraAt(frame) })),
    strategy,
    options: options.strategy,
    record: options.record !== undefined,
    clock: options.clock,
    engine: options.engine,
    minWorkers: options.cluster.workers,
    waitMs: options.waitMs,
  }
  progress.begin(strategy, frames.length)
  try {
    await runner.run(
      job,
      scene.held,
      {
        started: ({ length }) =>
          progress.info(`${strategy}: ${length} ${length === 1 ? 'worker is' : 'workers are'} ready`),
        status: text => progress.info(`${strategy}: ${text}`),
        frame: async (report, pixels) => {
          progress.frame(report)
          await take(report, pixels)
        },
      },
      signal,
    )
  } finally {
    progress.end()
  }
}
