/** Workers that leave on request. */
import { expect, it } from 'vitest'
import { drain } from '../../../master/cluster/drain.ts'
import { areaId, leaseId } from '../../../shared/ids.ts'
import { holding } from '../../support/lease-holder.ts'
import { areaOf, MemoryCluster, paintPool, paintTile } from '../../support/memory-cluster.ts'
import { settle } from '../../support/memory-session.ts'
import { smallCamera, smallScene } from '../../support/small-scene.ts'

const scene = smallScene()

it('tells all who ask for it what a worker has finished, also those that ask when it leaves already', async () => {
  const memory = new MemoryCluster()
  const { cluster } = memory
  const pool = paintPool()
  let finish = () => {}
  const mayFinish = new Promise<void>(resolve => {
    finish = resolve
  })
  pool.trace = async (order, progress) => {
    progress.take(() => 2)
    await mayFinish
    return paintTile(order, progress)
  }
  const stop = new AbortController()
  memory.visit({ name: 'anna', areas: [areaOf({})] }, pool, undefined, undefined, stop.signal)
  cluster.provide(scene)
  await memory.nextReady()
  const quality = { samples: 1, ambientRays: 1, maxDepth: 1 }
  const view = { frame: 0, size: [64, 48] as const, camera: smallCamera(0), quality, exposure: 1 }
  const rect = { x: 0, y: 0, w: 8, h: 4 }
  const order = { lease: leaseId(1), work: cluster.nextWork(), scene: scene.hash, view, rect }
  cluster.trace(areaId('w1'), order, holding())
  await settle()
  const ask = () =>
    drain(
      cluster,
      'anna',
      () => performance.now(),
      () => () => {},
    )
  const first = ask()
  stop.abort(new Error('asked'))
  await settle()
  const second = ask()
  finish()
  for (const { left, remaining } of await Promise.all([first, second])) {
    expect(left).toEqual([{ id: 'w1', reason: 'asked', finished: 1, ms: expect.any(Number) }])
    expect(remaining).toEqual([])
  }
})
