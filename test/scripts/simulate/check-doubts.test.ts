import { describe, expect, it } from 'vitest'
import { checkDoubts, HOST_UNKNOWN, type LiveRun } from '../../../scripts/simulate/check-doubts.ts'
import { agreementDoubts } from '../../../scripts/simulate/tables.ts'
import { recordedLine } from '../../support/recordings.ts'

const idle = { wallMs: 4000, cores: 2, otherMs: 100 }

/** Frames of 100 ms by two workers at a quarter of a core, whose tiles take as long as they should. */
const run = (changes: Partial<LiveRun> = {}, tile: (i: number) => object = () => ({})): LiveRun => {
  const { live } = recordedLine([80, 45], 0, 'pbt')
  const tiles = ['a', 'b'].map((worker, i) => ({
    rect: { x: 40 * i, y: 0, w: 40, h: 45 },
    worker,
    cpuMs: 20,
    wallMs: 80,
    work: 2e5,
    ...tile(i),
  }))
  return {
    frames: [{ ...live!, tiles }],
    workers: ['a', 'b'].map(id => ({ id, threads: 1, speed: 1, cores: 0.25 })),
    load: idle,
    decidedHereMs: 1,
    ...changes,
  }
}

describe('a recording', () => {
  it('of an idle host leaves no doubt', () => {
    expect(checkDoubts(run())).toEqual([])
  })

  it('of a busy host says how busy', () => {
    expect(checkDoubts(run({ load: { ...idle, otherMs: 5200 } }))).toEqual([
      'its host was busy with other work: 1.3 of its 2 cores (65 %)',
    ])
  })

  it('that says nothing of its host is not believed to be of an idle one', () => {
    expect(checkDoubts(run({ load: undefined }))).toEqual([HOST_UNKNOWN])
  })

  it('of short frames says so', () => {
    const { frames, ...rest } = run()
    expect(checkDoubts({ ...rest, frames: frames.map(frame => ({ ...frame, frameMs: 12 })) })).toEqual([
      expect.stringMatching(/^frames are short \(12\.0 ms\): below 20 ms/),
    ])
  })

  it('of workers that were held up shows in wall times, whoever recorded it', () => {
    expect(checkDoubts(run({}, () => ({ wallMs: 120 })))).toEqual([
      expect.stringMatching(/^tiles took 1\.50 times the wall time that their CPU time and pacing explain/),
    ])
    const unpaced = run().workers.map(({ cores: _, ...worker }) => worker)
    expect(checkDoubts(run({ workers: unpaced }, () => ({ wallMs: 21 })))).toEqual([])
  })

  it('whose costs do not follow the work was learned from noise; workers of other speeds are not', () => {
    const uneven = (i: number) => ({ cpuMs: i ? 35 : 10, wallMs: i ? 140 : 40 })
    expect(checkDoubts(run({}, uneven))).toEqual([expect.stringMatching(/^56 % of the CPU time does not follow/)])
    const unequal = run().workers.map((worker, i) => ({ ...worker, speed: i ? 1 : 3.5 }))
    expect(checkDoubts(run({ workers: unequal }, uneven))).toEqual([])
  })

  it('is not checked on a host that is busy now', () => {
    expect(checkDoubts(run({ decidedHereMs: 40 }))).toEqual([
      'statistics and decisions took 40.0 ms here and 1.00 ms when it was recorded',
    ])
  })
})

it('what is unknown of all is said once, and makes nothing uncheckable', () => {
  const outcome = { frameMs: 1, epsilon: 0, messages: 0, bytes: 0, stolen: 0 }
  const agreement = (strategy: string, warnings: string[]) => ({
    strategy,
    frames: 1,
    clock: 'cpu' as const,
    live: outcome,
    simulated: outcome,
    warnings,
  })
  const doubts = agreementDoubts([
    agreement('pbt', [HOST_UNKNOWN]),
    agreement('frozen', [HOST_UNKNOWN, 'frames are short', 'workers were delayed']),
    agreement('scatter', []),
  ])
  expect(doubts).toEqual(['frozen cannot be checked: frames are short; workers were delayed', HOST_UNKNOWN])
})
