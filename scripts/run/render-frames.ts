/** Renders frames of a scene on a cluster with one strategy, and passes them on as they arrive. */
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { FramePreview } from '../../shared/session/session.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import type { Cluster } from '../library/cluster.ts'
import { render } from '../library/render.ts'
import type { RunOptions } from '../options/options.ts'
import { channelsOf } from '../options/output-options.ts'
import { withLongSteps } from '../terminal/long-steps.ts'
import type { Progress } from '../terminal/progress.ts'
import type { PreparedScene } from './prepare-scene.ts'

export interface FrameOrder {
  readonly scene: PreparedScene
  readonly strategy: string
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
}

/** Resolves when all frames have been delivered. Rejects as `render` of the library does. */
export async function renderFrames(
  { scene, strategy, frames }: FrameOrder,
  options: RunOptions,
  cluster: Cluster,
  progress: Progress,
  taker: FrameTaker,
  signal: AbortSignal,
): Promise<void> {
  const { size, fps, quality, noise, shutter, inFlight, clock, engine, waitMs, toneMapping, transparent } = options
  const { preview } = taker
  progress.begin(strategy, frames.length)
  await withLongSteps(progress, async steps => {
    const rendered = render(scene, {
      size,
      fps,
      ...quality,
      inFlight,
      clock,
      engine,
      strategy,
      cluster,
      signal,
      frames,
      ...(noise === undefined ? {} : { noise }),
      ...(options.verify === undefined ? {} : { verify: options.verify }),
      ...(shutter ? { shutter: shutter.share, timeSteps: shutter.steps } : { passes: options.passes }),
      exposure: scene.exposure,
      toneMapping,
      transparent,
      channels: channelsOf(options),
      strategyOptions: options.strategy,
      record: options.record !== undefined,
      spans: taker.spans,
      camera: (...when) => scene.cameraAt(...when),
      wait: waitMs / 1000,
      log: steps,
      ...(options.tileCommand === undefined ? {} : { tileCommand: options.tileCommand }),
      ...(preview ? { onPreview: frame => preview(frame) } : {}),
    })
    for await (const { report, pixels, planes, camera } of rendered) {
      steps.end()
      progress.frame(report)
      await untilAborted(signal, Promise.resolve(taker.frame(report, pixels, planes, camera)))
    }
  }).finally(() => progress.end())
}
