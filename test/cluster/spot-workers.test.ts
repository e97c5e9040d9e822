/** Workers on machines that are lent for a while: they join a frame in progress, and leave it in the time that they are given, with rows that take long, too. */
import { expect, it } from 'vitest'
import { frameRect } from '../../shared/frame/rect.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import { WorkerScenes } from '../../worker/scenes.ts'
import { areaOf, MemoryCluster, paint, paintPool, paintTile, sessionOf } from '../support/memory-cluster.ts'
import { run, settle } from '../support/memory-session.ts'
import { smallScene } from '../support/small-scene.ts'

const scene = smallScene()
const MINUTE = 60_000

it.each([
  ['rows that are nearly done, which it finishes', 0, 2],
  ['rows that would take it a minute, which others trace', MINUTE, 2],
  ['a single row that would take it a minute', MINUTE, 1],
])('a frame has the same bytes with one that joins it and leaves with %s', async (_, leftMs, begins) => {
  const memory = new MemoryCluster()
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  let held = 0
  for (const name of ['n0', 'n1']) {
    const pool = paintPool()
    // They hold their first tiles of the second frame until the other one has come and gone: the first view is also that of the warm-up.
    pool.before = async ({ frame }) => {
      if (frame !== 1) return
      held++
      await gate
    }
    memory.join(name, pool)
  }
  const { reports, frames, done } = run(memory, sessionOf(scene.hash, 'demand-driven', 2, 2), {}, undefined, scene)
  while (held < 2) await settle()
  const leaving = new AbortController()
  const pool = paintPool()
  let asked = 0
  pool.trace = async (order, progress) => {
    await settle()
    // The first has begun; the others wait for it, and are given back.
    if (asked++ === 0) {
      const taken = progress.take((from, end) => Math.min(begins, end - from))!
      if (leftMs > 0) progress.expect(0, taken.from, leftMs)
      leaving.abort(new Error('the machine is called back'))
    }
    await settle()
    return paintTile(order, progress)
  }
  const scenes = new WorkerScenes([pool], new PartStore(2 ** 20), 2 ** 20)
  const { stay } = memory.visit({ name: 'spot', areas: [areaOf({})] }, pool, scenes, undefined, leaving.signal)
  // It is told goodbye while the others have not done a single row: nobody waits for it, and it for nobody.
  await stay
  expect(frames.has(1)).toBe(false)
  open()
  await done
  for (const frame of [0, 1])
    expect(Buffer.compare(frames.get(frame)!, paint({ frame }, { rect: frameRect([96, 64]) }))).toBe(0)
  expect(reports[1]!.redundantPx).toBe(0)
  const rows = reports[1]!.tiles.filter(({ worker }) => worker === 'w3').reduce((sum, { rect }) => sum + rect.h, 0)
  expect(rows).toBe(leftMs === 0 ? begins : 0)
})
