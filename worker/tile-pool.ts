/** Whatever traces the tiles of an area; the real one is `ThreadPool`. */
import type { SceneBuilder } from './scenes.ts'
import type { TileOrder, TracedTile } from './tile-order.ts'
import type { TileProgress } from './tile-progress.ts'

/** Traces tiles in the order in which they were requested, urgent ones before others; undefined: the tile was cancelled. */
export type TraceTiles = (order: TileOrder, progress: TileProgress) => Promise<TracedTile | undefined>

export interface TilePool extends SceneBuilder {
  trace: TraceTiles
  /** Whether tiles of it wait until the worker's first area has done something for them. @default never */
  readonly waitsForCpu?: boolean
}
