/** What is known about a frame once its last pixel is in place: the food of balancers, tables, charts and files. */
import type { LedgerRow } from './metrics/ledger.ts'
import type { PixelSet } from './pixel-set.ts'
import type { Size } from './rect.ts'
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

/** A tile as it was really traced: a planned tile, or a piece of one that was rescued, stolen, or sent in parts. */
export interface TileReport extends PixelSet {
  readonly worker: string
  /** CPU time of all threads together, ms. */
  readonly cpuMs: number
  /** Wall time from the first ray to the last pixel, on the worker's clock, pacing included, ms. */
  readonly wallMs: number
  /** Work counted by the engine, in its own unit: does not depend on the machine. Absent where it was not asked for. */
  readonly work?: number
}

export interface FrameReport {
  readonly frame: number
  readonly strategy: string
  readonly size: Size
  /** Everyone the plan was made for. */
  readonly workers: readonly WorkerInfo[]
  /** Partition the frame. */
  readonly tiles: readonly TileReport[]
  /**
   * From the moment the frame's camera and the last frame's reports were there to the last pixel in place, statistics, probe and
   * decision included, ms wall; the ledger adds up to it.
   */
  readonly frameMs: number
  readonly wallMs: number
  /** Of that, what came before the first dispatch of what was planned: statistics, probe and decision, ms wall. */
  readonly preparationMs?: number
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
  /** How often an idle worker took work from another. */
  readonly stolen: number
  /** Pixels that were traced twice because of that, and thrown away once. */
  readonly repeatedPx: number
  /** First dispatch to the last pixel of the probe, ms; part of `frameMs`; 0 without a probe. */
  readonly probeMs: number
  /** What the strategy decided, counted, in its own words. */
  readonly decisions: Readonly<Record<string, number>>
  /** Σ|expected − measured| / Σ measured over the cells of the frame, costs scaled to equal sums; absent where nothing fine was expected. */
  readonly predictionError?: number
  /** Fine costs of the whole frame, where they were asked to be recorded. */
  readonly recorded?: RecordedCosts
  readonly spans: readonly Span[]
  /** SHA-256 of the RGB8 pixels, hex. */
  readonly sha256: string
}

/** The cost map of a frame as text: arrays in base64, little-endian, row-major over cells. */
export interface RecordedCosts {
  /** Side of a cell, px. */
  readonly cell: number
  /** Float32: ms of a worker of speed 1 per cell. */
  readonly costs: string
  /** Float32: camera depth at each cell's centre, Infinity where nothing is, NaN where unknown. */
  readonly depths: string
}
