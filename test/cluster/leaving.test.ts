/** Workers that leave in good order: what they have begun stays, the rest is traced by others at once, and nothing waits for a deadline. */
import { expect, it } from 'vitest'
import { strategyNames } from '../../master/strategies/index.ts'
import { frameRect } from '../../shared/frame/rect.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import { WorkerScenes } from '../../worker/scenes.ts'
import {
  areaOf,
  MemoryCluster,
  type PaintPool,
  paint,
  paintPool,
  paintTile,
  sessionOf,
} from '../support/memory-cluster.ts'
import { run, settle } from '../support/memory-session.ts'
import { smallScene } from '../support/small-scene.ts'

const scene = smallScene()
const size = [96, 64] as const

/** Begins a few rows of the first tile of frame 1, leaves, and finishes them after that. */
function leavingPool(leave: () => void, begins: number): PaintPool & { readonly finished: () => boolean } {
  const pool = paintPool()
  const { trace } = pool
  let finished = false
  return Object.assign(pool, {
    finished: () => finished,
    trace: (...[order, progress]: Parameters<PaintPool['trace']>) => {
      if (order.view.frame !== 1 || order.view.size[0] !== size[0]) return trace.call(pool, order, progress)
      return Promise.resolve().then(async () => {
        if (begins > 0) progress.take((from, end) => Math.min(begins, end - from))
        leave()
        await settle()
        const traced = paintTile(order, progress)
        finished ||= traced !== undefined
        return traced
      })
    },
  })
}

it.each(strategyNames.flatMap(name => [0, 3].map(begins => [name, begins] as const)))(
  'with %s, a worker that leaves after it has begun %i rows changes no picture',
  async (strategy, begins) => {
    const memory = new MemoryCluster()
    memory.join('n0', paintPool())
    memory.join('n1', paintPool())
    const leaving = new AbortController()
    const pool = leavingPool(() => leaving.abort(new Error('no more power')), begins)
    const scenes = new WorkerScenes([pool], new PartStore(2 ** 20), 2 ** 20)
    const { stay } = memory.visit({ name: 'n2', areas: [areaOf({})] }, pool, scenes, undefined, leaving.signal)
    const { reports, frames, done } = run(memory, sessionOf(scene.hash, strategy, 3, 3), {}, undefined, scene)
    await done
    for (const [frame, bytes] of frames)
      expect(Buffer.compare(bytes, paint({ frame }, { rect: frameRect(size) }))).toBe(0)
    expect(frames.size).toBe(3)
    // The strategy that needs one worker needs another than this one.
    if (!leaving.signal.aborted) return
    // The master said goodbye: it did not just lose the worker.
    await stay
    expect(pool.finished()).toBe(begins > 0)
    expect(reports.map(({ redundantPx }) => redundantPx)).toEqual([0, 0, 0])
    expect(reports.map(({ workers }) => workers.length)).toEqual([3, 3, 2])
    const ofIt = reports[1]!.tiles.filter(({ worker }) => worker === 'w3')
    expect(ofIt.length > 0).toBe(begins > 0)
  },
)
