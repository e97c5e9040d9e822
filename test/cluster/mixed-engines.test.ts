/** Frames of two engines at once, on a cluster in memory: only where that is asked for, said of each frame, and never compared with each other. */
import { describe, expect, it } from 'vitest'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { frameRect } from '../../shared/frame/rect.ts'
import { sessionOrderSchema } from '../../shared/protocol/session-order.ts'
import { NotTracedError } from '../../shared/scene/not-traced.ts'
import { areaOf, MemoryCluster, type PaintPool, paint, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { run, settle } from '../support/memory-session.ts'
import { scene, type TestSession } from '../support/session.ts'

const CARD = areaOf({ engine: 'webgpu', kernel: 'of a card', clock: 'wall', device: 'webgpu:card' })
const CPU = areaOf({ engine: 'wasm', kernel: 'of wasm' })

/** Two workers with a card, and two with CPUs, whose digits are others. */
function cluster(pools: Partial<Record<'card' | 'cpu', () => PaintPool>> = {}): MemoryCluster {
  const memory = new MemoryCluster()
  for (const [i, area] of [CARD, CPU, CARD, CPU].entries())
    memory.visit({ name: `n${i}`, areas: [area] }, (pools[area === CARD ? 'card' : 'cpu'] ?? paintPool)())
  return memory
}

const session = (changes: Partial<TestSession> = {}): TestSession => ({
  ...sessionOf(scene.hash, 'static-blocks', 3, 4),
  engine: 'webgpu',
  mixEngines: true,
  ...changes,
})

/** The engines of the areas that have tiles. */
const enginesIn = ({ tiles, workers }: FrameReport): string[] => {
  const had = new Set(tiles.map(({ worker }) => worker))
  return workers.filter(({ id }) => had.has(id)).map(({ engine }) => engine)
}

/** Says that its pixels are others, as another engine's may be. */
function otherDigits(): PaintPool {
  const pool = paintPool()
  const { trace } = pool
  pool.trace = async (order, progress) => {
    const traced = await trace.call(pool, order, progress)
    return traced && { ...traced, pixels: traced.pixels.map(value => value ^ 1) }
  }
  return pool
}

describe('frames whose engines are mixed', () => {
  it.each(['static-blocks', 'predictive', 'demand-driven'])(
    'are traced by workers of both with %s, and say so',
    async strategy => {
      const { done, reports } = run(cluster(), session({ strategy }))
      await done
      expect(reports).toHaveLength(3)
      expect(reports[0]!.workers).toHaveLength(4)
      for (const report of reports)
        if (new Set(enginesIn(report)).size === 2) expect(report.tracedBy).toBe('wasm mixed with webgpu:card')
      expect(new Set(enginesIn(reports[0]!)).size).toBe(2)
    },
  )

  it('are of one engine unless that is asked for', async () => {
    const { mixEngines: _, ...order } = session({ minWorkers: 2 })
    const { done, reports } = run(cluster(), order)
    await done
    expect(reports.map(({ workers }) => workers.map(({ engine }) => engine))).toEqual(
      Array.from({ length: 3 }, () => ['webgpu', 'webgpu']),
    )
    expect(reports.every(({ tracedBy }) => tracedBy === 'webgpu:card')).toBe(true)
  })

  it('are verified by workers of the same engine alone: other digits are no lie', async () => {
    const { done, reports } = run(cluster({ card: otherDigits }), session({ verify: 1 }))
    await done
    for (const { verification } of reports) {
      expect(verification).toMatchObject({ mismatches: 0, repeats: 0 })
      expect(verification!.rows).toBeGreaterThan(0)
      expect(verification!.unchecked).toBeUndefined()
    }
  })

  it.each(['predictive', 'demand-driven', 'work-stealing'])(
    'are not held up by cards whose driver is reset: idle CPUs trace what these hold, with %s',
    async strategy => {
      let comeBack = () => {}
      const back = new Promise<void>(resolve => {
        comeBack = resolve
      })
      let held = 0
      const resetCard = (): PaintPool => ({
        ...paintPool(),
        before: ({ frame }) => {
          if (frame === 0) return Promise.resolve()
          held++
          return back
        },
      })
      const memory = cluster({ card: resetCard })
      const ticking = setInterval(() => memory.tick(), 10)
      try {
        const { done, frames, reports } = run(memory, session({ strategy }))
        await done
        // Both cards are still at what they were given, and nobody has given them up.
        expect(held).toBe(2)
        expect(reports).toHaveLength(3)
        for (const [frame, pixels] of frames)
          expect(Buffer.compare(pixels, paint({ frame }, { rect: frameRect([96, 64]) }))).toBe(0)
        expect(reports.slice(1).flatMap(enginesIn)).not.toContain('webgpu')
        expect(memory.cluster.health().map(({ state }) => state)).not.toContain('quarantined')
      } finally {
        comeBack()
        clearInterval(ticking)
      }
    },
  )

  it('go on with one engine when the workers of the other are gone', async () => {
    const memory = new MemoryCluster()
    memory.visit({ name: 'cpu', areas: [CPU] }, paintPool())
    const { line } = memory.visit({ name: 'card', areas: [CARD] }, paintPool())
    const reports: FrameReport[] = []
    const frame = async (report: FrameReport) => {
      reports.push(report)
      line.terminate()
      await settle()
    }
    await run(memory, { ...session({ minWorkers: 2 }), frames: sessionOf(scene.hash, '', 6, 2).frames }, { frame }).done
    expect(reports[0]!.workers).toHaveLength(2)
    expect(reports.at(-1)!.workers).toHaveLength(1)
    expect(reports.at(-1)!.tracedBy).toBeUndefined()
  })

  it('have an engine beside which CPUs can trace, and are not kept for another run', () => {
    const { frames: _, ...order } = session()
    expect(sessionOrderSchema.safeParse(order).success).toBe(true)
    const problems = (changes: object) =>
      sessionOrderSchema.safeParse({ ...order, ...changes }).error?.issues.map(({ message }) => message)
    expect(problems({ engine: 'wasm' })).toEqual([
      'expected engine webgpu with it, beside which that of CPUs traces, got wasm',
    ])
    expect(problems({ kind: 'film', keep: { kernel: 'any' } })).toEqual(['expected none with engines that are mixed'])
  })
})

describe('a scene beyond what its engine traces', () => {
  const unable = (error: Error) => (): PaintPool => ({ ...paintPool(), loadScene: () => Promise.reject(error) })
  const gap = new NotTracedError('expected a smaller scene; use --engine wasm')

  it('ends a session with the sentence of its workers, as wrong usage', async () => {
    const { mixEngines: _, ...order } = session({ minWorkers: 1, waitMs: 60_000 })
    const { done } = run(cluster({ card: unable(gap) }), order)
    const error = await done.catch(failed => failed)
    expect(error).toMatchObject({
      code: 'NOT_TRACED',
      exitCode: 2,
      message: `worker n0 cannot use the scene: ${gap.message}`,
    })
  })

  it('is traced by others where engines are mixed', async () => {
    const { done, reports } = run(cluster({ card: unable(gap) }), session({ minWorkers: 2 }))
    await done
    expect(new Set(reports.flatMap(enginesIn))).toEqual(new Set(['wasm']))
  })

  it('is no wrong usage where a worker failed at it in another way', async () => {
    const { mixEngines: _, ...order } = session({ minWorkers: 1, waitMs: 60_000 })
    const { done } = run(cluster({ card: unable(new Error('out of memory')) }), order)
    await expect(done).rejects.toMatchObject({ code: 'NO_WORKERS', exitCode: 1 })
  })
})
