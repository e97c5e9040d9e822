/** Frames with motion blur: each pass is traced at its moment, in its own scene, and the bytes depend on nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { film, type SessionRunner, type WantedFrame } from '../../shared/session/session.ts'
import { MemoryCluster, type PaintPool, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { album, clusterOf, run, settle } from '../support/memory-session.ts'
import { clusterHere, clusterThere, watchedPool, watchedWorkers } from '../support/moving-clusters.ts'
import { sceneUnder, withMoments } from '../support/moving-scene.ts'
import { scene, smallSession, type TestSession } from '../support/session.ts'
import { smallCamera } from '../support/small-scene.ts'

const STEPS = 4

/** A pool that tells what it traces: for each frame and range of samples the scenes and cameras. */
const watched = () =>
  watchedPool(({ view, samples, scene }) =>
    // The small picture that workers warm up on has no range.
    samples ? [`${view.frame}: ${samples.from}`, `${scene} ${JSON.stringify(view.camera)}`] : undefined,
  )

const blurred = (strategy: string, frames: number): TestSession => ({
  ...sessionOf(scene.hash, strategy, frames, 2),
  quality: { samples: 8, ambientRays: 1, maxDepth: 2 },
  passes: STEPS,
  inFlight: 2,
})

describe('a film with motion blur', () => {
  const session = blurred('predictive', 3)
  const wanted = withMoments(session)

  it('is traced pass by pass, each in the scene and by the camera of its moment, and workers keep none of them', async () => {
    const memory = new MemoryCluster()
    const workers = watchedWorkers(memory, watched)
    const { done, frames } = run(memory, session, {}, film(wanted))
    await done
    await settle()
    expect([...frames.keys()]).toEqual([0, 1, 2])
    for (const { traced, loaded, scenes } of workers) {
      for (const { frame, moments } of wanted)
        for (const [k, { scene, camera }] of moments!.entries())
          expect([...traced.get(`${frame}: ${2 * k}`)!]).toEqual([`${scene!.hash} ${JSON.stringify(camera)}`])
      // Two frames with a scene in common have it built once if the first still holds it.
      expect(new Set(loaded)).toEqual(new Set([scene.hash, ...[1, 2, 3, 4, 5, 6].map(sun => sceneUnder(sun).hash)]))
      expect(scenes.built).toEqual([scene.hash])
    }
    for (const sun of [1, 2, 3, 4, 5, 6])
      expect(memory.cluster.expectedWorkers('reference', sceneUnder(sun).hash)).toBe(0)
  })

  it('begins no frame before its workers have the scenes of all its moments', async () => {
    const memory = new MemoryCluster()
    const last = sceneUnder(1 + STEPS - 1).hash
    let free = () => {}
    const held = new Promise<void>(resolve => {
      free = resolve
    })
    const slow: PaintPool = {
      ...paintPool(),
      loadScene: async name => {
        if (name === last) await held
        return { buildMs: 1 }
      },
    }
    const quick = watched()
    memory.join('quick', quick.pool)
    memory.join('slow', slow)
    const { done, reports } = run(memory, session, {}, film(wanted))
    await settle()
    expect([...quick.traced.keys()]).toEqual([])
    free()
    await done
    expect(reports.map(({ workers }) => workers.length)).toEqual([2, 2, 2])
  })

  it('is the same when a worker is lost in the middle of a frame, with any strategy', async () => {
    const calm = run(clusterOf(paintPool(), paintPool()), session, {}, film(wanted))
    await calm.done
    for (const strategy of ['static-blocks', 'demand-driven', 'predictive']) {
      const memory = new MemoryCluster()
      memory.join('one', paintPool())
      const mortal = paintPool()
      let dies = () => {}
      mortal.before = async ({ frame, camera }) => {
        if (frame !== 1 || camera.origin.join() !== smallCamera(1.5).origin.join()) return
        dies()
        await new Promise(() => {})
      }
      const line = memory.join('two', mortal)
      dies = () => line.terminate()
      const { done, frames } = run(memory, blurred(strategy, 3), {}, film(wanted))
      await done
      expect([...frames], strategy).toEqual([...calm.frames])
    }
  })

  it('takes in a worker that joins when it has all scenes of a frame, and not before', async () => {
    const memory = new MemoryCluster()
    let joins = () => {}
    let go = () => {}
    const gone = new Promise<void>(resolve => {
      go = resolve
    })
    const first = paintPool()
    first.before = async ({ frame, camera }) => {
      if (frame !== 0 || camera.origin.join() !== smallCamera(0.5).origin.join()) return
      joins()
      await gone
    }
    const line = memory.join('one', first)
    const late = watched()
    const { loadScene } = late.pool
    late.pool.loadScene = async (...scene) => {
      // It has the scenes of the passes before, and is asked for nothing yet.
      if (scene[0] === sceneUnder(3).hash) await settle()
      return loadScene(...scene)
    }
    joins = () => {
      memory.join('late', late.pool)
      line.terminate()
      go()
    }
    const failed: string[] = []
    const status = (text: string) => void (text.includes('failed a tile') && failed.push(text))
    const { done, frames } = run(memory, { ...session, minWorkers: 1 }, { status }, film(wanted))
    await done
    expect(frames.size).toBe(3)
    expect(failed).toEqual([])
    expect(late.traced.has('0: 0')).toBe(false)
    expect(late.traced.has('0: 4')).toBe(true)
  })

  it('that is cancelled gives up every pass, and leaves nothing', async () => {
    const memory = new MemoryCluster()
    const stuck = paintPool()
    let isStuck = () => {}
    const reached = new Promise<void>(resolve => {
      isStuck = resolve
    })
    stuck.before = async ({ camera }) => {
      if (camera.origin.join() !== smallCamera(0.25).origin.join()) return
      isStuck()
      await new Promise(() => {})
    }
    memory.join('one', stuck)
    const { done, cancel } = run(memory, { ...session, minWorkers: 1 }, {}, film(wanted))
    await reached
    cancel()
    await expect(done).rejects.toThrow('cancelled')
    await settle()
    for (const sun of [1, 2, 3, 4, 5, 6])
      expect(memory.cluster.expectedWorkers('reference', sceneUnder(sun).hash)).toBe(0)
  })
})

