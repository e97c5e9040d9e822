/**
 * A session as its client sees it: a scene on a cluster, frames that are pulled from a source, and a sink that takes what was made.
 * The cluster may be in this process or behind a wire; nothing else differs.
 */
import { invariant } from './errors.ts'
import type { FrameReport, WorkerInfo } from './frame-report.ts'
import type { FrameRequest, SessionOrder } from './protocol/session-order.ts'
import type { HeldScene } from './scene/held-scene.ts'

/** Where the frames of a session come from: they are pulled, one when the cluster has room for it. */
export interface FrameSource {
  /** Resolves with true when there is a frame to take, with false when there is none any more. */
  ready(): Promise<boolean>
  /** The next frame to be made. Called when one is ready. */
  take(): FrameRequest
  /** Has `listen` called when the frames that were taken are not worth finishing any more; the answer ends it. */
  onAbandon?(listen: () => void): () => void
}

/** A frame as it is after some of its passes. */
export interface FramePreview {
  readonly frame: number
  /** Of each pixel, so far. */
  readonly samples: number
  /** RGB8. */
  readonly pixels: Uint8Array
}

/** Who wants to know how a session goes. */
export interface SessionSink {
  /** All areas that the first frame is planned for. */
  started(workers: readonly WorkerInfo[]): void
  /** One line about something long under way. */
  status(text: string): void
  /** A whole frame, RGB8; the sink owns the pixels. While it has not answered, only frames that are in the making go on. */
  frame(report: FrameReport, pixels: Uint8Array): void | Promise<void>
  preview?(preview: FramePreview): void | Promise<void>
}

/** A cluster to render with. */
export interface SessionRunner {
  /** Resolves when all frames of the source were taken. Rejects with CancelledError when the signal aborts. */
  run(order: SessionOrder, scene: HeldScene, source: FrameSource, sink: SessionSink, signal: AbortSignal): Promise<void>
  /** Ends what was started. */
  close(): Promise<void>
}

/** A film: all of these frames, in this order; they are listed as they are made. */
export function film(frames: Iterable<FrameRequest>): FrameSource {
  const iterator = frames[Symbol.iterator]()
  let next = iterator.next()
  return {
    ready: async () => !next.done,
    take() {
      invariant(!next.done, 'the film has no more frames')
      const { value } = next
      next = iterator.next()
      return value
    },
  }
}
