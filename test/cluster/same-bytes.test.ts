/**
 * The flagship: a frame has the same bytes with any strategy, any number of workers and threads, and whatever happens to
 * them. Real processes, real sockets.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Master, startMaster } from '../../master/main.ts'
import { strategyNames } from '../../master/strategies/index.ts'
import { type EmbeddedCluster, startEmbeddedCluster } from '../../scripts/library/embedded-cluster.ts'
import { startWorkerProcess, type WorkerProcess } from '../../scripts/library/worker-process.ts'
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { silentLog } from '../../shared/text/log.ts'
import { engineFingerprints } from '../../worker/node/engines.ts'
import { expectPartitions } from '../support/partition.ts'
import { expectMessages, ledgerError, reportsOf, smallSession, type TestSession } from '../support/session.ts'

/** From most to least: those that are too many leave. */
const WORKERS = [8, 5, 3, 2, 1]

/** A master with as many workers as there ever are. */
class ShrinkingCluster {
  readonly #master: Master
  readonly #workers: WorkerProcess[]

  static async start(threads: number): Promise<ShrinkingCluster> {
    const kernels = engineFingerprints(['wasm'])
    // A worker that waits for a core is silent: none is dropped for that, or a frame would have one less.
    const heartbeat = { patience: 1000 }
    return new ShrinkingCluster(await startMaster({ listen: '127.0.0.1:0', kernels, heartbeat }, silentLog), threads)
  }

  private constructor(master: Master, threads: number) {
    const args = [master.url, '--threads', `${threads}`, '--engine', 'wasm']
    this.#master = master
    this.#workers = Array.from({ length: WORKERS[0]! }, (_, i) => startWorkerProcess(`worker-${i + 1}`, args))
  }

  get run(): Master['run'] {
    return this.#master.run
  }

  /** Answers so far that nothing waited for any more. */
  async lateAnswers(): Promise<number> {
    const response = await fetch(`${this.#master.url.replace('ws', 'http')}/metrics`)
    return Number(/^sortfirst_late_answers_total (\d+)$/m.exec(await response.text())![1])
  }

