/** Frames with scenes of their own: what is traced is each frame's own scene, on any cluster, and nothing of it stays. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { film, type SessionRunner } from '../../shared/session/session.ts'
import { MemoryCluster, type PaintPool, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { album, run, settle } from '../support/memory-session.ts'
import { clusterHere, clusterThere, watchedPool, watchedWorkers } from '../support/moving-clusters.ts'
import { sceneOf, sceneUnder, withScenes } from '../support/moving-scene.ts'
import { scene, smallSession } from '../support/session.ts'

/** A pool that says of which scene the tiles of each frame were. */
const watched = () => watchedPool(({ view, scene }) => [view.frame, scene])

describe('a film in which something moves', () => {
  const session = { ...sessionOf(scene.hash, 'predictive', 6, 2), inFlight: 2 }

  it('is traced frame by frame in the scene of each, and workers keep none of them', async () => {
    const memory = new MemoryCluster()
    const workers = watchedWorkers(memory, watched)
    const { done, frames } = run(memory, session, {}, film(withScenes(session)))
    await done
    await settle()
    expect([...frames.keys()]).toEqual([0, 1, 2, 3, 4, 5])
    for (const { traced, loaded, scenes } of workers) {
      // The small picture that workers warm up on is of frame 0 in the session's scene.
      for (const [frame, names] of traced)
        expect([...names].filter(name => name !== scene.hash || frame > 0)).toEqual([sceneOf(frame).hash])
      // Once, though two frames have it.
      expect(loaded.toSorted()).toEqual([scene.hash, ...[1, 2, 3].map(sun => sceneUnder(sun).hash)].toSorted())
      expect(scenes.built).toEqual([scene.hash])
    }
  })

  it('waits for the scene of a frame on all workers that had the one before', async () => {
    const memory = new MemoryCluster()
    const slow = watched()
    let free = () => {}
    const held = new Promise<void>(resolve => {
      free = resolve
    })
    const second = sceneUnder(2).hash
    const pool: PaintPool = {
      ...slow.pool,
      loadScene: async name => {
        if (name === second) await held
        return { buildMs: 1 }
      },
    }
    const quick = watched()
    memory.join('quick', quick.pool)
    memory.join('slow', pool)
    const { done, reports } = run(memory, session, {}, film(withScenes(session)))
    await settle()
    expect([...quick.traced.keys()]).not.toContain(2)
    free()
    await done
    expect(reports.map(({ workers }) => workers.length)).toEqual([2, 2, 2, 2, 2, 2])
  })

  it('says what the scene of each frame took', async () => {
    const memory = new MemoryCluster()
    const builds = { anna: 5, bert: 9 }
    for (const [name, buildMs] of Object.entries(builds))
      memory.join(name, { ...paintPool(), loadScene: async () => ({ buildMs }) })
    const { done, reports } = run(memory, session, {}, film(withScenes(session)))
    await done
    for (const { frame, sceneChange } of reports) {
      const { hash, manifest } = sceneOf(frame)
      const isNew = hash !== (frame === 0 ? scene.hash : sceneOf(frame - 1).hash)
      const sent = manifest.parts.filter(({ kind }) => kind === 'look')
      expect(sceneChange).toEqual({
        bytesPerWorker: isNew ? sent.reduce((sum, { bytes }) => sum + bytes, 0) : 0,
        buildMs: isNew ? 7 : 0,
        slowestBuildMs: isNew ? 9 : 0,
        waitMs: expect.any(Number),
      })
    }
    const still = run(memory, session, {})
    await still.done
    for (const report of still.reports) expect(report).not.toHaveProperty('sceneChange')
  })

  it('goes on without a worker that is lost while it prepares a scene', async () => {
    const memory = new MemoryCluster()
    const second = sceneUnder(2).hash
    let stuck = () => {}
    const isStuck = new Promise<void>(resolve => {
      stuck = resolve
    })
    const pool: PaintPool = {
      ...paintPool(),
      loadScene: name => {
        if (name !== second) return Promise.resolve({ buildMs: 1 })
        stuck()
        return new Promise(() => {})
      },
    }
    memory.join('one', paintPool())
    const line = memory.join('two', pool)
    const { done, frames } = run(memory, session, {}, film(withScenes(session)))
    await isStuck
    await settle()
    line.terminate()
    await done
    expect(frames.size).toBe(6)
  })

  it('ends with the error of a scene that cannot be made, after the frames before it', async () => {
    const memory = new MemoryCluster()
    memory.join('one', paintPool())
    memory.join('two', paintPool())
    const frames = withScenes(session)
    async function* failing() {
      yield* frames.slice(0, 2)
      throw new RangeError('no such moment')
    }
    const { done, frames: made } = run(memory, session, {}, film(failing()))
    await expect(done).rejects.toThrow('no such moment')
    expect([...made.keys()]).toEqual([0, 1])
    await settle()
    // Nothing of it is provided any more.
    expect(memory.cluster.expectedWorkers('reference', sceneOf(1).hash)).toBe(0)
    expect(memory.cluster.expectedWorkers('reference', scene.hash)).toBe(0)
  })
})

describe('pixels of a film in which something moves', () => {
  const order = smallSession({ frames: smallSession({}).frames.slice(0, 3), strategy: 'predictive', inFlight: 2 })
  let here: SessionRunner
  let there: SessionRunner

  beforeAll(async () => {
    here = await clusterHere(3)
    there = await clusterThere()
  })
  afterAll(async () => {
    await Promise.all([here.close(), there.close()])
  })

  const filmed = async (runner: Pick<SessionRunner, 'run'>, frames = withScenes(order)) => {
    const { sink, reports } = album()
    const { frames: _, ...rest } = order
    await runner.run(rest, scene, film(frames), sink, new AbortController().signal)
    return new Map(reports.map(({ frame, sha256 }) => [frame, sha256]))
  }

  it('are those of each scene alone, in any order, on any cluster', async () => {
    const whole = await filmed(here)
    expect(new Set(whole.values()).size).toBe(3)
    expect(await filmed(there)).toEqual(whole)
    expect(await filmed(there, withScenes(order).toReversed())).toEqual(whole)
    const alone = sceneOf(2)
    const { sink, reports } = album()
    const { frames, ...rest } = order
    await here.run({ ...rest, scene: alone.hash }, alone, film([frames[2]!]), sink, new AbortController().signal)
    expect(reports[0]!.sha256).toBe(whole.get(2))
  })
})
