/** Sessions of workers that were started with their master: waited for as long as they live, by no clock; and not when they have ended. */
import { describe, expect, it } from 'vitest'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { areaId } from '../../shared/ids.ts'
import { MemoryCluster, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { run, settle } from '../support/memory-session.ts'
import { scene } from '../support/session.ts'

const LONG_MS = 70_000
const hashes = (reports: readonly FrameReport[]) => reports.map(({ sha256 }) => sha256)

/** A cluster whose clock is moved by hand, and whose workers a test ends. */
function staffed(...names: string[]) {
  const living = new Set(names)
  let now = 0
  const clock = { now: () => now }
  const memory = new MemoryCluster(undefined, clock, Math.random, { ownNames: () => [...living] })
  Object.assign(memory.ports, { clock })
  const pass = async (ms: number) => {
    now += ms
    memory.tick()
    await settle()
  }
  return { memory, living, pass }
}

function film(memory: MemoryCluster, frames: number, order: Partial<ReturnType<typeof sessionOf>> = {}) {
  const said: string[] = []
  const session = { ...sessionOf(scene.hash, 'static-blocks', frames, 2), ...order }
  return { ...run(memory, session, { status: text => void said.push(text) }), said }
}

async function truth(frames: number) {
  const { memory } = staffed('n0')
  memory.join('n0', paintPool())
  const { done, reports } = film(memory, frames)
  await done
  return hashes(reports)
}

/** A pool that never ends its first tile of frame 1, and when it has begun that. */
function stuckInFrame1(): { held: ReturnType<typeof paintPool>; tracing: Promise<void> } {
  const held = paintPool()
  const tracing = new Promise<void>(resolve => {
    held.before = async ({ frame }) => {
      if (frame !== 1) return
      resolve()
      await new Promise(() => {})
    }
  })
  return { held, tracing }
}

describe('a session', () => {
  it('waits for one that is held up for longer than it would for others', async () => {
    const { memory, pass } = staffed('n0', 'n1')
    memory.join('n0', paintPool())
    const { done, reports, said } = film(memory, 2)
    await settle()
    await pass(LONG_MS)
    await pass(LONG_MS)
    expect(reports).toEqual([])
    expect(said).toContain('waiting for 1 of 2 workers')
    memory.join('n1', paintPool())
    await done
    expect(hashes(reports)).toEqual(await truth(2))
    expect(reports[0]!.workers).toHaveLength(2)
  })

  it('waits for all of them, however little it may wait for others', async () => {
    const { memory, pass } = staffed('n0', 'n1')
    const { done, reports, said } = film(memory, 2, { waitMs: 0 })
    for (const name of ['n0', 'n1']) {
      await settle()
      await pass(LONG_MS)
      memory.join(name, paintPool())
    }
    await done
    expect(reports[0]!.workers).toHaveLength(2)
    expect(said.filter(text => text.includes('for up to'))).toEqual([])
  })

  it('begins without one that has ended before it joined', async () => {
    const { memory, living, pass } = staffed('n0', 'n1')
    memory.join('n0', paintPool())
    const { done, reports } = film(memory, 2)
    await settle()
    expect(reports).toEqual([])
    living.delete('n1')
    await pass(250)
    await done
    expect(hashes(reports)).toEqual(await truth(2))
  })

  it('begins without one that ended in the session before', async () => {
    const { memory, living } = staffed('n0', 'n1')
    const line = memory.join('n1', paintPool())
    memory.join('n0', paintPool())
    await film(memory, 1).done
    living.delete('n1')
    line.terminate('killed')
    const { done, reports } = film(memory, 2)
    await done
    expect(hashes(reports)).toEqual(await truth(2))
  })

  it('begins without one that did not answer in the session before', async () => {
    const { memory } = staffed('n0', 'n1')
    for (const name of ['n0', 'n1']) memory.join(name, paintPool())
    await film(memory, 1).done
    memory.cluster.quarantine(areaId('w2'), 'it hangs', 'silence')
    const { done, reports } = film(memory, 2)
    await done
    expect(hashes(reports)).toEqual(await truth(2))
  })

  it('waits for its only one, which does not answer, and no longer than it may', async () => {
    const { memory, pass } = staffed('n0')
    memory.join('n0', paintPool())
    memory.cluster.provide(scene)
    await settle()
    memory.cluster.quarantine(areaId('w1'), 'it hangs', 'silence')
    const { done } = film(memory, 2)
    await settle()
    await pass(0)
    await pass(60_000)
    await expect(done).rejects.toThrow('workers: expected 1 ready within 60 s, got 0 (1 connected)')
  })

  it('that checks every row ends at once when one is left, with which nothing can be checked', async () => {
    const { memory, living, pass } = staffed('n0', 'n1')
    memory.join('n0', paintPool())
    const { done } = film(memory, 2, { verify: 1 })
    await settle()
    living.delete('n1')
    await pass(250)
    await expect(done).rejects.toThrow(
      'workers: expected 2 ready, got 1 (1 connected); run it again, with more --workers if one may end',
    )
  })

  it('that checks every row ends as soon when that happens within a frame', async () => {
    const { memory, living, pass } = staffed('n0', 'n1')
    const { held, tracing } = stuckInFrame1()
    memory.join('n0', paintPool())
    const line = memory.join('n1', held)
    const { done } = film(memory, 3, { verify: 1 })
    const failed = expect(done).rejects.toThrow('workers: expected 2 ready, got 1 (1 connected)')
    await tracing
    living.delete('n1')
    line.terminate('killed')
    await settle()
    await pass(250)
    await failed
  })
})

it('a frame whose only worker was dropped waits until it is back', async () => {
  const { memory, pass } = staffed('n0')
  const { held, tracing } = stuckInFrame1()
  const line = memory.join('n0', held)
  const { done, reports, said } = film(memory, 3)
  await tracing
  line.terminate('no sign of life')
  await settle()
  await pass(0)
  await pass(LONG_MS)
  expect(reports).toHaveLength(1)
  expect(said.at(-1)).toBe('no worker is left; waiting for one')
  memory.join('n0', paintPool())
  await settle()
  await pass(0)
  await done
  expect(hashes(reports)).toEqual(await truth(3))
})
