/** Nothing rises: a master keeps nothing of its sessions when they are over, a worker nothing of its frames. */
import { getEventListeners } from 'node:events'
import { queryObjects } from 'node:v8'
import { describe, expect, it } from 'vitest'
import type { SessionPorts } from '../../master/sessions/session-ports.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { HeldScene } from '../../shared/scene/held-scene.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import { film } from '../../shared/session/session.ts'
import { garbageCollector } from '../../worker/node/garbage-collector.ts'
import { WorkerScenes } from '../../worker/scenes.ts'
import { areaOf, MemoryCluster, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { settle } from '../support/memory-session.ts'
import { sceneUnder } from '../support/moving-scene.ts'
import { scene } from '../support/session.ts'

const collect = garbageCollector()

/** How many objects can be reached. What engines keep of programs, which grows as they are compiled, is none. */
async function reachable(): Promise<number> {
  // What is collected may have kept something else alive in the turn before.
  for (let round = 0; round < 4; round++) {
    await settle()
    collect()
  }
  return Number(queryObjects(Object))
}

/** By how much each size is above the one before it, at least: a leak rises every time, what is set up late only once. */
function leastRise(sizes: number[]): number {
  return Math.min(...sizes.slice(1).map((size, i) => size - sizes[i]!))
}

/** Counts what has been begun through ports and not ended. */
function counted(memory: MemoryCluster) {
  const open = { listeners: 0, tickers: 0, alarms: 0 }
  const closing = (kind: keyof typeof open, end: () => void) => {
    open[kind]++
    let ended = false
    return () => {
      if (!ended) open[kind]--
      ended = true
      end()
    }
  }
  const { cluster } = memory
  const subscribe = cluster.subscribe.bind(cluster)
  cluster.subscribe = listener => closing('listeners', subscribe(listener))
  const { ticker, alarm } = memory.ports
  const ports: SessionPorts = {
    ...memory.ports,
    ticker: tick => closing('tickers', ticker(tick)),
    alarm: (wake, inMs) => {
      const end = closing('alarms', () => stop())
      const stop = alarm(() => {
        end()
        wake()
      }, inMs)
      return end
    },
  }
  Object.assign(memory, { ports })
  return open
}

/** One session of a few frames, which somebody joins and leaves. */
async function session(memory: MemoryCluster, held: HeldScene, signal: AbortSignal, keep?: (made: object) => void) {
  const guest = memory.join('guest', paintPool())
  const { frames, ...order } = sessionOf(held.hash, 'predictive', 3, 2)
  const source = film(frames)
  const sink = {
    started: () => {},
    status: () => {},
    frame: (report: object, pixels: Uint8Array) => {
      keep?.(report)
      keep?.(pixels)
    },
  }
  keep?.(source)
  keep?.(sink)
  await memory.run({ ...order, inFlight: 2 }, held, source, sink, signal)
  guest.terminate()
  await settle()
}

describe('a master', () => {
  it('has nothing under way when its sessions are over, and keeps nothing of them', async () => {
    const memory = new MemoryCluster()
    const open = counted(memory)
    memory.join('host', paintPool())
    const { signal } = new AbortController()
    const made: WeakRef<object>[] = []
    for (let i = 0; i < 12; i++) await session(memory, scene, signal, object => made.push(new WeakRef(object)))
    expect(open).toEqual({ listeners: 0, tickers: 0, alarms: 0 })
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(memory.ports.turns.sessions).toBe(0)
    expect(memory.cluster.expectedWorkers('reference', scene.hash)).toBe(0)
    expect(memory.cluster.workers()).toHaveLength(1)
    await reachable()
    expect(made).toHaveLength(12 * 8)
    expect(made.filter(ref => ref.deref())).toEqual([])
  })

  it('has its turn back from a source that had no frame after all', async () => {
    const memory = new MemoryCluster()
    memory.join('host', paintPool())
    const { signal } = new AbortController()
    const { frames, ...order } = sessionOf(scene.hash, 'predictive', 2, 1)
    const { ready, take } = film(frames)
    let taken = 0
    const source = {
      ready,
      take: () => {
        if (taken++ > 0) throw new RangeError('no frame')
        return take()
      },
    }
    const sink = { started: () => {}, status: () => {}, frame: () => {} }
    await expect(memory.run(order, scene, source, sink, signal)).rejects.toThrow('no frame')
    await memory.run(order, scene, film(frames), sink, signal)
  })

  it('does not grow with sessions, scenes, or workers that come and go', async () => {
    const memory = new MemoryCluster()
    const pool = paintPool()
    // Full after a few scenes.
    const scenes = new WorkerScenes([pool], new PartStore(2 ** 12), 2 ** 14)
    memory.visit({ name: 'host', areas: [areaOf({})] }, pool, scenes)
    const { signal } = new AbortController()
    let sun = 1
    const sessions = async (count: number) => {
      for (let i = 0; i < count; i++) await session(memory, sceneUnder(sun++), signal)
    }
    await sessions(30)
    const sizes = [await reachable()]
    for (let window = 0; window < 3; window++) {
      await sessions(20)
      sizes.push(await reachable())
    }
    // Less than one object in two sessions.
    expect(leastRise(sizes)).toBeLessThan(10)
  })
})

describe('a session', () => {
  it('does not grow with frames, nor do its workers', async () => {
    const memory = new MemoryCluster()
    memory.join('host', paintPool())
    memory.join('other', paintPool())
    const { frames, ...order } = sessionOf(scene.hash, 'predictive', 251, 2)
    const { camera } = frames[0]!
    const sizes: number[] = []
    const sink = {
      started: () => {},
      status: () => {},
      frame: async ({ frame }: FrameReport) => {
        if (frame % 50 === 0 && frame > 0) sizes.push(await reachable())
      },
    }
    const source = film(frames.map(({ frame }) => ({ frame, camera })))
    await memory.run({ ...order, inFlight: 2 }, scene, source, sink, new AbortController().signal)
    expect(sizes).toHaveLength(5)
    // Less than one object in two frames.
    expect(leastRise(sizes)).toBeLessThan(25)
  })
})
