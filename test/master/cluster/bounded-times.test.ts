/** What workers say of their own time, by the master's clock. */
import { describe, expect, it } from 'vitest'
import { boundedTimes } from '../../../master/cluster/bounded-times.ts'
import type { FrameReport } from '../../../shared/frame-report.ts'
import { MemoryCluster, paintPool, sessionOf } from '../../support/memory-cluster.ts'
import { run } from '../../support/memory-session.ts'
import { scene } from '../../support/session.ts'

describe('times that a worker reports', () => {
  it('stay as they are if they fit between its order and its answer', () => {
    const times = { waitMs: 10, renderMs: 80, encodeMs: 5, cpuMs: 310, work: 7, more: true as const }
    expect(boundedTimes(times, 96, 4)).toEqual(times)
  })

  it('are shortened to that: tracing counts first, then packing, then waiting', () => {
    const times = { waitMs: 1e6, renderMs: 60, encodeMs: 30, cpuMs: 10 }
    expect(boundedTimes(times, 100, 1)).toEqual({ waitMs: 10, renderMs: 60, encodeMs: 30, cpuMs: 10 })
    expect(boundedTimes({ ...times, renderMs: 1e6 }, 100, 1)).toMatchObject({ waitMs: 0, renderMs: 100, encodeMs: 0 })
  })

  it('have no more CPU time than its threads could have had, give or take a step of their clocks', () => {
    expect(boundedTimes({ waitMs: 0, renderMs: 0, encodeMs: 0, cpuMs: 1e6 }, 100, 4).cpuMs).toBe(4 * 116)
  })

  it('are bounded in the reports of frames', async () => {
    const memory = new MemoryCluster()
    memory.join('n0', paintPool())
    const liar = paintPool()
    const { trace } = liar
    liar.trace = async (order, progress) => {
      const traced = await trace.call(liar, order, progress)
      return traced && { ...traced, cpuMs: 1e6, wallMs: 1e6 }
    }
    memory.join('n1', liar)
    const before = performance.now()
    const { done, reports } = run(memory, sessionOf(scene.hash, 'static-blocks', 2, 2))
    await done
    const elapsed = performance.now() - before
    const its = (reports as FrameReport[]).flatMap(({ tiles }) => tiles.filter(({ worker }) => worker === 'w2'))
    expect(its.length).toBeGreaterThan(0)
    for (const { cpuMs, wallMs } of its) {
      expect(wallMs).toBeLessThan(elapsed)
      expect(cpuMs).toBeLessThan(elapsed + 17)
    }
  })
})
