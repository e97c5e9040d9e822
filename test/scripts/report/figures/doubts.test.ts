import { describe, expect, it } from 'vitest'
import { doubtsOf, isBusy, simulationDoubts } from '../../../../scripts/report/figures/doubts.ts'
import { reportHtml } from '../../../../scripts/report/page/report-html.ts'
import type { Summary } from '../../../../shared/frame/summary.ts'
import { alone, still, usual } from '../summaries.ts'

/** Two strategies whose frames take so long, and whose ratio is so sure. */
const compared = (means: [number, number], ci95?: [number, number]): Summary => {
  const [blocks, pbt] = usual().strategies
  const [before, after] = means
  return {
    ...usual(),
    strategies: [
      { ...blocks!, frameMs: { ...blocks!.frameMs, mean: before } },
      {
        ...pbt!,
        frameMs: { ...pbt!.frameMs, mean: after },
        speedUp: { over: blocks!.name, factor: before / after, ...(ci95 ? { ci95 } : {}) },
      },
    ],
  }
}

describe('a comparison', () => {
  it('of long frames on an idle host with a clear result leaves no doubt', () => {
    expect(doubtsOf(compared([400, 200], [1.9, 2.1]), new Map([[undefined, { cores: 2, otherCores: 0.1 }]]))).toEqual(
      [],
    )
    expect(doubtsOf(alone())).toEqual([])
  })

  it('on a busy host says how busy, and whom it hit', () => {
    const [doubt] = doubtsOf(
      compared([400, 200], [1.9, 2.1]),
      new Map([
        [undefined, { cores: 2, otherCores: 0.9 }],
        ['static-blocks', { cores: 2, otherCores: 1.2 }],
        ['pbt', { cores: 2, otherCores: 0.3 }],
      ]),
    )
    expect(doubt).toMatch(/^the host was busy with other work: 0\.9 of its 2 cores \(45 %\)/)
    expect(doubt).toContain('by strategy: static-blocks 1.2 and pbt 0.3')
    expect(isBusy({ cores: 64, otherCores: 1 })).toBe(false)
  })

  it('of short frames names them', () => {
    expect(doubtsOf(compared([30, 12.3], [2, 3]))).toEqual([
      expect.stringMatching(/^frames are short \(pbt 12\.3 ms on average\): below 20 ms/),
    ])
  })

  it('of short simulated frames says what no simulation knows', () => {
    expect(simulationDoubts(compared([30, 12.3], [2, 3]))).toEqual([
      expect.stringMatching(/^frames are short \(pbt 12\.3 ms on average\): .* which no simulation knows/),
    ])
    expect(simulationDoubts(compared([30, 25], [0.9, 3]))).toEqual([])
  })

  it('within the noise says so', () => {
    expect(doubtsOf(compared([102, 100], [0.97, 1.08]))).toEqual([
      'pbt and static-blocks: the spread is larger than the difference (1.02×, 95 % interval 0.97× to 1.08×); more --frames or --repeat may show one.',
    ])
  })

  it('of many strategies says it once', () => {
    const { strategies, ...rest } = compared([102, 100], [0.97, 1.08])
    const third = { ...strategies[1]!, name: 'scatter' }
    expect(doubtsOf({ ...rest, strategies: [...strategies, third] })).toEqual([
      'the spread is larger than the difference from static-blocks: pbt 1.02× and scatter 1.02×; more --frames or --repeat may show one.',
    ])
  })

  it('of one frame is told from none of a strategy alone', () => {
    const once = { ...compared([400, 200]), frames: 1 }
    expect(doubtsOf(once)).toEqual([expect.stringMatching(/^one frame of each strategy cannot tell a difference/)])
    expect(doubtsOf({ ...once, repeats: 3 })).toEqual([])
    expect(doubtsOf(still()).filter(doubt => doubt.startsWith('one frame'))).toEqual([])
  })
})

it('the page shows warnings, escaped', () => {
  const page = reportHtml({ ...usual(), warnings: ['the host <was> busy'] }, { tiles: [], pictures: [] })
  expect(page).toContain('<b>Warning:</b> the host &#60;was&#62; busy')
  expect(reportHtml(usual(), { tiles: [], pictures: [] })).not.toContain('Warning:')
})
