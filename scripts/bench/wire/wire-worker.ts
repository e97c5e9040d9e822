/**
 * A worker that takes and checks the parts of a scene as every worker does, and then takes it for built: to build it is not the
 * wire. Tiles are cut out of a picture.
 */

import type { Size } from '../../../shared/frame/rect.ts'
import { MasterLine } from '../../../shared/protocol/node/master-line.ts'
import { PartStore } from '../../../shared/scene/part-store.ts'
import { WorkerScenes } from '../../../worker/scenes.ts'
import { poolKernel, servePool } from '../serve-pool.ts'
import { paintPool } from '../soak/fake-worker.ts'
import { say } from './child.ts'
import { cutOut, picture } from './picture.ts'
import { type Moment, watchUsage } from './usage.ts'

/** What it says, of a scene: that it is asked to have it, and that it has it. */
export interface WorkerSaid extends Moment {
  readonly what: 'use' | 'has'
  readonly scene: string
}

const STORE_BYTES = 4 * 2 ** 30

/** Ends with its standard input. @param pxPerMs what it pretends to trace */
export async function runWireWorker(master: string, name: string, size: Size, pxPerMs: number): Promise<void> {
  process.stdin.resume().once('end', () => process.exit())
  const moment = watchUsage()
  const pixels = picture(size)
  const pool = paintPool(pxPerMs, (_, set) => cutOut(pixels, size, set))
  const scenes = new KeptScenes([pool], new PartStore(STORE_BYTES), STORE_BYTES)
  scenes.note = (what, scene) => say({ what, scene, ...moment() } satisfies WorkerSaid)
  const line = new MasterLine(master, {})
  await line.opened
  await servePool(name, line, { pool, scenes, channel: line.channel, kernel: poolKernel() })
}

/** Scenes whose parts are there. */
class KeptScenes extends WorkerScenes {
  note: (what: WorkerSaid['what'], scene: string) => void = () => {}
  readonly #there = new Set<string>()

  override use(...args: Parameters<WorkerScenes['use']>): void {
    super.use(...args)
    this.note('use', args[0])
  }

  override async build(scene: string): Promise<number> {
    this.note('has', scene)
    this.#there.add(scene)
    return 0
  }

  override isBuilt(scene: string): boolean {
    return this.#there.has(scene)
  }
}
