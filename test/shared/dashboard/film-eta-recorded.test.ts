/** Forecasts of films against recordings of whole runs: of each frame's time, what a dashboard would have said then, and what came. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  type VirtualWorker,
  virtualWorkers,
} from '../../../master/simulator/cluster-spec.ts'
import { simulate } from '../../../master/simulator/simulate.ts'
import { strategyByName } from '../../../master/strategies/index.ts'
import { readRecording } from '../../../scripts/recording/read-recording.ts'
import { withRecording } from '../../../scripts/recording/record.ts'
import { filmEta } from '../../../shared/dashboard/film-eta.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { hash32, unitOf } from '../../../shared/math/random.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'
import { bodyCosts } from '../../support/cost-maps.ts'
import { recordedLine, recordingFacts } from '../../support/recordings.ts'
import { smallCamera } from '../../support/small-scene.ts'

const SIZE: Size = [48, 27]
const FRAMES = 120
const SEEDS = [1, 2, 3]

interface Film {
  readonly strategy: string
  /** How much more a frame costs than the first. */
  readonly cost: (frame: number, seed: number) => number
  readonly noise?: number
  readonly workers?: (workers: VirtualWorker[], frameMs: number) => VirtualWorker[]
}

const FILMS: Readonly<Record<string, Film>> = {
  'an orbit': { strategy: 'predictive', cost: (frame, seed) => 1 + 0.5 * Math.sin(frame / 17 + seed) },
  'a way towards the subject, on noisy machines': {
    ...{ strategy: 'pbt', noise: 0.2, cost: (frame, seed) => 1 + (seed * frame) / FRAMES },
  },
  'shots of some seconds': {
    ...{ strategy: 'static-blocks', cost: (frame, seed) => 0.5 + 2 * unitOf(hash32(seed, Math.floor(frame / 15), 0)) },
  },
  'glass that comes and goes': {
    ...{ strategy: 'demand-driven', cost: (frame, seed) => (unitOf(hash32(seed, frame, 1)) < 0.1 ? 4 : 1) },
  },
  'workers that are gone for a while': {
    ...{ strategy: 'predictive', cost: () => 1 },
    workers: ([first, ...others], frameMs) => [
      first!,
      ...others.map((worker, i) => ({
        ...worker,
        absent: { fromMs: (30 + 10 * i) * frameMs, toMs: (75 + 3 * i) * frameMs },
      })),
    ],
  },
}

function* framesOf({ strategy, cost, noise = 0, workers = each => each }: Film, seed: number) {
  const base = bodyCosts(SIZE, 4)
  const perFrame = base.costs.reduce((sum, each) => sum + each, 0) / 4
  const frames = Array.from({ length: FRAMES }, (_, frame) => ({
    ...{ frame, camera: smallCamera(0), costs: bodyCosts(SIZE, 4, frame % 20).times(20 * cost(frame, seed)) },
  }))
  const cluster = {
    workers: workers(virtualWorkers(4), perFrame * 20),
    ...{ network: LOOPBACK, master: DEFAULT_MASTER, tracing: { ...DEFAULT_TRACING, noise, seed } },
  }
  const known = { options: DEFAULT_STRATEGY_OPTIONS, size: SIZE, clock: 'cpu' as const, cluster, frames }
  for (const { frame, frameMs } of simulate({ ...known, strategy: strategyByName(strategy) })) yield { frame, frameMs }
}

describe('a film is done within the band nine of ten times', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'films-'))
    for (const [name, film] of Object.entries(FILMS))
      for (const seed of SEEDS)
        await withRecording(pathOf(name, seed), async recorder => {
          for (const { frame, frameMs } of framesOf(film, seed)) {
            const line = recordedLine([8, 8], frame, film.strategy)
            await recorder!.frame(recordingFacts([8, 8]), { ...line, live: { ...line.live!, frameMs } })
          }
        })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const pathOf = (name: string, seed: number): string => join(folder, `${name.replaceAll(/\W/g, '-')}-${seed}.ndjson`)

  /** Of the forecasts for a recorded film, how many held. */
  async function held(
    path: string,
  ): Promise<{ readonly inside: number; readonly all: number; readonly width: number }> {
    const { runs } = await readRecording(path)
    const [frames] = runs.values()
    const times = frames!.map(({ live }) => live!.frameMs)
    let [inside, all, width] = [0, 0, 0]
    for (let at = 5; at < times.length; at += 3) {
      const truth = times.slice(at).reduce((sum, ms) => sum + ms, 0)
      const { leastMs, mostMs, ms } = filmEta(times.slice(0, at), times.length - at)!
      all++
      if (truth >= leastMs && truth <= mostMs) inside++
      width += mostMs / ms
    }
    return { inside, all, width: width / all }
  }

  it('over all of them, and is no guess without end', async () => {
    const found = await Promise.all(Object.keys(FILMS).flatMap(name => SEEDS.map(seed => held(pathOf(name, seed)))))
    const sum = (of: 'inside' | 'all' | 'width') => found.reduce((total, each) => total + each[of], 0)
    expect(sum('inside') / sum('all')).toBeGreaterThanOrEqual(0.9)
    expect(sum('width') / found.length).toBeLessThan(3.5)
  })

  it.each(Object.keys(FILMS))('of %s not much less often', async name => {
    const found = await Promise.all(SEEDS.map(seed => held(pathOf(name, seed))))
    const [inside, all] = [found.reduce((a, b) => a + b.inside, 0), found.reduce((a, b) => a + b.all, 0)]
    expect(inside / all).toBeGreaterThanOrEqual(0.8)
  })
})
