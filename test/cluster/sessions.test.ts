/** Sessions on a cluster in memory: passes, overlapping frames, viewers, several at once. */
import { describe, expect, it, vi } from 'vitest'
import { FramePlanner } from '../../master/frames/frame-planner.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { frameRect, type Size } from '../../shared/frame/rect.ts'
import { ToneMap } from '../../shared/light/tone-map.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import type { FrameRequest } from '../../shared/protocol/session-order.ts'
import { holdScene } from '../../shared/scene/held-scene.ts'
import { packScene, readPackedScene } from '../../shared/scene/packed-scene.ts'
import { Viewer } from '../../shared/session/viewer.ts'
import { withSun } from '../support/described.ts'
import { lightOf, MemoryCluster, paint, paintPool, paintTile, sessionOf } from '../support/memory-cluster.ts'
import { clusterOf, joinedBy, run, settle } from '../support/memory-session.ts'
import { expectPartition } from '../support/partition.ts'
import { smallCamera, smallScene } from '../support/small-scene.ts'

const scene = smallScene()
const size = [96, 64] as const
/** Too large to be warmed up with whole. */
const large = [960, 540] as const

/** The painted frame, finished by a master from the light of all samples. */
function expectFinishedLight(frames: ReadonlyMap<number, Uint8Array>): void {
  for (const [frame, pixels] of frames) {
    const expected = new Uint8Array(pixels.length)
    new ToneMap({ exposure: 1 }).finish(
      Float64Array.from(paint({ frame }, { rect: frameRect(size) }), lightOf),
      expected,
    )
    expect(Buffer.compare(pixels, expected)).toBe(0)
  }
}

const expectPainted = (frames: ReadonlyMap<number, Uint8Array>): void => {
  for (const [frame, pixels] of frames)
    expect(Buffer.compare(pixels, paint({ frame }, { rect: frameRect(size) }))).toBe(0)
}

const quality = { samples: 16, ambientRays: 1, maxDepth: 2 }

describe('a frame in passes', () => {
  it.each(['predictive', 'pbt', 'demand-driven', 'scatter'])('of %s is the sum of them', async strategy => {
    const memory = clusterOf(paintPool(), paintPool(), paintPool())
    const { reports, frames, done } = run(memory, { ...sessionOf(scene.hash, strategy, 3, 3), quality, passes: 4 })
    await done
    expect([...frames.keys()]).toEqual([0, 1, 2])
    expectFinishedLight(frames)
    // Every pixel was traced in each of the four ranges of samples.
    for (const { tiles } of reports) expect(tiles.length).toBeGreaterThanOrEqual(4)
  })

  it('is the same when a worker dies between two of them', async () => {
    const doomed = paintPool()
    const memory = clusterOf(paintPool(), paintPool())
    const line = memory.join('n2', doomed)
    let tiles = 0
    doomed.before = async ({ frame }) => {
      if (frame !== 1 || ++tiles < 3) return
      line.terminate()
      await new Promise(() => {})
    }
    const order = { ...sessionOf(scene.hash, 'static-blocks', 3, 3), quality, passes: 4 }
    const { reports, frames, done } = run(memory, order)
    await done
    expectFinishedLight(frames)
    expect(reports.map(({ rescued }) => rescued)).toEqual([0, 1, 0])
  })

  it('shows itself after each of them but the last, as bright as it will be', async () => {
    const memory = clusterOf(paintPool(), paintPool())
    const order = { ...sessionOf(scene.hash, 'predictive', 1, 2), quality, passes: 4, progressive: true }
    const { frames, previews, done } = run(memory, order)
    await done
    expect(previews.map(({ frame, samples }) => [frame, samples])).toEqual([
      [0, 4],
      [0, 8],
      [0, 12],
    ])
    for (const { pixels } of previews) expect(Buffer.compare(pixels, frames.get(0)!)).toBe(0)
  })
})

