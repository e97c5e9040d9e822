/** Has frames of one scene made by a cluster, shared by one strategy, and passes them on as they come. */
import type { FrameReport } from '../../shared/frame-report.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { type FramePreview, film, type SessionRunner } from '../../shared/session.ts'
import type { RunOptions } from './options.ts'
import type { PreparedScene } from './prepare-scene.ts'
import type { Progress } from './progress.ts'

export interface FrameOrder {
  readonly scene: PreparedScene
  readonly strategy: string
  /** Frame numbers, in the order in which they are rendered. */
  readonly frames: Iterable<number> & { readonly length: number }
}

export interface FrameTaker {
  /** Takes a frame; the next but one is not begun before it answers. Owns the pixels (RGB8). */
  frame(report: FrameReport, pixels: Uint8Array): void | Promise<void>
  /** Whether it looks at the spans of reports. */
  readonly spans: boolean
  /** Takes a frame as it is after a pass, where such are wanted. */
  preview?(preview: FramePreview): void | Promise<void>
}

/** Resolves when all frames were taken. Rejects as `SessionRunner.run` does. */
export async function renderFrames(
  { scene, strategy, frames }: FrameOrder,
  options: RunOptions,
  runner: SessionRunner,
  progress: Progress,
  taker: FrameTaker,
  signal: AbortSignal,
): Promise<void> {
  const { size, quality, passes, progressive, inFlight, clock, engine, waitMs } = options
  const order: SessionOrder = {
    kind: 'film',
    ...{ sceneName: scene.name, scene: scene.held.hash, size, quality, exposure: scene.exposure },
    ...{ passes, progressive, inFlight },
    ...{ strategy, options: options.strategy, record: options.record !== undefined, spans: taker.spans },
    ...{ clock, engine, minWorkers: options.cluster.workers, waitMs },
  }
  function* requests() {
    for (const frame of frames) yield { frame, camera: scene.cameraAt(frame) }
  }
  progress.begin(strategy, frames.length)
  try {
    await runner.run(
      order,
      scene.held,
      film(requests()),
      {
        started: ({ length }) =>
          progress.info(`${strategy}: ${length} ${length === 1 ? 'worker is' : 'workers are'} ready`),
        status: text => progress.info(`${strategy}: ${text}`),
        frame: async (report, pixels) => {
          progress.frame(report)
          await taker.frame(report, pixels)
        },
        ...(taker.preview ? { preview: taker.preview } : {}),
      },
      signal,
    )
  } finally {
    progress.end()
  }
}
