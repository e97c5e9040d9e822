/** A client whose order would keep its master busy, or fill its memory: it is told so in a sentence, at once, and nobody else notices. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMaster } from '../../master/main.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { planeNames } from '../../shared/frame/frame-planes.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import { silentLog } from '../../shared/text/log.ts'
import { reportsOf, smallSession } from '../support/session.ts'

let client: Awaited<ReturnType<typeof connectToCluster>>
let close = async () => {}
beforeAll(async () => {
  const master = await startMaster({ listen: '127.0.0.1:0' }, silentLog)
  client = await connectToCluster(master.url)
  close = async () => {
    await client.close()
    await master.close()
  }
})
afterAll(() => close())

const options = (changes: Partial<StrategyOptions>): StrategyOptions => ({ ...DEFAULT_STRATEGY_OPTIONS, ...changes })
const samples = (samples: number) => ({ samples, ambientRays: 64, maxDepth: 16 })
const size = [8192, 8192] as const

/** Every number of an order that a client may choose, as large or as small as it can be. */
const COSTLY: readonly Partial<SessionOrder>[] = [
  { minWorkers: Number.MAX_SAFE_INTEGER },
  { minWorkers: 2 ** 31 },
  { size, strategy: 'demand-driven', options: options({ tile: 1 }) },
  { size, strategy: 'work-stealing', options: options({ tile: 1 }) },
  { size, strategy: 'random-tiles', options: options({ tile: 1 }) },
  { size, strategy: 'scatter', options: options({ tile: 1 }) },
  { size, strategy: 'scatter', options: options({ scatter: 'pixel' }) },
  { size, strategy: 'refine-swap-lb', options: options({ tile: 1, cell: 32 }) },
  { size, strategy: 'predictive', options: options({ cell: 4 }) },
  { size, strategy: 'demand-driven', passes: 1024, quality: samples(1024) },
  { size, channels: planeNames, transparent: true, denoise: true, quality: { ...samples(16), bounces: 8 } },
  { size, noise: 0.01, quality: { ...samples(16384), bounces: 1024 }, inFlight: 4 },
]
it.each(COSTLY.map(order => [JSON.stringify(order), order] as const))('%s', async (_, order) => {
  await expect(reportsOf(client, smallSession(order))).rejects.toMatchObject({
    code: 'BAD_OPTION',
    message: expect.stringMatching(/^\w+: expected .*at most .*, got .*$/),
  })
})

/** As odd, and nobody is the worse for it: there are no workers. */
const ODD: readonly Partial<SessionOrder>[] = [
  { size: [16384, 1], strategy: 'demand-driven', options: options({ tile: 1 }) },
  { size: [1, 16384], strategy: 'scatter', options: options({ scatter: 'pixel' }) },
  { minWorkers: 16384 },
  { size, strategy: 'predictive', options: options({ boundary: 1024, resistance: 4096, damping: 0.999_999 }) },
  { frameCount: Number.MAX_SAFE_INTEGER, passes: 1024, quality: samples(1), verify: 5e-324 },
  { noise: 5e-324, quality: { ...samples(16384), bounces: 1024 }, exposure: 1e-6 },
  {
    options: options({ ahead: 8, withinEvery: 1000, seed: 0xffffffff }),
    inFlight: 4,
    channels: planeNames.filter(name => name !== 'noisy'),
  },
  { sceneName: 'n'.repeat(256), tileCommand: 't'.repeat(2000), engine: 'e'.repeat(64) },
]
it.each(ODD.map(order => [JSON.stringify(order).slice(0, 100), order] as const))('%s', async (_, order) => {
  await expect(reportsOf(client, smallSession({ waitMs: 0, ...order }))).rejects.toMatchObject({ code: 'NO_WORKERS' })
})

it.each([
  ['strategy', { strategy: 's'.repeat(64) }],
  ['predictor', { strategy: 'predictive', options: options({ predictor: 'p'.repeat(64) }), minWorkers: 2 }],
] as const)('a %s that there is not', async (_, order) => {
  await expect(reportsOf(client, smallSession({ waitMs: 0, ...order }))).rejects.toMatchObject({
    code: expect.stringMatching(/UNKNOWN_NAME|NO_WORKERS/),
  })
})