  /** Has workers leave until only so many are there. */
  async shrink(count: number): Promise<void> {
    const leaving = this.#workers.splice(count)
    for (const worker of leaving) worker.leave()
    await Promise.all(leaving.map(worker => worker.ended))
    while (this.#master.workers().length > count) await new Promise(resolve => setTimeout(resolve, 1))
  }

  async close(): Promise<void> {
    await this.shrink(0)
    await this.#master.close()
  }
}

/**
 * Every strategy on every number of workers, and the rest dealt out so that every two values of any two columns meet: faults that
 * it takes three to make are rare.
 */
const CASES = WORKERS.flatMap((workers, i) =>
  strategyNames.map((strategy, j) => ({
    workers,
    strategy,
    threads: 1 + ((i + j) % 2),
    inFlight: 1 + (((i >> 1) + j) % 2),
    passes: (i + (j >> 1)) % 2 === 0 ? 1 : 4,
  })),
)

/** A sample for each pass. */
const sessionFor = (strategy: string, minWorkers: number, passes: number) =>
  smallSession({ strategy, minWorkers, quality: { samples: passes, ambientRays: 1, maxDepth: 3 } })

const embedded = (workers: number): Promise<EmbeddedCluster> =>
  startEmbeddedCluster(
    { pacing: { shares: null, speeds: Array(workers).fill(1) }, threads: 1, engine: 'wasm' },
    silentLog,
  )

/** What one worker makes of the frames, alone and in one pass: by how many samples a pixel has. */
const expected = new Map<number, readonly string[]>()
let heavy: readonly string[]

/** Frames that take long enough to be harmed in the middle. */
const heavySession = (minWorkers: number) =>
  smallSession({
    minWorkers,
    size: [160, 90],
    quality: { samples: 64, ambientRays: 2, maxDepth: 3 },
    strategy: 'static-blocks',
  })

/** The same with the path tracer. */
const PATH_QUALITY = { samples: 64, ambientRays: 0, maxDepth: 0, bounces: 6 }
let heavyPaths: readonly string[]
let adaptive: Awaited<ReturnType<typeof adaptiveFrames>>

const hashesOf = (reports: readonly FrameReport[]): string[] => reports.map(report => report.sha256)

beforeAll(async () => {
  const alone = await embedded(1)
  for (const samples of [1, 4])
    expected.set(samples, hashesOf(await reportsOf(alone, sessionFor('single-worker', 1, samples))))
  heavy = hashesOf(await reportsOf(alone, heavySession(1)))
  heavyPaths = hashesOf(await reportsOf(alone, { ...heavySession(1), quality: PATH_QUALITY }))
  adaptive = await adaptiveFrames(alone, adaptiveSession(1, 'single-worker'))
  await alone.close()
})

it('has a case for every two values of two columns', () => {
  const columns = ['workers', 'strategy', 'threads', 'inFlight', 'passes'] as const
  for (const a of columns) {
    for (const b of columns.slice(0, columns.indexOf(a))) {
      const values = (column: typeof a) => new Set(CASES.map(each => each[column])).size
      const pairs = new Set(CASES.map(each => `${each[a]} ${each[b]}`)).size
      expect([a, b, pairs]).toEqual([a, b, values(a) * values(b)])
    }
  }
  expect(new Set(CASES.map(({ strategy }) => strategy))).toEqual(new Set(strategyNames))
})

describe.each([1, 2])('with %i threads in each', threads => {
  let cluster: ShrinkingCluster
  beforeAll(async () => {
    cluster = await ShrinkingCluster.start(threads)
  })
  afterAll(() => cluster.close())

  describe.each(WORKERS)('of %i workers', workers => {
    beforeAll(() => cluster.shrink(workers))

    it.each(CASES.filter(each => each.workers === workers && each.threads === threads))(
      '$strategy makes the same frames, $inFlight at a time, in $passes passes',
      async ({ strategy, inFlight, passes }) => {
        const before = await cluster.lateAnswers()
        const reports = await reportsOf(cluster, { ...sessionFor(strategy, workers, passes), inFlight, passes })
        expect(hashesOf(reports)).toEqual(expected.get(passes))
        for (const report of reports) {
          expectPartitions(report.tiles, report.size, passes)
          expect(report.workers).toHaveLength(workers)
          expect(ledgerError(report)).toBeLessThanOrEqual(0.01)
          expect(report.tiles.every(tile => tile.cpuMs > 0 && tile.wallMs > 0)).toBe(true)
        }
        expectMessages(reports, (await cluster.lateAnswers()) - before)
      },
    )
  })
})

/** Frames whose cells need different numbers of samples. */
const adaptiveSession = (minWorkers: number, strategy: string) =>
  smallSession({
    minWorkers,
    strategy,
    size: [150, 84],
    quality: { samples: 256, ambientRays: 0, maxDepth: 0, bounces: 3 },
    noise: 0.02,
    channels: ['light'],
  })

/** With the light of its frames. */
async function adaptiveFrames(cluster: EmbeddedCluster, session: TestSession, then?: (frame: number) => void) {
  const planes: FramePlanes[] = []
  const reports = await reportsOf(cluster, session, ({ frame }, _, { light }) => {
    planes.push({ light: light! })
    then?.(frame)
  })
  return { planes, reports }
}

it('adaptive frames take samples where there is noise: fewer and fewer cells', () => {
  for (const { passes = [], size } of adaptive.reports) {
    expect(passes.length).toBeGreaterThan(3)
    expect(passes.map(({ from }) => from)).toEqual([0, 16, 32, 64, 128].slice(0, passes.length))
    const pixels = passes.map(pass => pass.pixels)
    expect(pixels.slice(0, 2)).toEqual([size[0] * size[1], size[0] * size[1]])
    expect(pixels.slice(1)).toEqual(pixels.slice(1).sort((a, b) => b - a))
    expect(pixels.at(-1)).toBeLessThan(pixels[1]! / 2)
  }
})

it('adaptive frames say where the most samples were too few, however they came together', () => {
  for (const { passes = [], size, noise } of adaptive.reports) {
    expect(noise!.limit).toBe(0.02)
    // Of the cells of the last pass, some are good enough with it.
    expect(noise!.share * size[0] * size[1]).toBeLessThanOrEqual(passes.at(-1)!.pixels)
    if (passes.at(-1)!.to < 256) expect(noise!.share).toBe(0)
    if (noise!.share > 0) expect(noise!.most).toBeGreaterThan(0.02)
  }
})

describe('of workers that are lost one by one', () => {
  let cluster: EmbeddedCluster
  let left = 6
  beforeAll(async () => {
    cluster = await embedded(left)
  })
  afterAll(() => cluster.close())
  /** Harms the last of them when frame 0 is done; frame 1 is in flight. */
  const harmed = (signal: NodeJS.Signals) => {
    left--
    return (frame: number) => void (frame === 0 && cluster.processes[left]?.kill(signal))
  }

  it.each([
    ['pbt', 1],
    ['predictive', 4],
    ['work-stealing', 3],
  ])('the path tracer makes the same frames with %s in %i passes', async (strategy, passes) => {
    const reports = await reportsOf(cluster, { ...heavySession(left), quality: PATH_QUALITY, strategy, passes })
    expect(hashesOf(reports)).toEqual(heavyPaths)
  })

  it('the path tracer makes the same frames when a worker is killed', async () => {
    const session = { ...heavySession(left), quality: PATH_QUALITY, passes: 2 }
    const harm = harmed('SIGKILL')
    const reports = await reportsOf(cluster, session, ({ frame }) => harm(frame))
    expect(hashesOf(reports)).toEqual(heavyPaths)
    expect(reports.map(report => report.workers.length)).toEqual([left + 1, left + 1, left])
  })

  it.each(['scatter', 'demand-driven', 'pbt', 'refine-lb', 'predictive'])(
    'adaptive frames are the same with %s',
    async strategy => {
      const { reports, planes } = await adaptiveFrames(cluster, adaptiveSession(left, strategy))
      expect(hashesOf(reports)).toEqual(hashesOf(adaptive.reports))
      expect(planes).toEqual(adaptive.planes)
      expect(reports.map(({ noise }) => noise)).toEqual(adaptive.reports.map(({ noise }) => noise))
      const made = (all: readonly FrameReport[]) =>
        all.map(({ passes }) => passes?.map(({ from, to, pixels }) => [from, to, pixels]))
      expect(made(reports)).toEqual(made(adaptive.reports))
      for (const report of reports) expect(ledgerError(report)).toBeLessThanOrEqual(0.01)
    },
  )

  it('adaptive frames are the same when a worker is killed in the middle of one', async () => {
    const session = adaptiveSession(left, 'predictive')
    const { reports, planes } = await adaptiveFrames(cluster, session, harmed('SIGKILL'))
    expect(hashesOf(reports)).toEqual(hashesOf(adaptive.reports))
    expect(planes).toEqual(adaptive.planes)
    expect(reports.map(({ workers }) => workers.length).at(-1)).toBe(left)
  })

  it.each<[string, NodeJS.Signals, number]>([
    ['is killed in the middle of a frame', 'SIGKILL', 1],
    ['is killed in the middle of a frame of several passes', 'SIGKILL', 4],
    ['stops answering in the middle of a frame', 'SIGSTOP', 1],
  ])('when one %s, the others make the same frame', async (_, signal, passes) => {
    const session = { ...heavySession(left), passes }
    const harm = harmed(signal)
    const reports = await reportsOf(cluster, session, ({ frame }) => harm(frame))
    expect(hashesOf(reports)).toEqual(heavy)
    // Of one that only stops answering, idle workers copy the tile, at the latest once it has been dropped.
    const helped = reports.map(({ rescued, duplicated }) => (signal === 'SIGKILL' ? rescued : rescued + duplicated))
    expect(helped[0]).toBe(0)
    expect(helped[1]).toBeGreaterThan(0)
    if (signal === 'SIGKILL') expect(reports.map(({ workers }) => workers.length)).toEqual([left + 1, left + 1, left])
  })
})
