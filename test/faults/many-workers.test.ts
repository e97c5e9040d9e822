/** A cluster of more workers than Node.js expects listeners of one thing. */
import { expect, it } from 'vitest'
import { startMaster } from '../../master/main.ts'
import { MasterLine } from '../../shared/protocol/node/master-line.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import { silentLog } from '../../shared/text/log.ts'
import { nodePlatform } from '../../worker/node/platform.ts'
import { WorkerScenes } from '../../worker/scenes.ts'
import { serve } from '../../worker/session.ts'
import { paintPool } from '../support/memory-cluster.ts'
import { reportsOf, smallSession } from '../support/session.ts'

const COUNT = 13

it('renders without a warning', async () => {
  const warnings: string[] = []
  const hear = (warning: Error) => void warnings.push(warning.message)
  process.on('warning', hear)
  const master = await startMaster({ listen: '127.0.0.1:0' }, silentLog)
  const stays = Array.from({ length: COUNT }, async (_, i) => {
    const line = new MasterLine(master.url, {})
    await line.opened
    const area = { engine: 'reference', kernel: 'k', threads: 1, speed: 1, clock: 'cpu', grain: { rows: 1 } } as const
    const pool = paintPool()
    await serve(
      { name: `w${i}`, areas: [area] },
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
  const { run } = master
  const reports = await reportsOf({ run }, smallSession({ engine: 'reference', minWorkers: COUNT }))
  expect(reports[0]?.workers).toHaveLength(COUNT)
  await master.close()
  await Promise.all(stays)
  // Warnings are heard in a later turn.
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', hear)
  expect(warnings).toEqual([])
})
