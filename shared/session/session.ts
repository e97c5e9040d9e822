/**
 * A session as its client sees it: a scene on a cluster, a source from which frames are pulled, and a sink for the results.
 * The cluster may be in this process or remote; nothing else differs.
 */
import { invariant } from '../errors.ts'
import type { FramePlanes } from '../frame/frame-planes.ts'
import type { FrameProgress } from '../frame/frame-progress.ts'
import type { FrameReport, WorkerInfo } from '../frame/frame-report.ts'
import type { FrameState } from '../frame/frame-state.ts'
import type { Camera } from '../frame/view.ts'
import type { FrameRequest, SessionOrder } from '../protocol/session-order.ts'
import type { NamedScene } from '../scene/held-scene.ts'

/** What a frame shows at one of the times at which its shutter is open. */
export interface Moment {
  readonly camera: Camera
  /** @default the session's */
  readonly scene?: NamedScene
}

/** A frame to render. */
export interface WantedFrame extends FrameRequest {
  /** Its own scene, of a film in which something moves; only what no earlier scene had travels. @default the session's */
  readonly scene?: NamedScene
  /**
   * Of a frame with motion blur: one for each of the session's passes, in order, at most as many as samples. The frame's camera and
   * scene are those of the first. @default no motion blur
   */
  readonly moments?: readonly Moment[]
  /**
   * Where another run of the frame was: it goes on there. Its memory, which threads share, is taken over. Only for a cluster of this process;
   * others ask the session's keeper.
   * @default it is begun
   */
  readonly from?: FrameState | undefined
  /** Whether its report has the costs per cell of the frame, as those of a recording. Only for a cluster of this process. @default the session's */
  readonly record?: boolean
  /** Whether its pixels are hashed. Only for a cluster of this process. @default true; a coarse picture has no use for it */
  readonly hash?: boolean
  /** Name of the built-in strategy that balances it. Only for a cluster of this process. @default the session's */
  readonly strategy?: string
}

/** The source of a session's frames: they are pulled one at a time, when the cluster has room for one. */
export interface FrameSource {
  /** Resolves with true when there is a frame to take, with false when there are no more. */
  ready(): Promise<boolean>
  /** The next frame to render. Called when one is ready. */
  take(): WantedFrame
  /** Calls `listen` when the frames taken so far are no longer worth finishing; returns a function that unsubscribes it. */
  onAbandon?(listen: () => void): () => void
  /** Calls `listen` when a frame in the making is to be traced again from its start; returns a function that unsubscribes it. */
  onRetry?(frame: number, listen: () => void): () => void
}

/** A frame after some of its passes. */
export interface FramePreview {
  readonly frame: number
  /** Samples per pixel so far; of an adaptive frame those of the pixels that have the most. */
  readonly samples: number
  /** RGB8; of a transparent frame on black. */
  readonly pixels: Uint8Array
}

/** How far away what a frame shows is, and what it cost: cell by cell, row by row from its upper left corner. */
export interface FrameDepths {
  /** Side of a cell, px; the last column and row may be narrower. */
  readonly cell: number
  readonly columns: number
  readonly rows: number
  /** Of the first sample of the pixel at each cell's centre: along the camera's axis, scene units; Infinity: nothing is there; NaN: not known. */
  readonly depths: Float32Array
  /** CPU time of all of the cell's pixels, ms. */
  readonly costs: Float64Array
}

/** Keeps what frames in the making have, so that another run can go on there. */
export interface FrameKeeper {
  /** The most samples of a tile, over all of its pixels: what is being traced when a run ends is lost. @default no limit */
  readonly mostTileSamples?: number | undefined
  /** Whether it keeps complete frames, too, so that samples can be added to them. @default false */
  readonly keepsSums?: boolean
  /** What a frame begins with; of a cluster elsewhere, whose connections may be several. @default nothing */
  from?(frame: number): Promise<FrameState | undefined>
  /**
   * A frame is being made.
   * @param state resolves with a copy of what it has, or undefined while that is nothing, and when it has ended
   */
  begun(frame: number, state: () => Promise<FrameState | undefined>): void
  /** One of its passes is done, and others are to come. */
  passDone(frame: number): void
  /** It is complete, and delivered once this resolves. */
  complete(frame: number): Promise<void>
  /** It is not made to the end, or was not taken. It is not ended before this resolves. */
  givenUp(frame: number): Promise<void>
}

/** Receives the results and events of a session. */
export interface SessionSink {
  /** All areas that the first frame is planned for. */
  started(workers: readonly WorkerInfo[]): void
  /** One line: what is being done and may take long, or if `isEvent`, what has happened. */
  status(text: string, isEvent?: boolean): void
  /**
   * A complete frame: RGB8, and the other channels that were asked for; the sink owns them. Until this resolves, only frames in
   * progress continue.
   */
  frame(report: FrameReport, pixels: Uint8Array, planes: FramePlanes): void | Promise<void>
  preview?(preview: FramePreview): void | Promise<void>
  /** Of the frame that comes next. Only of a viewer, and only for a cluster of this process. */
  depths?(frame: number, depths: FrameDepths): void
  /** How far a frame has come that takes long. */
  progress?(progress: FrameProgress): void
  /** A cluster elsewhere is asked for what there is if the order says so (`keep`). */
  readonly keeper?: FrameKeeper | undefined
}

/** A cluster to render with. */
export interface SessionRunner {
  /** Resolves when the sink has taken all frames of the source. Rejects with CancelledError when the signal aborts. */
  run(
    order: SessionOrder,
    scene: NamedScene,
    source: FrameSource,
    sink: SessionSink,
    signal: AbortSignal,
  ): Promise<void>
  /** Stops what the runner has started. */
  close(): Promise<void>
}

/** A film: all of these frames, in this order; each is asked for when it is needed. */
export function film(frames: Iterable<WantedFrame> | AsyncIterable<WantedFrame>): FrameSource {
  const iterator = Symbol.asyncIterator in frames ? frames[Symbol.asyncIterator]() : frames[Symbol.iterator]()
  let asked: Promise<void> | undefined
  let next: IteratorResult<WantedFrame> | undefined
  const ask = async () => {
    next = await iterator.next()
  }
  return {
    async ready() {
      asked ??= ask()
      await asked
      return !next!.done
    },
    take() {
      invariant(next && !next.done, 'the film has no frame ready')
      const { value } = next
      asked = undefined
      next = undefined
      return value
    },
  }
}
