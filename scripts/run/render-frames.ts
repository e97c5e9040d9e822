/** Renders frames of a scene on a cluster with one strategy, and passes them on as they arrive. */
import type { PlugIns } from '../../master/sessions/methods.ts'
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { FramePreview } from '../../shared/session/session.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { type Cluster, isOneWorker } from '../library/cluster.ts'
import type { FilmKeeper } from '../library/program-options.ts'
import { renderFilm } from '../library/render-film.ts'
import { channelsOf } from '../options/groups/output.ts'
import type { RunOptions } from '../options/run.ts'
import { withLongSteps } from '../terminal/long-steps.ts'
import type { Progress } from '../terminal/progress.ts'
import type { PreparedScene } from './prepare-scene.ts'

export interface FrameOrder {
  readonly scene: PreparedScene
  readonly strategy: string
  /** What the strategy's name, or the predictor's, may be that of. */
  readonly plugIns: PlugIns
  /** Frame numbers, in rendering order. */
  readonly frames: Iterable<number> & { readonly length: number }
}

export interface FrameTaker {
  /** Receives a frame, and owns its pixels (RGB8) and planes. The next frame but one does not start before it returns. */
  frame(report: FrameReport, pixels: Uint8Array, planes: FramePlanes, camera: Camera): void | Promise<void>
  /** Whether it needs the spans of reports. */
  readonly spans: boolean
  /** Receives a frame after a pass, if previews are wanted. */
  preview?(preview: FramePreview): void | Promise<void>
  /** @default what frames in the making have is lost with the run */
  readonly keeper?: FilmKeeper | undefined
}

/** Resolves when all frames have been delivered. Rejects as `render` of the library does. */
export async function renderFrames(
  { scene, strategy, plugIns, frames }: FrameOrder,
  options: RunOptions,
  cluster: Cluster,
  progress: Progress,
  taker: FrameTaker,
  signal: AbortSignal,
): Promise<void> {
  const { preview } = taker
  progress.begin(isOneWorker(cluster) ? '' : strategy, frames.length)
  await withLongSteps(progress, async steps => {
    const rendered = renderFilm(scene, {
      ...options,
      strategy,
      strategyOptions: options.strategy,
      plugIns,
      cluster,
      signal,
      frames,
      exposure: scene.exposure,
      channels: channelsOf(options),
      record: options.record !== undefined,
      spans: taker.spans,
      keeper: taker.keeper,
      camera: (...when) => scene.cameraAt(...when),
      cameraName: undefined,
      log: steps,
      onProgress: so => {
        steps.end()
        progress.within(so)
      },
      onPreview: preview && (frame => preview(frame)),
    })
    for await (const { report, pixels, planes, camera } of rendered) {
      steps.end()
      progress.frame(report)
      await untilAborted(signal, Promise.resolve(taker.frame(report, pixels, planes, camera)))
    }
  }).finally(() => progress.end())
}
