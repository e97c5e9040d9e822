/** The runs that every view of a summary is tried on: the usual one, the smallest, the widest, and hostile names. */
import { summarize } from '../../../scripts/report/summarize.ts'
import type { Summary } from '../../../shared/summary.ts'
import { facts, manyWorkers, strategyRun, workersNamed } from './synthetic-run.ts'

export const WEIRD_STRATEGY = '=<b onload="x">&nbsp;pbt\'s "best", no; 1%</b>'
export const WEIRD_WORKER = '</svg><script>alert("w")</script>\u0000 & 工人 \'7\''
export const WEIRD_SCENE = 'a<i>b</i> & "c".glb'

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
  return summarize(facts(workers), [baseline, strategyRun('pbt', 'by-cost', workers, 20)])
})

export const alone = once((): Summary => {
  const workers = manyWorkers(3)
  return summarize(facts(workers, { pacing: null }), [strategyRun('predictive', 'by-cost', workers, 12)])
})

export const still = once((): Summary => {
  const workers = manyWorkers(1)
  return summarize(facts(workers, { pacing: null }), [strategyRun('pbt', 'by-cost', workers, 1)])
})

export const wide = once((): Summary => {
  const workers = manyWorkers(64)
  const runs = ['static-blocks', 'pbt', 'scatter', 'greedy-lb', 'refine-lb', 'diffusion', 'a', 'b', 'c', 'd', 'e', 'f']
  return summarize(
    facts(workers),
    runs.map((name, index) => strategyRun(name, index % 2 ? 'by-cost' : 'equal', workers, 6, 1 + index / 9)),
  )
})

export const weird = once((): Summary => {
  const workers = workersNamed([WEIRD_WORKER, '', 'twin', 'twin'], 0.5)
  const scene = { name: WEIRD_SCENE, triangles: 1, sha256: '0'.repeat(64) }
  return summarize(facts(workers, { scene, camera: '<orbit>' }), [
    strategyRun(WEIRD_STRATEGY, 'equal', workers, 3),
    strategyRun('../../etc', 'by-cost', workers, 3),
  ])
})

export const everySummary: readonly (readonly [string, () => Summary])[] = [
  ['two strategies', usual],
  ['one strategy', alone],
  ['one frame on one worker', still],
  ['twelve strategies on 64 workers', wide],
  ['hostile names', weird],
]