describe('pixels with motion blur', () => {
  const order = smallSession({
    // More scenes than the master keeps of a client.
    quality: { samples: 8, ambientRays: 1, maxDepth: 3 },
    passes: 8,
    frames: [0, 1].map(frame => ({ frame, camera: smallCamera(frame) })),
    strategy: 'predictive',
    inFlight: 2,
    channels: ['light'],
  })
  let here: SessionRunner
  let alone: SessionRunner
  let there: SessionRunner

  beforeAll(async () => {
    here = await clusterHere(3)
    alone = await clusterHere(1)
    there = await clusterThere()
  })
  afterAll(async () => {
    await Promise.all([here.close(), alone.close(), there.close()])
  })

  const filmed = async (runner: Pick<SessionRunner, 'run'>, frames: readonly WantedFrame[], changes = {}) => {
    const lights = new Map<number, Float32Array>()
    const { sink, reports } = album()
    const { frames: _, ...rest } = { ...order, ...changes }
    await runner.run(
      rest,
      scene,
      film(frames),
      {
        ...sink,
        frame: (report, pixels, planes) => {
          lights.set(report.frame, planes.light as Float32Array)
          return sink.frame(report, pixels, planes)
        },
      },
      new AbortController().signal,
    )
    return { lights, hashes: new Map(reports.map(({ frame, sha256 }) => [frame, sha256])) }
  }

  it('are the same on any cluster, with any strategy, and not those of a still', async () => {
    const wanted = withMoments(order)
    const { hashes } = await filmed(alone, wanted)
    for (const strategy of ['static-blocks', 'pbt', 'predictive'])
      expect((await filmed(here, wanted, { strategy })).hashes, strategy).toEqual(hashes)
    expect((await filmed(there, wanted)).hashes).toEqual(hashes)
    const still = await filmed(
      alone,
      wanted.map(({ moments: _, ...frame }) => frame),
    )
    for (const [frame, hash] of still.hashes) expect(hashes.get(frame)).not.toBe(hash)
  })

  it('are those of a plain frame, in any number of passes, where nothing moves', async () => {
    const frames = order.frames.map(({ frame, camera }) => {
      const moment = { camera, scene: sceneUnder(3) }
      return { frame, ...moment, moments: Array.from({ length: order.passes }, () => moment) }
    })
    const plain = frames.map(({ moments: _, ...frame }) => frame)
    const { hashes } = await filmed(here, frames)
    expect((await filmed(here, plain)).hashes).toEqual(hashes)
    expect((await filmed(here, plain, { passes: 1 })).hashes).toEqual(hashes)
  })

  it('are of light that adds up: what each half of the samples sees at one moment, and at the other', async () => {
    const [a, b] = [
      { camera: smallCamera(0), scene: sceneUnder(1) },
      { camera: smallCamera(5), scene: sceneUnder(4) },
    ]
    const lightOf = async (...moments: (typeof a)[]) => {
      const blurred = { frame: 7, ...moments[0]!, moments }
      return (await filmed(here, [blurred], { passes: moments.length })).lights.get(7)!
    }
    const [ab, ba, aa, bb] = [await lightOf(a, b), await lightOf(b, a), await lightOf(a, a), await lightOf(b, b)]
    const mean = aa.map((light, i) => (light + bb[i]!) / 2)
    // Float32 means of exact sums.
    for (const [i, light] of ab.entries()) expect((light + ba[i]!) / 2).toBeCloseTo(mean[i]!, 5)
    expect(ab).not.toEqual(aa)
  })
})
