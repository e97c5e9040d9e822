/** The bench of the page drags a view, and tells. No figure of time is judged. */
import { expect, it } from 'vitest'
import { benchView } from '../../../scripts/bench/view/bench-view.ts'
import { silentLog } from '../../../shared/text/log.ts'

const options = { scene: 'corner', size: [96, 54], seconds: 1, stallSeconds: 1 } as const
const signal = new AbortController().signal

it('says how many pictures came, how late, and in which order', async () => {
  const words = ['--size', '96x54', '--threads', '1', '--integrator', 'ambient', '--no-cache']
  const result = await benchView({ ...options, words }, signal, silentLog)
  expect(result.fps).toBeGreaterThan(0)
  expect(result.latencyMs.p95).toBeGreaterThanOrEqual(result.latencyMs.p50)
  expect(result.finishedMs).toBeGreaterThanOrEqual(result.stillMs)
  expect(result.bytesPerFrame).toBeGreaterThan(100)
  expect(result.movingSize[0]).toBeLessThanOrEqual(96)
  expect(result.outOfOrder).toBe(0)
  expect(result.staleAfterStall).toBeLessThanOrEqual(2)
  // In a moment, what is sent at once counts most.
  expect(result.dashboard.bytesPerS).toBeGreaterThan(0)
  expect(result.dashboard.cpuShare).toBeGreaterThan(0)
})

it('drags a view in company, far away and wildly', async () => {
  const words = ['--size', '96x54', '--threads', '1', '--integrator', 'ambient', '--no-cache']
  const parts = ['viewers', 'line', 'jumps'] as const
  const result = await benchView({ ...options, parts, lineSeconds: 1, jumps: 20, words }, signal, silentLog)
  expect(result.viewers).toMatchObject({ others: 7 })
  expect(result.viewers!.lossShare).toBeLessThan(1)
  expect(result.slowLine!.latencyMs.p50).toBeGreaterThanOrEqual(100)
  expect(result.slowLine!.growthMs).not.toBeNaN()
  expect(result.jumps).toMatchObject({ count: 20, outOfOrder: 0 })
})

it('shows a view of a cluster that makes a film', async () => {
  const words = ['--size', '96x54', '--workers', '1', '--integrator', 'ambient', '--samples', '4', '--no-cache']
  const film = { workers: 1, words: ['--integrator', 'path', '--samples', '64', '--size', '192x108'] }
  const result = await benchView({ ...options, words, film }, signal, silentLog)
  expect(result.fps).toBeGreaterThan(0)
  expect(result.finishedMs).toBeGreaterThanOrEqual(result.stillMs)
  expect(result.outOfOrder).toBe(0)
})

it('fails if nothing is shown', async () => {
  await expect(benchView({ ...options, words: ['--samples', '0'] }, signal, silentLog)).rejects.toThrow(
    /sortfirst view ended: .*--samples/,
  )
})
