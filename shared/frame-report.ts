/** What is known about a frame once its last pixel is in place: the food of balancers, tables, charts and files. */
import type { LedgerRow } from './metrics/ledger.ts'
import type { Rect, Size } from './rect.ts'
import type { Span } from './span.ts'

/** With what a cost was measured: the worker's own CPU time (valid on any host), or wall time. */
export const CLOCKS = ['cpu', 'wall'] as const
export type Clock = (typeof CLOCKS)[number]

export interface WorkerInfo {
  /** Unique in the cluster for as long as it runs. */
  readonly id: string
  readonly name: string
  readonly engine: string
  readonly threads: number
  /** Relative throughput, 1 = nominal. */
  readonly speed: number
  /** Cores that it is held to, by pacing or by its container; absent where nothing is known to hold it. */
  readonly cores?: number
}

/** A tile as it was really traced: a planned tile, or a piece of one that had to be rescued. */
export interface TileReport {
  readonly rect: Rect
  readonly worker: string
  /** CPU time of all threads together, ms. */
  readonly cpuMs: number
  /** Wall time from the first ray to the last pixel, on the worker's clock, pacing included, ms. */
  readonly wallMs: number
}

export interface FrameReport {
  readonly frame: number
  readonly strategy: string
  readonly size: Size
  /** Everyone the plan was made for. */
  readonly workers: readonly WorkerInfo[]
  /** Partition the frame. */
  readonly tiles: readonly TileReport[]
  /** First dispatch to last pixel in place, ms wall. */
  readonly frameMs: number
  /** The same plus statistics and decision, ms wall: what the ledger adds up to. */
  readonly wallMs: number
  readonly statsMs: number
  readonly decideMs: number
  /** T (Eq. 1) and T_min (Eq. 2) by the CPU clock, ms: what as many dedicated machines would take, without network. */
  readonly criticalMs: number
  readonly meanMs: number
  /** ε (Eq. 3) by both clocks. */
  readonly epsilonCpu: number
  readonly epsilonWall: number
  /** One row per worker. */
  readonly ledger: readonly LedgerRow[]
  /** WebSocket messages both ways, and their bytes, from the first dispatch to the last pixel. */
  readonly messages: number
  readonly bytes: number
  /** Share of pixels whose owner differs from the previous frame's, 0 to 1; 0 in the first frame. */
  readonly migrationShare: number
  /** Tiles that had to be traced again because their worker was lost, late or failed. */
  readonly rescued: number
  readonly spans: readonly Span[]
  /** SHA-256 of the RGB8 pixels, hex. */
  readonly sha256: string
}
