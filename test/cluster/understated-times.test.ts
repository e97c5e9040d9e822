/** Workers that say that their tiles took a tenth of the time that they did: they are not given more of the frame for it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { pixelCount } from '../../shared/frame/pixel-set.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import { MemoryCluster, type PaintPool, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { run, settle } from '../support/memory-session.ts'
import { scene } from '../support/session.ts'

/** What a pixel takes, ms: a tile of a third of the frame takes half a second. */
const PIXEL_MS = 0.005
const SIZE: [number, number] = [640, 480]

/** Takes its time, and says that it was so many times as long. */
function timedPool(told: number): PaintPool {
  const pool = paintPool()
  const { trace } = pool
  pool.before = (_view, { w, h }) => new Promise(resolve => setTimeout(resolve, w * h * PIXEL_MS))
  pool.trace = async (order, progress) => {
    const traced = await trace.call(pool, order, progress)
    const ms = traced ? traced.rows * order.tile.rect.w * PIXEL_MS * told : 0
    return traced && { ...traced, cpuMs: ms, wallMs: ms }
  }
  return pool
}

/** The share of a frame that a worker traced. */
function shareOf({ tiles, workers }: FrameReport, name: string): number {
  const { id } = workers.find(worker => worker.name === name)!
  const pixels = tiles.filter(({ worker }) => worker === id).reduce((sum, tile) => sum + pixelCount(tile), 0)
  return pixels / (SIZE[0] * SIZE[1])
}

// Time passes when everybody waits for it.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it.each(['static-blocks', 'pbt', 'diffusion', 'predictive'] as const)('with %s', async strategy => {
  const memory = new MemoryCluster()
  for (const [i, told] of [1, 0.1, 1].entries()) memory.join(`n${i}`, timedPool(told))
  const { done, reports } = run(memory, { ...sessionOf(scene.hash, strategy, 6, 3), size: SIZE })
  let over = false
  const ended = done.finally(() => {
    over = true
  })
  for (; !over; await settle()) vi.advanceTimersToNextTimer()
  await ended
  const its = mean(reports.slice(-3).map(report => shareOf(report, 'n1')))
  // Its share is a third; by what it says it would be ten twelfths.
  expect(its).toBeGreaterThan(0.2)
  expect(its).toBeLessThan(0.5)
})
