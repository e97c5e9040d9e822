/** Whatever traces the tiles of an area; the real one is `ThreadPool`. */
import type { TraceTiles } from './lease.ts'
import type { SceneBuilder } from './scenes.ts'

export interface TilePool extends SceneBuilder {
  trace: TraceTiles
}
