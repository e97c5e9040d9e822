/** Frames of sessions on a cluster in memory: what each is made of, and what no misfortune may change. */
import { describe, expect, it } from 'vitest'
import { NoWorkersError } from '../../master/sessions/errors.ts'
import { methodsOf } from '../../master/sessions/methods.ts'
import { runSession } from '../../master/sessions/session.ts'
import type { SessionPorts } from '../../master/sessions/session-ports.ts'
import { strategyNames } from '../../master/strategies/index.ts'
import { frameRect } from '../../shared/frame/rect.ts'
import { SPAN_KINDS } from '../../shared/frame/span-kinds.ts'
import { film, type SessionSink } from '../../shared/session/session.ts'
import { BuiltScenesFullError } from '../../worker/scenes.ts'
import { MemoryCluster, paint, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { album, clusterOf, run, withCut } from '../support/memory-session.ts'
import { sceneUnder } from '../support/moving-scene.ts'
import { expectPartition } from '../support/partition.ts'
import { expectMessages, type TestSession } from '../support/session.ts'
import { smallScene } from '../support/small-scene.ts'

const scene = smallScene()
/** Too large to be warmed up with whole. */
const large = [960, 540] as const
const never = new AbortController().signal

const runFilm = (
  ports: SessionPorts,
  { frames, ...order }: TestSession,
  sink: SessionSink,
  signal = never,
): Promise<void> => runSession(order, methodsOf(order), scene, ports, film(frames), sink, signal)

/** Every frame from the first on was delivered once, in order, and is as it was painted. */
const expectPainted = ({ reports, frames }: Pick<ReturnType<typeof album>, 'reports' | 'frames'>) => {
  const inOrder = Array.from(frames, (_, i) => i)
  expect([...frames.keys()]).toEqual(inOrder)
  expect(reports.map(({ frame }) => frame)).toEqual(inOrder)
  for (const [frame, bytes] of frames)
    expect(Buffer.compare(bytes, paint({ frame }, { rect: frameRect([96, 64]) }))).toBe(0)
}

describe.each(strategyNames)('a session with %s', strategy => {
  it.each([1, 3, 8])('makes the same frames on %i workers, each report whole', async count => {
    // To a clock that stands still no worker understates its times, however busy this machine is.
    const memory = new MemoryCluster(undefined, { now: () => 0 })
    for (let i = 0; i < count; i++) memory.join(`n${i}`, paintPool())
    const { reports, frames, sink } = album()
    await runFilm(memory.ports, sessionOf(scene.hash, strategy, 4, count), sink, never)
    expect(frames.size).toBe(4)
    expectPainted({ reports, frames })
    for (const report of reports) {
      expectPartition(report.tiles, report.size)
      expect(report.workers).toHaveLength(count)
      expect(report.rescued).toBe(0)
      expectMessages([report])
      expect(report.bytes).toBeGreaterThan(96 * 64 * 3)
      // What was traced twice took its time, too, but where the whole of an answer was there already it is not among the tiles.
      const meanOf = (pixels: number) => (pixels * 1e-3) / count
      expect(report.meanMs).toBeGreaterThan(meanOf(96 * 64) - 1e-9)
      expect(report.meanMs).toBeLessThan(meanOf(96 * 64 + report.redundantPx) + 1e-9)
      expect(report.epsilonCpu).toBeCloseTo(report.criticalMs / report.meanMs - 1, 9)
      for (const row of report.ledger) {
        const total = SPAN_KINDS.reduce((sum, kind) => sum + row[kind], 0)
        expect(Math.abs(total - report.frameMs)).toBeLessThanOrEqual(0.01 * report.frameMs)
      }
    }
    expect(reports[0]?.migrationShare).toBe(0)
  })
})

it('knows workers by name, whoever came first, so that one that comes back gets its old place', async () => {
  const memory = new MemoryCluster()
  for (const name of ['n10', 'n9', 'n1']) memory.join(name, paintPool())
  const { reports, sink } = album()
  await runFilm(memory.ports, sessionOf(scene.hash, 'static-blocks', 1, 3), sink, never)
  expect(reports[0]?.workers.map(worker => worker.name)).toEqual(['n1', 'n9', 'n10'])
})

it('is named in the log of the master', async () => {
  const lines: string[] = []
  const log = { info: (text: string) => lines.push(text), warn: (text: string) => lines.push(text) }
  const order = { ...sessionOf(scene.hash, 'static-blocks', 1, 1), sceneName: 'house.glb' }
  const clusterOf = (pool: ReturnType<typeof paintPool>) => {
    const memory = new MemoryCluster(undefined, undefined, undefined, { log })
    memory.join('a', pool)
    return memory.ports
  }
  await runFilm(clusterOf(paintPool()), order, album().sink)
  expect(lines).toContainEqual(expect.stringMatching(/^worker a holds the scene house\.glb \(/))
  const hopeless = { ...paintPool(), loadScene: () => Promise.reject(new Error('no memory')) }
  await expect(runFilm(clusterOf(hopeless), order, album().sink)).rejects.toThrow('no memory')
  expect(lines).toContain('worker a cannot use the scene house.glb: no memory')
})

it('warms workers up once, however many sessions of a scene begin at once', async () => {
  const memory = new MemoryCluster()
  let thumbnails = 0
  for (const name of ['n1', 'n2']) {
    const pool = paintPool()
    pool.before = async ({ size }) => {
      if (size[0] < large[0]) thumbnails++
    }
    memory.join(name, pool)
  }
  const order = { ...sessionOf(scene.hash, 'static-blocks', 1, 2), size: large }
  await runFilm(memory.ports, order, album().sink)
  const alone = thumbnails
  expect(alone).toBeGreaterThan(0)
  const other = sceneUnder(7)
  await Promise.all(
    [1, 2, 3].map(() => memory.run({ ...order, scene: other.hash }, other, film(order.frames), album().sink, never)),
  )
  expect(thumbnails).toBe(2 * alone)
})

describe('a session with trouble', () => {
  it('traces the tile of a worker that dies in the middle of a frame again', async () => {
    const memory = new MemoryCluster()
    const doomed = paintPool()
    memory.join('a', paintPool())
    const line = memory.join('b', doomed)
    memory.join('c', paintPool())
    doomed.before = async ({ frame }) => {
      if (frame !== 1) return
      line.terminate()
      await new Promise(() => {})
    }
    const { reports, frames, sink } = album()
    await runFilm(memory.ports, sessionOf(scene.hash, 'static-blocks', 4, 3), sink, never)
    expectPainted({ reports, frames })
    expect(reports.map(report => report.rescued)).toEqual([0, 1, 0, 0])
    expect(reports.map(report => report.workers.length)).toEqual([3, 3, 2, 2])
  })

  it('uses a worker that joins from the next frame on', async () => {
    const memory = new MemoryCluster()
    const first = paintPool()
    memory.join('a', first)
    first.before = async ({ frame }) => {
      if (frame !== 1) return
      first.before = async () => {}
      const ready = memory.nextReady()
      memory.join('b', paintPool())
      await ready
    }
    const { reports, frames, sink } = album()
    await runFilm(memory.ports, sessionOf(scene.hash, 'pbt', 4, 1), sink, never)
    expectPainted({ reports, frames })
    expect(reports.map(report => report.workers.length)).toEqual([1, 1, 2, 2])
  })

  it.each(['demand-driven', 'predictive', 'static-blocks'])(
    'has a worker of %s that joins while the first of two is gone help at once',
    async strategy => {
      const memory = new MemoryCluster()
      const [steady, doomed, late] = [paintPool(), paintPool(), paintPool()]
      memory.join('a', steady)
      const line = memory.join('b', doomed)
      const helped = new Promise<void>(resolve => {
        late.before = async ({ frame }) => {
          if (frame === 1) resolve()
        }
      })
      // The frame cannot end without the newcomer.
      steady.before = ({ frame }) => (frame === 1 ? helped : Promise.resolve())
      doomed.before = async ({ frame }) => {
        if (frame !== 1) return
        line.terminate()
        memory.join('c', late)
        await new Promise(() => {})
      }
      const { reports, frames, sink } = album()
      await runFilm(memory.ports, sessionOf(scene.hash, strategy, 3, 2), sink, never)
      expectPainted({ reports, frames })
      expect(reports[1]!.workers.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    },
  )

  it('reports a worker that joins a frame, traces some of it and is lost again', async () => {
    const memory = new MemoryCluster()
    const [steady, guest] = [paintPool(), paintPool()]
    memory.join('a', steady)
    let leave = () => {}
    const left = new Promise<void>(resolve => {
      leave = resolve
    })
    let tiles = 0
    guest.before = async () => {
      if (tiles++ === 0) return
      line!.terminate()
      leave()
      await new Promise(() => {})
    }
    let line: ReturnType<MemoryCluster['join']> | undefined
    steady.before = async ({ frame }) => {
      if (frame !== 1) return
      line ??= memory.join('b', guest)
      await left
    }
    const { reports, frames, sink } = album()
    await runFilm(memory.ports, sessionOf(scene.hash, 'demand-driven', 3, 1), sink, never)
    expectPainted({ reports, frames })
    expect(reports.map(({ workers }) => workers.map(({ name }) => name))).toEqual([['a'], ['a', 'b'], ['a']])
    const { workers, tiles: traced, ledger, meanMs } = reports[1]!
    expect(new Set(traced.map(({ worker }) => worker))).toEqual(new Set(workers.map(({ id }) => id)))
    expect(ledger.map(({ worker }) => worker)).toEqual(workers.map(({ id }) => id))
    expect(2 * meanMs).toBeCloseTo(96 * 64 * 1e-3, 9)
  })

  it('goes on with a newcomer when all workers of the frame are gone', async () => {
    const memory = new MemoryCluster()
    const doomed = paintPool()
    const line = memory.join('a', doomed)
    doomed.before = async () => {
      line.terminate()
      memory.join('b', paintPool())
      await new Promise(() => {})
    }
    const { reports, frames, sink } = album()
    await runFilm(memory.ports, sessionOf(scene.hash, 'single-worker', 2, 1), sink, never)
    expectPainted({ reports, frames })
    expect(frames.size).toBe(2)
  })

  it('sends a worker away that answers with other pixels than asked for', async () => {
    const memory = new MemoryCluster()
    memory.join('a', paintPool())
    const wrong = { rows: 1, pixels: new Uint8Array(5), cpuMs: 0, wallMs: 0 }
    memory.join('b', { ...paintPool(), trace: async () => wrong })
    const { reports, frames, sink } = album()
    await runFilm(memory.ports, sessionOf(scene.hash, 'static-blocks', 3, 2), sink, never)
    expectPainted({ reports, frames })
    expect(memory.cluster.workers().map(worker => worker.name)).toEqual(['a'])
  })

  it('fails with the last reason when the same tile fails everywhere', async () => {
    const memory = new MemoryCluster()
    const broken = () => ({ ...paintPool(), trace: () => Promise.reject(new Error('no light')) })
    memory.join('a', broken())
    memory.join('b', broken())
    await expect(
      runFilm(memory.ports, sessionOf(scene.hash, 'static-blocks', 1, 2), album().sink, never),
    ).rejects.toThrow(
      /^frame 0: tile \d+,\d+ \d+x\d+ failed 3 times on 2 workers, all that are left, last on w\d: no light$/,
    )
  })

  it('goes on with the others when one fails whatever it is given, from the warm-up on', async () => {
    const memory = new MemoryCluster()
    memory.join('a', { ...paintPool(), trace: () => Promise.reject(new Error('no light')) })
    memory.join('b', paintPool())
    const { reports, frames, sink } = album()
    await runFilm(memory.ports, sessionOf(scene.hash, 'static-blocks', 2, 2), sink, never)
    expectPainted({ reports, frames })
    expect(reports).toHaveLength(2)
  })

  it('says how many workers it waited for in vain', async () => {
    const memory = new MemoryCluster()
    memory.join('a', paintPool())
    let now = 0
    const run = runFilm(
      { ...memory.ports, clock: { now: () => now } },
      sessionOf(scene.hash, 'pbt', 1, 2),
      album().sink,
    )
    await memory.nextReady()
    now = 60_001
    memory.tick()
    await expect(run).rejects.toThrow(NoWorkersError)
    await expect(run).rejects.toThrow(/expected 2 ready within 60 s, got 1 \(1 connected\)/)
  })

  it('ends at once, with the reason, when no worker can use the scene, and nobody could', async () => {
    const memory = new MemoryCluster()
    const hopeless = { ...paintPool(), loadScene: () => Promise.reject(new Error('no memory')) }
    for (const name of ['a', 'b']) memory.join(name, hopeless)
    await expect(run(memory, sessionOf(scene.hash, 'pbt', 1, 1)).done).rejects.toThrow(
      'workers: expected 1 ready, got 0 (2 connected): worker a cannot use the scene: no memory, and 1 more likewise; ',
    )
  })

  it('is told at once why a worker cannot use the scene, and goes on when it can', async () => {
    const memory = new MemoryCluster()
    let isFull = true
    const pool = paintPool()
    const load = pool.loadScene
    pool.loadScene = (...scene) =>
      isFull ? Promise.reject(new BuiltScenesFullError(2 ** 30, 2 ** 30, 2 ** 30)) : load.call(pool, ...scene)
    memory.join('a', pool)
    const said: string[] = []
    let tell = () => {}
    const refused = new Promise<void>(resolve => {
      tell = resolve
    })
    const film = run(memory, sessionOf(scene.hash, 'pbt', 1, 1), {
      status: text => {
        said.push(text)
        if (text.includes('cannot use the scene')) tell()
      },
    })
    await refused
    expect(said.at(-1)).toMatch(/^worker a cannot use the scene: built scenes: expected at most 1.00 GiB in use/)
    isFull = false
    // What another session used is released.
    const other = sceneUnder(7)
    memory.cluster.provide(other)
    memory.cluster.release(other.hash)
    memory.cluster.lookForQuiet(() => false)
    await film.done
    expect(film.frames.size).toBe(1)
  })

  it('ends when all workers are gone for longer than it may wait', async () => {
    const memory = new MemoryCluster()
    const doomed = paintPool()
    const line = memory.join('a', doomed)
    let now = 0
    const gone = new Promise<void>(resolve => {
      doomed.before = async ({ frame }) => {
        if (frame !== 1) return
        memory.cluster.subscribe({ moved: ({ to }) => to === 'gone' && resolve() })
        line.terminate()
        await new Promise(() => {})
      }
    })
    const said: string[] = []
    const { reports, sink } = album({ status: text => void said.push(text) })
    const ports = { ...memory.ports, clock: { now: () => now } }
    const run = runFilm(ports, sessionOf(scene.hash, 'pbt', 3, 1), sink)
    run.catch(() => {})
    await gone
    expect(said.at(-1)).toBe('no worker is left; waiting for one, for up to 60 s')
    memory.tick()
    now = 60_001
    memory.tick()
    await expect(run).rejects.toThrow('workers: expected 1 ready within 60 s, got 0 (0 connected)')
    expect(reports).toHaveLength(1)
  })

  it('ends when it is cancelled, also in the middle of a frame', async () => {
    const memory = new MemoryCluster()
    const abort = new AbortController()
    const pool = paintPool()
    pool.before = async ({ frame }) => {
      if (frame === 1) abort.abort()
    }
    memory.join('a', pool)
    const { reports, frames, sink } = album()
    await expect(runFilm(memory.ports, sessionOf(scene.hash, 'pbt', 3, 1), sink, abort.signal)).rejects.toThrow(
      'cancelled',
    )
    expectPainted({ reports, frames })
  })

  it('ends with what the taker of its frames met, such as a full disk', async () => {
    const memory = new MemoryCluster()
    memory.join('a', paintPool())
    const sink = { ...album().sink, frame: () => Promise.reject(new Error('no space left')) }
    await expect(runFilm(memory.ports, sessionOf(scene.hash, 'pbt', 5, 1), sink, never)).rejects.toThrow(
      'no space left',
    )
  })
})

describe('a worker that dies', () => {
  it.each<[string, (whole: boolean, patterned: boolean) => boolean]>([
    ['in a warm-up', whole => !whole],
    ['in a probe', (_, patterned) => patterned],
  ])('%s holds nobody up', async (_, strikes) => {
    const doomed = paintPool()
    const memory = clusterOf(paintPool(), paintPool())
    const line = memory.join('n2', doomed)
    const { trace } = doomed
    let struck = false
    doomed.trace = (order, progress) => {
      if (!strikes(order.view.size[0] === large[0], order.tile.pattern?.kind === 'lattice'))
        return trace.call(doomed, order, progress)
      struck = true
      line.terminate()
      return new Promise(() => {})
    }
    const { reports, done } = run(memory, withCut({ ...sessionOf(scene.hash, 'predictive', 3, 3), size: large }))
    await done
    expect(struck).toBe(true)
    expect(reports).toHaveLength(3)
  })
})
