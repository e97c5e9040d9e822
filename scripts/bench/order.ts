/** Orders of the cluster benches: plain films in colour, one frame at a time. */
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Quality } from '../../shared/frame/view.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { SessionSink } from '../../shared/session/session.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import type { PreparedScene } from '../run/prepare-scene.ts'

/** How long to wait for workers to connect, ms. */
const WAIT_MS = 60_000

interface Asked {
  readonly size: Size
  readonly quality: Quality
  readonly strategy: string
  /** Workers required to start. */
  readonly workers: number
}

/** A film of a scene, traced by the kernel. */
export const benchOrder = (
  { name, held, exposure }: PreparedScene,
  { size, quality, strategy, workers }: Asked,
): SessionOrder => ({
  kind: 'film',
  sceneName: name,
  scene: held.hash,
  size,
  quality,
  exposure,
  passes: 1,
  progressive: false,
  inFlight: 1,
  spans: false,
  strategy,
  options: DEFAULT_STRATEGY_OPTIONS,
  record: false,
  clock: 'cpu',
  engine: 'wasm',
  minWorkers: workers,
  waitMs: WAIT_MS,
})

/** Passes frame reports on and ignores the pixels. */
export const reportsTo = (take: (report: FrameReport) => void): SessionSink => ({
  started: () => {},
  status: () => {},
  frame: report => take(report),
})
