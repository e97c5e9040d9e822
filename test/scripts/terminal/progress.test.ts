import { expect, it } from 'vitest'
import { lineProgress } from '../../../scripts/terminal/progress.ts'
import { manyWorkers } from '../report/synthetic-run.ts'

const PART = { frame: 3, elapsedMs: 10_000, pass: 2, passes: 7, samples: 16, mostSamples: 512 }

function lines() {
  const said: string[] = []
  let now = 0
  const progress = lineProgress(
    text => said.push(text),
    () => now,
  )
  return { said, progress, at: (time: number) => (now = time) }
}

it('says how far a frame has come that takes long, every five seconds', () => {
  const { said, progress, at } = lines()
  progress.begin('', 1)
  at(4999)
  progress.within({ ...PART, least: 0.2, most: 0.5, settled: 0.31 })
  expect(said).toEqual([])
  at(5000)
  progress.within({ ...PART, least: 0.2, most: 0.5, settled: 0.31 })
  at(9000)
  progress.within({ ...PART, least: 0.3, most: 0.6, settled: 0.31 })
  expect(said).toEqual([
    'frame    3   20 %  pass 2 of at most 7, to 16 samples/px, 31 % of the picture has little noise  10 to 40 s left',
  ])
})

it('says of a pass alone what is done, and of several, which it is', () => {
  const { said, progress, at } = lines()
  progress.begin('pbt', 2)
  at(5000)
  progress.within({ ...PART, pass: 1, passes: 1, least: 0.5, most: 0.5 })
  at(10_000)
  progress.within({ ...PART, least: 0.999, most: 0.999 })
  at(15_000)
  progress.within({ ...PART, least: 1, most: 1, timeMs: 10_000 })
  expect(said).toEqual([
    'pbt  frame    3   50 %  30 s left',
    'pbt  frame    3   99 %  pass 2 of 7, to 16 samples/px  11 s left',
    'pbt  frame    3  100 %  pass 2 of at most 7, to 16 samples/px  10 s left',
  ])
})

const figures = { epsilonCpu: 0.125, epsilonWall: 0.25, workers: [] } as const

it('leaves balance out where there is none', () => {
  const { said, progress, at } = lines()
  const report = { frame: 0, frameMs: 1000, ...figures, size: [16, 9] } as const
  for (const title of ['', 'pbt']) {
    progress.begin(title, 1)
    at(1000)
    progress.frame(report)
    progress.end()
  }
  expect(said).toEqual(['frame    0  1/1    1000 ms', 'pbt  frame    0  1/1    1000 ms  ε 0.125'])
})

it('tells of balance by the wall clock where a worker has no other', () => {
  const { said, progress, at } = lines()
  const [worker] = manyWorkers(1)
  progress.begin('pbt', 1)
  at(1000)
  progress.frame({ frame: 0, frameMs: 1000, ...figures, workers: [{ ...worker!, clock: 'wall' }], size: [16, 9] })
  progress.end()
  expect(said).toEqual(['pbt  frame    0  1/1    1000 ms  ε 0.250'])
})

it('says why a frame with only so much time ended', () => {
  const { said, progress, at } = lines()
  const pass = { pixels: 144, ms: 1, criticalMs: 1, meanMs: 1, epsilonCpu: 0, epsilonWall: 0 }
  const report = { frame: 0, frameMs: 1000, ...figures, size: [16, 9], endedBy: 'time' } as const
  progress.begin('', 2)
  at(1000)
  progress.frame(report)
  at(2000)
  progress.frame({
    ...report,
    frame: 1,
    passes: [
      { from: 0, to: 1, ...pass },
      { from: 1, to: 4, ...pass },
    ],
  })
  expect(said).toEqual([
    'frame    0  1/2    1000 ms, ended by time  1 s left',
    'frame    1  2/2    1000 ms  2 passes, 4 samples/px, ended by time',
  ])
})
