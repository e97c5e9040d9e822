/** A worker of a bench: it speaks the real protocol, and has one area, whose tiles a pool of the bench makes up. */
import type { Channel } from '../../shared/protocol/channel.ts'
import type { MasterLine } from '../../shared/protocol/node/master-line.ts'
import { engineFingerprints } from '../../worker/node/engines.ts'
import { nodePlatform } from '../../worker/node/platform.ts'
import type { WorkerScenes } from '../../worker/scenes.ts'
import { serve } from '../../worker/session.ts'
import type { TilePool } from '../../worker/tile-pool.ts'

export interface ServedPool {
  readonly pool: TilePool
  readonly scenes: WorkerScenes
  /** Of the line, which a bench may listen to. */
  readonly channel: Channel
  /** Of this release, as `poolKernel` says. */
  readonly kernel: string
}

/** Fingerprint of the engine that pools stand in for. It reads all modules of the engine, so those with many workers ask once. */
export const poolKernel = (): string => engineFingerprints(['wasm']).wasm!

/** Serves a master, whose line is open, until it says goodbye. Rejects as `serve` does. */
export function servePool(name: string, line: MasterLine, served: ServedPool): Promise<void> {
  const { pool, scenes, channel, kernel } = served
  const area = { engine: 'wasm', kernel, threads: 1, speed: 1, clock: 'cpu', grain: { rows: 1 } } as const
  const ports = { channel, platform: nodePlatform, pools: [pool], scenes, clock: performance }
  return serve({ name, areas: [area] }, { ...ports, joined: () => line.welcomed(), every: () => () => {} })
}
