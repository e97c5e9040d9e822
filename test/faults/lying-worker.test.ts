/** Workers that return wrong pixels, over real connections. */
import { expect, it } from 'vitest'
import { startMaster } from '../../master/main.ts'
import { frameRect } from '../../shared/frame/rect.ts'
import { MasterLine } from '../../shared/protocol/node/master-line.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import { film } from '../../shared/session/session.ts'
import { silentLog } from '../../shared/text/log.ts'
import { nodePlatform } from '../../worker/node/platform.ts'
import { WorkerScenes } from '../../worker/scenes.ts'
import { serve } from '../../worker/session.ts'
import { inverted, lyingPool } from '../support/lying-pool.ts'
import { paint, paintPool } from '../support/memory-cluster.ts'
import { album } from '../support/memory-session.ts'
import { scene, smallSession } from '../support/session.ts'

it('are expelled with their reason, and nothing of them is in the picture', async () => {
  const master = await startMaster({ listen: '127.0.0.1:0' }, silentLog)
  const pools = [paintPool(), lyingPool(inverted), paintPool()]
  const stays = pools.map(async (pool, i) => {
    const line = new MasterLine(master.url, {})
    await line.opened
    const area = { engine: 'reference', kernel: 'k', threads: 1, speed: 1, clock: 'cpu', grain: { rows: 1 } } as const
    await serve(
      { name: `n${i}`, areas: [area] },
      {
        channel: line.channel,
        platform: nodePlatform,
        pools: [pool],
        scenes: new WorkerScenes([pool], new PartStore(2 ** 20), 2 ** 20),
        clock: performance,
        every: () => () => {},
        joined: () => line.welcomed(),
      },
    )
  })
  const ends = Promise.allSettled(stays)
  const { frames: requests, ...order } = { ...smallSession({ engine: 'reference', minWorkers: 3 }), verify: 1 }
  const { sink, frames, reports } = album()
  await master.run(order, scene, film(requests), sink, new AbortController().signal)
  expect(frames.size).toBe(requests.length)
  for (const [frame, pixels] of frames)
    expect(Buffer.compare(pixels, paint({ frame }, { rect: frameRect(order.size) }))).toBe(0)
  expect(reports[0]!.verification!.mismatches).toBeGreaterThan(0)
  expect(
    master
      .workers()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['n0', 'n2'])
  await master.close()
  const [honest, liar, other] = await ends
  expect([honest!.status, other!.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(liar).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('n1 is expelled') } })
})
