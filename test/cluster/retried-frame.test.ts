/** Frames that are traced again from their start, on a cluster in memory: whatever there was of them, they have the same bytes, and every pixel is new. */
import { describe, expect, it } from 'vitest'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { type FrameSource, film } from '../../shared/session/session.ts'
import { type PaintPool, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { clusterOf, run, settle } from '../support/memory-session.ts'
import { scene, type TestSession } from '../support/session.ts'

/** Which of its parts does not come: each of three workers has one of each pass, at least. */
const WAYS: readonly (readonly [string, number, Partial<TestSession>])[] = [
  ['in one pass', 1, {}],
  ['in one pass', 3, {}],
  ['in several passes', 7, { passes: 3, quality: { samples: 6, ambientRays: 1, maxDepth: 2 } }],
  ['two at a time', 2, { inFlight: 2 }],
  ['with a noise limit', 4, { noise: 0.02, quality: { samples: 64, ambientRays: 0, maxDepth: 0, bounces: 2 } }],
  ['that is verified', 2, { verify: 1 }],
]

const hashes = (reports: readonly FrameReport[]): string[] => reports.map(({ sha256 }) => sha256)

const sessionFor = (changes: Partial<TestSession>): TestSession => ({
  ...sessionOf(scene.hash, 'predictive', 4, 3),
  ...changes,
})

/** A film whose frames can be traced again. */
function retriable({ frames }: TestSession) {
  const making = new Map<number, () => void>()
  const heard: number[] = []
  const source: FrameSource = {
    ...film(frames),
    onRetry(frame, listen) {
      heard.push(frame)
      making.set(frame, listen)
      return () => void making.delete(frame)
    },
  }
  return { source, making, heard }
}

/** Pools of which the one that begins the `stop`th part of frame 1 paints nothing more before it is let go. */
function held(stop: number) {
  let begun = 0
  let reach = () => {}
  let letGo = () => {}
  const reached = new Promise<void>(resolve => {
    reach = resolve
  })
  const isFree = new Promise<void>(resolve => {
    letGo = resolve
  })
  let painted = 0
  const pools = Array.from({ length: 3 }, (): PaintPool => {
    const pool = paintPool()
    pool.before = async ({ frame }, { w, h }) => {
      if (frame !== 1) return
      painted += w * h
      if (++begun !== stop) return
      reach()
      await isFree
    }
    return pool
  })
  return { pools, reached, letGo, ordered: () => painted }
}

describe('a frame that is traced again', () => {
  it.each(WAYS)('%s has the same bytes, when part %d of it did not come', async (_, stop, changes) => {
    const session = sessionFor(changes)
    const plain = run(clusterOf(paintPool(), paintPool(), paintPool()), session)
    await plain.done
    const { pools, reached, letGo, ordered } = held(stop)
    const { source, making } = retriable(session)
    const { done, reports } = run(clusterOf(...pools), session, {}, source)
    await reached
    await settle()
    const before = ordered()
    const again = making.get(1)!
    again()
    // Who asks twice has it traced again once.
    again()
    letGo()
    await done
    expect(hashes(reports)).toEqual(hashes(plain.reports))
    const [w, h] = session.size
    expect(ordered() - before).toBeGreaterThanOrEqual(w * h)
    expect(making.size).toBe(0)
    const retried = reports.map(({ events = [] }) => events.filter(({ kind }) => kind === 'retried').length)
    // Of two at a time, the frame before may not have been delivered.
    expect(retried.reduce((sum, each) => sum + each, 0)).toBe(2)
  })

  it('is traced by the workers that are there then', async () => {
    const session = sessionFor({})
    const { pools, reached, letGo } = held(1)
    const { source, making } = retriable(session)
    const memory = clusterOf(...pools)
    const { done, reports } = run(memory, session, {}, source)
    await reached
    memory.join('n3', paintPool())
    await memory.nextReady()
    making.get(1)!()
    letGo()
    await done
    expect(reports[0]!.workers.map(({ name }) => name)).not.toContain('n3')
    expect(reports[1]!.workers.map(({ name }) => name)).toContain('n3')
  })

  it('may be so again and again, is cancelled with its session, and once it is done costs nothing', async () => {
    const session = sessionFor({})
    const { pools, reached, letGo } = held(1)
    const { source, making, heard } = retriable(session)
    const { done, cancel, reports } = run(clusterOf(...pools), session, {}, source)
    await reached
    expect([...making.keys()]).toEqual([1])
    for (let i = 0; i < 3; i++) {
      making.get(1)!()
      await settle()
    }
    making.get(1)!()
    cancel()
    letGo()
    await expect(done).rejects.toThrow('cancelled')
    expect(reports).toHaveLength(1)
    expect([making.size, heard]).toEqual([0, [0, 1]])
  })
})