describe('a film of overlapping frames', () => {
  it.each(['predictive', 'pbt', 'static-blocks', 'demand-driven'])(
    'of %s has the same frames, in order',
    async strategy => {
      const memory = clusterOf(paintPool(), paintPool(), paintPool())
      const { reports, frames, done } = run(memory, { ...sessionOf(scene.hash, strategy, 8, 3), inFlight: 2 })
      await done
      expect(reports.map(({ frame }) => frame)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
      expectPainted(frames)
      for (const report of reports) expectPartition(report.tiles, report.size)
    },
  )

  it('begins a frame while somebody is still at the one before, and no third', async () => {
    const [quick, slow] = [paintPool(), paintPool()]
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const begun = new Set<number>()
    quick.before = async ({ frame, size: [w] }) => void (w === size[0] && begun.add(frame))
    slow.before = async ({ frame, size: [w] }) => {
      if (frame === 1 && w === size[0]) await held
    }
    const memory = clusterOf(quick, slow)
    const { frames, done } = run(memory, { ...sessionOf(scene.hash, 'static-blocks', 5, 2), inFlight: 2 })
    while (!begun.has(2)) await settle()
    await settle()
    expect([...begun]).toEqual([0, 1, 2])
    release()
    await done
    expect(frames.size).toBe(5)
    expectPainted(frames)
  })
})

describe('a frame that no worker would accept', () => {
  const film = sessionOf(scene.hash, 'pbt', 3, 2)
  it.each([0, 1])('ends its session, as frame %i of a film', async bad => {
    const memory = clusterOf(paintPool(), paintPool())
    const frames = film.frames.map((frame, i) =>
      i === bad ? { ...frame, camera: { ...frame.camera, origin: [0, Number.NaN, 3] as const } } : frame,
    )
    const { frames: delivered, done } = run(memory, { ...film, frames })
    await expect(done).rejects.toThrow(/^frame \d+: expected a view that can be traced, got .*NaN.*camera\.origin\[1\]/)
    expect(delivered.size).toBeLessThanOrEqual(bad)
    // Its workers are still there.
    const next = run(memory, film)
    await next.done
    expectPainted(next.frames)
  })
})

describe('a viewer', () => {
  const look = (frame: number): FrameRequest => ({ frame, camera: smallCamera(frame) })

  it('gets the newest of what it asked for, and nothing twice', async () => {
    const pool = paintPool()
    const viewer = new Viewer()
    let seen = 0
    pool.before = async ({ frame, size: [w] }) => {
      if (frame !== 0 || w !== size[0] || seen++ > 0) return
      for (const newer of [1, 2, 3]) viewer.look(look(newer))
    }
    const memory = clusterOf(pool)
    viewer.look(look(0))
    const order = { ...sessionOf(scene.hash, 'predictive', 1, 1), kind: 'viewer' as const }
    const { reports, frames, done } = run(memory, order, {}, viewer)
    while (reports.length < 2) await settle()
    viewer.close()
    await done
    expect(reports.map(({ frame }) => frame)).toEqual([0, 3])
    expectPainted(frames)
  })

  it('has frames of other sizes and samples than its session, each as it was asked for', async () => {
    const seen: [Size, number][] = []
    const pool = paintPool()
    pool.before = async ({ size, quality }) => void seen.push([size, quality.samples])
    const viewer = new Viewer()
    const memory = clusterOf(pool, paintPool())
    const settings = (size: Size, samples: number) => ({
      size,
      quality: { samples, ambientRays: 0, maxDepth: 1 },
      passes: samples,
      progressive: samples > 1,
    })
    const asked: readonly [Size, number][] = [
      [[32, 18], 1],
      [[48, 27], 1],
      [[32, 18], 1],
      [[64, 36], 2],
    ]
    const order = { ...sessionOf(scene.hash, 'predictive', 1, 1), kind: 'viewer' as const }
    const { reports, frames, previews, done } = run(memory, order, {}, viewer)
    for (const [frame, [size, samples]] of asked.entries()) {
      viewer.look({ ...look(frame), settings: settings(size, samples) })
      while (reports.length <= frame) await settle()
    }
    viewer.close()
    await done
    expect(reports.map(({ size }) => size)).toEqual(asked.map(([size]) => size))
    expect([...frames.values()].map(({ length }) => length)).toEqual(asked.map(([[w, h]]) => w * h * 3))
    for (const each of asked) expect(seen).toContainEqual(each)
    expect(previews.map(({ frame, samples }) => [frame, samples])).toEqual([[3, 1]])
  })

  it('has its frames made while a film’s frame is not done, and says that they are urgent', async () => {
    const pool = paintPool()
    const urgent = new Set<string>()
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    let isHeld = false
    const { trace } = pool
    pool.trace = (order, progress) => {
      const isFilm = order.view.size[0] === large[0]
      urgent.add(`${isFilm ? 'film' : 'view'} ${order.urgent ?? false}`)
      if (!isFilm) return trace.call(pool, order, progress)
      isHeld = true
      return released.then(() => paintTile(order, progress))
    }
    const memory = clusterOf(pool)
    const film = run(memory, { ...sessionOf(scene.hash, 'static-blocks', 1, 1), size: large })
    while (!isHeld) await settle()
    urgent.clear()
    const viewer = new Viewer()
    const order = { ...sessionOf(scene.hash, 'predictive', 1, 1), kind: 'viewer' as const }
    const { reports, frames, done } = run(memory, order, {}, viewer)
    for (const frame of [0, 1, 2]) {
      viewer.look(look(frame))
      while (reports.length <= frame) await settle()
    }
    viewer.close()
    await done
    expect(film.reports).toEqual([])
    expectPainted(frames)
    expect([...urgent]).toEqual(['view true'])
    release()
    await film.done
    expect(film.reports.map(({ frame }) => frame)).toEqual([0])
    const whole = paint({ frame: 0 }, { rect: frameRect(large) })
    expect(Buffer.compare(film.frames.get(0)!, whole)).toBe(0)
  })

  it('has the frame that is being made given up at once', async () => {
    const pool = paintPool()
    const viewer = new Viewer()
    let held = false
    pool.before = async ({ size: [w] }) => {
      if (w !== large[0]) return
      held = true
      await new Promise(() => {})
    }
    const memory = clusterOf(pool)
    viewer.look(look(0))
    const order = { ...sessionOf(scene.hash, 'static-blocks', 1, 1), kind: 'viewer' as const, size: large }
    const { reports, done } = run(memory, order, {}, viewer)
    while (!held) await settle()
    viewer.abandon()
    viewer.close()
    await done
    expect(reports).toEqual([])
  })
})

describe('several sessions', () => {
  it('share the cluster frame by frame', async () => {
    const memory = clusterOf(paintPool(), paintPool())
    let [taken, passed] = [0, 0]
    let release = () => {}
    const bothHalfway = new Promise<void>(resolve => {
      release = resolve
    })
    // A session that waited for the end of the other would wait for ever.
    const frame = ({ frame }: FrameReport) => {
      taken++
      if (frame !== 3) return
      if (++passed === 2) release()
      return bothHalfway
    }
    const sessions = ['a', 'b'].map(() => run(memory, sessionOf(scene.hash, 'pbt', 6, 2), { frame }))
    await Promise.all(sessions.map(({ done }) => done))
    expect(taken).toBe(12)
  })

  it('have small frames made side by side, each by as many areas as pay for it', async () => {
    const pools = [paintPool(), paintPool(), paintPool(), paintPool()]
    // What a busy machine takes long for is no work: with it a frame could be worth all areas.
    const memory = joinedBy(new MemoryCluster(undefined, { now: () => 0 }), pools)
    const wide = [96, 32] as const
    let held = () => {}
    const holding = new Promise<void>(resolve => {
      held = resolve
    })
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const first = run(memory, { ...sessionOf(scene.hash, 'predictive', 90, 4), size: wide })
    const second = run(memory, sessionOf(scene.hash, 'predictive', 60, 4))
    let isHeld = false
    for (const pool of pools)
      pool.before = async ({ size: [, h] }) => {
        // The first frame of the first session that does not take all areas, because the second has one, too. The very first frame of that
        // would wait for all areas.
        const isShared = second.reports.length > 0 && memory.ports.turns.claims.size > 0
        if (h !== wide[1] || (!isHeld && !isShared)) return
        isHeld = true
        held()
        await released
      }
    await holding
    // While a frame of the first is being made.
    await second.done
    expect(first.reports.length).toBeLessThan(90)
    expectPainted(second.frames)
    // Nobody knows how much work a first frame is, so all areas make it.
    expect(second.reports[0]!.workers).toHaveLength(4)
    expect(second.reports.at(-1)!.workers).toHaveLength(2)
    release()
    await first.done
    const alone = run(memory, sessionOf(scene.hash, 'predictive', 2, 4))
    await alone.done
    expect(alone.reports.map(({ workers }) => workers.length)).toEqual([4, 4])
  })

  it('go on when the client of one does not take its frames', async () => {
    const memory = clusterOf(paintPool())
    let asked = () => {}
    const asking = new Promise<void>(resolve => {
      asked = resolve
    })
    const stuck = run(memory, sessionOf(scene.hash, 'pbt', 9, 1), {
      frame: () => {
        asked()
        return new Promise(() => {})
      },
    })
    await asking
    const other = run(memory, sessionOf(scene.hash, 'pbt', 4, 1))
    await other.done
    expect(other.frames.size).toBe(4)
    stuck.cancel()
  })

  it('may be of different scenes, and no tile is traced against another one’s', async () => {
    const pool = paintPool()
    const traced: [string, string][] = []
    const { trace } = pool
    pool.trace = (order, progress) => {
      traced.push([order.scene, `${order.view.exposure}`])
      return trace.call(pool, order, progress)
    }
    const memory = clusterOf(pool)
    const data = readPackedScene(scene.bytes)
    const brighter = packScene(withSun(data, [9, 9, 9]))
    const other = holdScene(brighter, sha256)
    const first = run(memory, { ...sessionOf(scene.hash, 'pbt', 4, 1), exposure: 1 })
    const second = run(memory, { ...sessionOf(other.hash, 'pbt', 4, 1), exposure: 2 }, {}, undefined, other)
    await Promise.all([first.done, second.done])
    expect(new Set(traced.map(([name, exposure]) => `${name} ${exposure}`))).toEqual(
      new Set([`${scene.hash} 1`, `${other.hash} 2`]),
    )
  })

  it('warm an area up once for a scene', async () => {
    const pool = paintPool()
    let thumbnails = 0
    pool.before = async ({ size: [w] }) => void (w !== large[0] && thumbnails++)
    const memory = clusterOf(pool, paintPool())
    const order = { ...sessionOf(scene.hash, 'static-blocks', 1, 2), size: large }
    await run(memory, order).done
    expect(thumbnails).toBeGreaterThan(0)
    thumbnails = 0
    await run(memory, order).done
    expect(thumbnails).toBe(0)
  })

  it.each([
    [2, undefined, 2],
    [16_384, undefined, 16],
    [64, 0.05, 16],
  ])('warm areas up with few samples: of %i, with noise %s, with %i', async (samples, noise, few) => {
    const pool = paintPool()
    const seen = new Set<string>()
    pool.before = async ({ size: [w], quality }) =>
      void seen.add(`${w === large[0] ? 'frame' : 'small'} ${quality.samples}`)
    const quality = { samples, ambientRays: 2, maxDepth: 2, bounces: 2 }
    const order = { ...sessionOf(scene.hash, 'predictive', 1, 2), size: large, quality }
    await run(clusterOf(pool, paintPool()), { ...order, ...(noise === undefined ? {} : { noise, passes: 3 }) }).done
    expect([...seen]).toEqual([`small ${few}`, `frame ${samples}`])
  })

  it('expect of their first frame what its samples cost, and not those of the small picture', async () => {
    const prime = vi.spyOn(FramePlanner.prototype, 'prime')
    const expected = async (samples: number): Promise<number> => {
      const quality = { samples, ambientRays: 2, maxDepth: 2, bounces: 2 }
      const order = { ...sessionOf(scene.hash, 'predictive', 1, 2), size: large, quality }
      await run(clusterOf(paintPool(), paintPool()), order).done
      return prime.mock.lastCall![1].costs.reduce((sum, cost) => sum + cost)
    }
    try {
      expect((await expected(64)) / (await expected(16))).toBeCloseTo(4, 9)
    } finally {
      prime.mockRestore()
    }
  })

  it('begin at once with a worker alone, whose costs nobody needs', async () => {
    const pool = paintPool()
    const sizes = new Set<number>()
    pool.before = async ({ size: [w] }) => void sizes.add(w)
    const alone = run(clusterOf(pool), { ...sessionOf(scene.hash, 'predictive', 2, 1), size: large })
    await alone.done
    expect([...sizes]).toEqual([large[0]])
    expect(alone.reports.map(({ probeMs, tiles }) => [probeMs, tiles.length])).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(alone.reports[1]).not.toHaveProperty('predictionError')
  })

  it('know where the work of a first frame lies from whoever began with the same view, whatever that cared for', async () => {
    const memory = clusterOf(paintPool(), paintPool())
    const order = (strategy: string) => ({ ...sessionOf(scene.hash, strategy, 1, 2), size: large })
    await run(memory, order('static-blocks')).done
    const same = run(memory, order('predictive'))
    await same.done
    expect(same.reports[0]!.probeMs).toBe(0)
    // Another view of the same scene is looked at with a probe.
    const finer = run(memory, { ...order('predictive'), quality })
    await finer.done
    expect(finer.reports[0]!.probeMs).toBeGreaterThan(0)
  })
})
