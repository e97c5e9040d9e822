/** The runs that every view of a summary is tried on: the usual one, the smallest, the widest, and hostile names. */
import type { StrategyRun } from '../../../scripts/report/chrome-trace.ts'
import { keptFrames } from '../../../scripts/report/figures/kept-frames.ts'
import { FramesToShow } from '../../../scripts/report/figures/run-frames.ts'
import { type RunFacts, summarize } from '../../../scripts/report/figures/summarize.ts'
import type { RunFrames } from '../../../shared/dashboard/report-frames.ts'
import type { Summary } from '../../../shared/frame/summary.ts'
import { facts, manyWorkers, strategyRun, workersNamed } from './synthetic-run.ts'

import type { Cutting } from './synthetic-tiles.ts'

export const WEIRD_STRATEGY = '=<b onload="x">&nbsp;pbt\'s "best", no; 1%</b>'
export const WEIRD_WORKER = '</svg><script>alert("w")</script>\u0000 & 工人 \'7\''
export const WEIRD_SCENE = 'a<i>b</i> & "c".glb'

/** Every strategy there will be, and how it is made up here. */
const FIELD: readonly (readonly [string, Cutting, number])[] = [
  ['static-blocks', 'equal', 1],
  ['scatter', 'dealt', 1.02],
  ['random-tiles', 'pieces', 1],
  ['demand-driven', 'queue', 1.01],
  ['diffusion', 'by-cost', 1.1],
  ['work-stealing', 'queue', 1.02],
  ['split-merge', 'by-cost', 1.2],
  ['coverage-prepass', 'pieces', 1.04],
  ['frozen', 'equal', 0.96],
  ['pbt', 'by-cost', 1],
  ['pbt-split-merge', 'by-cost', 1.05],
  ['greedy-lb', 'packed', 1],
  ['refine-lb', 'packed', 1.03],
  ['greedy-refine-lb', 'packed', 1.01],
  ['refine-swap-lb', 'packed', 1.02],
  ['predictive', 'probed', 1],
]

export const fieldRuns = (frames: number, workers = manyWorkers(8)) =>
  FIELD.map(([name, cutting, gain]) => strategyRun(name, cutting, workers, frames, gain))

const summaryOf = (run: RunFacts, strategies: readonly StrategyRun[]): Summary =>
  summarize(
    run,
    strategies.map(({ name, reports }) => keptFrames(name, reports)),
  )

/** Of runs, what a report has to look into. */
export const framesOf = (runs: readonly StrategyRun[], mostBytes = Number.POSITIVE_INFINITY): RunFrames[] =>
  runs.flatMap(({ name, reports }) => {
    const frames = new FramesToShow(name, mostBytes)
    for (const report of reports) frames.add(report)
    return frames.run ?? []
  })

/** Summaries are only read, so each is made once per test file. */
function once(make: () => Summary): () => Summary {
  let made: Summary | undefined
  return () => {
    made ??= make()
    return made
  }
}

export const usual = once((): Summary => {
  const workers = manyWorkers(8)
  const baseline = strategyRun('static-blocks', 'equal', workers, 20)
  return summaryOf(facts(workers), [baseline, strategyRun('pbt', 'by-cost', workers, 20)])
})

export const alone = once((): Summary => {
  const workers = manyWorkers(3)
  return summaryOf(facts(workers, { pacing: null }), [strategyRun('predictive', 'by-cost', workers, 12)])
})

/** One of the workers is a tab, which has no CPU clock. */
export const withTab = once((): Summary => {
  const [tab, ...others] = manyWorkers(3)
  const workers = [{ ...tab!, clock: 'wall' as const }, ...others]
  return summaryOf(facts(workers), [
    strategyRun('static-blocks', 'equal', workers, 4),
    strategyRun('pbt', 'by-cost', workers, 4),
  ])
})

export const still = once((): Summary => {
  const workers = manyWorkers(1)
  return summaryOf(facts(workers, { pacing: null }), [strategyRun('pbt', 'by-cost', workers, 1)])
})

export const wide = once((): Summary => {
  const workers = manyWorkers(64)
  const runs = ['static-blocks', 'pbt', 'scatter', 'greedy-lb', 'refine-lb', 'diffusion', 'a', 'b', 'c', 'd', 'e', 'f']
  return summaryOf(
    facts(workers),
    runs.map((name, index) => strategyRun(name, index % 2 ? 'by-cost' : 'equal', workers, 6, 1 + index / 9)),
  )
})

export const field = once((): Summary => summaryOf(facts(manyWorkers(8)), fieldRuns(12)))

export const crowd = once((): Summary => {
  const workers = manyWorkers(1000)
  const runs = [strategyRun('static-blocks', 'equal', workers, 2), strategyRun('predictive', 'probed', workers, 2)]
  return summaryOf(facts(workers), runs)
})

export const weird = once((): Summary => {
  const workers = workersNamed([WEIRD_WORKER, '', 'twin', 'twin'], 0.5)
  const scene = { name: WEIRD_SCENE, triangles: 1, sha256: '0'.repeat(64) }
  return summaryOf(facts(workers, { scene, camera: '<orbit>' }), [
    strategyRun(WEIRD_STRATEGY, 'equal', workers, 3),
    strategyRun('../../etc', 'by-cost', workers, 3),
  ])
})

export const everySummary: readonly (readonly [string, () => Summary])[] = [
  ['two strategies', usual],
  ['one strategy', alone],
  ['one frame on one worker', still],
  ['twelve strategies on 64 workers', wide],
  ['sixteen strategies', field],
  ['a thousand workers', crowd],
  ['hostile names', weird],
]
