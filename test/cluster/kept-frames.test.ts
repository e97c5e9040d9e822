/** Frames that are given up in the middle of a pass, and gone on with: whatever they are made of, their bytes are the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Master, startMaster } from '../../master/main.ts'
import { type Cluster, connect, startCluster } from '../../scripts/library/cluster.ts'
import type { Frame } from '../../scripts/library/frame.ts'
import { type FilmKeeper, type FilmOptions, resolveOptions } from '../../scripts/library/program-options.ts'
import { loadScene, type ReadyScene } from '../../scripts/library/ready-scene.ts'
import { renderFilm } from '../../scripts/library/render-film.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import { CancelledError } from '../../shared/errors.ts'
import { type FrameState, samplesOf } from '../../shared/frame/frame-state.ts'
import { sha256 as sha256Of } from '../../shared/node/sha256.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { silentLog } from '../../shared/text/log.ts'
import { engineFingerprints } from '../../worker/node/engines.ts'

const size = [96, 128] as const
const path = { size, integrator: 'path', samples: 32, bounces: 2 } satisfies RenderOptions

const films: readonly (readonly [string, RenderOptions])[] = [
  ['of finished colour', path],
  ['of the ambient integrator, in passes', { size, samples: 24, passes: 3, channels: ['light', 'depth'] }],
  ['of several channels', { ...path, passes: 4, channels: ['light', 'albedo', 'normal', 'id', 'samples'] }],
  ['without background', { ...path, passes: 2, transparent: true, channels: ['light', 'alpha'] }],
  ['with a noise limit', { ...path, samples: 128, noise: 0.05, channels: ['light', 'samples'] }],
  ['with a noise limit, denoised', { ...path, samples: 128, noise: 0.05, denoise: 'on', channels: ['noisy', 'light'] }],
  ['denoised', { ...path, passes: 2, denoise: 'on', channels: ['light', 'noisy'] }],
  ['with motion blur', { ...path, shutter: 0.8, timeSteps: 4, frames: [3], channels: ['light'] }],
]

const kernels = engineFingerprints(['wasm'])
const clusters: readonly (readonly [string, () => Promise<Cluster>])[] = [
  ['a worker', () => startCluster({ workers: 1, threads: 1, cache: false })],
  ['two workers', () => startCluster({ workers: 2, threads: 1, cache: false })],
  ['a worker elsewhere', () => elsewhere('raw')],
  ['a worker far away', () => elsewhere('lz4')],
]

/** A cluster whose master is told and asked over a connection. */
async function elsewhere(encoding: 'raw' | 'lz4'): Promise<Cluster> {
  const master: Master = await startMaster({ listen: '127.0.0.1:0', kernels, encoding }, silentLog)
  const worker = startWorker({ master: master.url, threads: 1, cache: false })
  const cluster = await connect(master.url)
  const close = async () => {
    await cluster.close()
    await worker.close()
    await master.close()
  }
  return { ...cluster, close }
}

describe.each(clusters)('a frame of %s', (_, start) => {
  let cluster: Cluster
  let scene: ReadyScene
  beforeAll(async () => {
    cluster = await start()
    scene = await loadScene('corner')
  })
  afterAll(() => cluster.close())

  /** @param upTo what share of its samples it has when it is given up */
  async function make(options: RenderOptions, from?: FrameState, upTo?: number): Promise<Frame | FrameState> {
    const abort = new AbortController()
    const sessions: Promise<unknown>[] = []
    let state = async (): Promise<FrameState | undefined> => undefined
    let kept: FrameState | undefined
    let isOver = false
    const watch = async (share: number) => {
      while (!isOver) {
        const now = await state()
        const samples = now ? samplesOf(now).reduce((sum, each) => sum + each, 0) / (size[0] * size[1]) : 0
        if (now && samples >= share * now.most) return abort.abort(new CancelledError())
        await new Promise(resolve => setImmediate(resolve))
      }
    }
    const keeper: FilmKeeper = {
      kernel: kernels.wasm!,
      mostTileSamples: 1,
      from: async () => from,
      during: session => void sessions.push(session.catch(() => {})),
      begun: (_, asked) => {
        state = asked
      },
      passDone: () => {},
      complete: async () => {},
      givenUp: async () => {
        kept = await state()
      },
    }
    const resolved = resolveOptions(options)
    const film: FilmOptions = {
      ...resolved,
      strategy: 'predictive',
      strategyOptions: DEFAULT_STRATEGY_OPTIONS,
      cluster,
      keeper,
      signal: abort.signal,
    }
    const watching = upTo === undefined ? undefined : watch(upTo)
    let made: Frame | undefined
    try {
      for await (const frame of renderFilm(scene, film)) made = frame
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error
    } finally {
      isOver = true
      await watching
      await Promise.all(sessions)
    }
    return made ?? kept!
  }

  const digestOf = ({ pixels, planes, report: { sha256, noise } }: Frame) => ({
    sha256,
    noise,
    pixels: sha256Of(pixels),
    planes: Object.entries(planes).map(([name, { buffer }]) => [name, sha256Of(new Uint8Array(buffer))]),
  })

  it.each(films)('%s', async (_, options) => {
    const whole = await make(options)
    let made = await make(options, undefined, 0.02)
    expect(made).toHaveProperty('arrived')
    for (const upTo of [0.3, undefined]) if (!('pixels' in made)) made = await make(options, made, upTo)
    expect(digestOf(made as Frame)).toEqual(digestOf(whole as Frame))
  })
})

it('a master that is told to end has its clients keep what there is of their frames at once, and still makes them', async () => {
  const master = await startMaster({ listen: '127.0.0.1:0', kernels }, silentLog)
  const worker = startWorker({ master: master.url, threads: 1, cache: false })
  const cluster = await connect(master.url)
  const scene = await loadScene('corner')
  let state = async (): Promise<FrameState | undefined> => undefined
  let finished: Promise<void> | undefined
  let kept: ((state: FrameState | undefined) => void) | undefined
  const atRisk = new Promise<FrameState | undefined>(resolve => {
    kept = resolve
  })
  const keeper: FilmKeeper = {
    kernel: kernels.wasm!,
    mostTileSamples: 1,
    from: async () => undefined,
    during: () => {},
    begun: (_, asked) => {
      state = asked
      void (async () => {
        while (!(await state())) await new Promise(resolve => setImmediate(resolve))
        finished = master.finish('a test')
      })()
    },
    passDone: () => {},
    atRisk: () => void state().then(kept),
    // However fast it was made, it is not over before that.
    complete: async () => void (await atRisk),
    givenUp: async () => {},
  }
  const film: FilmOptions = {
    ...resolveOptions(path),
    strategy: 'predictive',
    strategyOptions: DEFAULT_STRATEGY_OPTIONS,
    cluster,
    keeper,
  }
  const made: Frame[] = []
  for await (const frame of renderFilm(scene, film)) made.push(frame)
  expect((await atRisk)!.taken.length).toBeGreaterThan(0)
  expect(made).toHaveLength(1)
  await finished
  await cluster.close()
  await worker.close()
  await master.close()
})
