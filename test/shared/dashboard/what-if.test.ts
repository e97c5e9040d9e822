import { describe, expect, it } from 'vitest'
import { type Guess, whatIf } from '../../../shared/dashboard/what-if.ts'

const NAMES = ['pbt', 'scatter', 'predictive']
const guess = (place: number, frameMs: number, times: readonly (number | null)[], strategy = 'pbt'): Guess => ({
  ...{ place, strategy, frameMs, times },
})

describe('what if', () => {
  it('names the fastest where it gains more than the simulator is off by', () => {
    const found = whatIf(NAMES, [guess(0, 100, [95, 120, 80]), guess(1, 110, [105, 130, 90])])
    expect(found.bars.map(({ name }) => name)).toEqual(['predictive', 'pbt', 'scatter'])
    expect(found.bars.map(({ isRunning }) => isRunning)).toEqual([false, true, false])
    expect(found.bars[0]).toMatchObject({ ms: 85, share: 85 / 105 })
    expect(found.error).toBeCloseTo(1 - 200 / 210)
    expect(found.winner).toBe('predictive')
    expect(found.text).toBe(
      'predictive would have taken 15 % less than pbt: 85 ms a frame instead of 100 ms. The simulator is within 5 % of what this run took.',
    )
    expect(found).toMatchObject({ best: 'predictive', regret: [15, 30] })
  })

  it('names none within the error, none where the best one runs, and none that is equal', () => {
    expect(whatIf(NAMES, [guess(0, 100, [80, 90, 75])])).toMatchObject({
      winner: undefined,
      text: 'None would have been faster by more than what the simulator is off by. The simulator is within 20 % of what this run took.',
    })
    expect(whatIf(NAMES, [guess(0, 100, [100, 120, 110])])).toMatchObject({
      winner: undefined,
      text: 'None would have been faster than pbt. The simulator is within 1 % of what this run took.',
    })
    const equal = whatIf(NAMES, [guess(0, 100, [100, 100, 100]), guess(1, 100, [100, 100, 100])])
    expect(equal).toMatchObject({ winner: undefined, regret: [0, 0], error: 0 })
  })

  it('names none where frames are too short, as the simulator does of its own, and none where there are doubts', () => {
    const short = whatIf(NAMES, [guess(0, 19.9, [19.9, 30, 4])])
    expect(short.winner).toBeUndefined()
    expect(short.text).toContain('Frames are short (20 ms): below 20 ms')
    expect(whatIf(NAMES, [guess(0, 20, [20, 30, 4])])).toMatchObject({ winner: 'predictive' })
    const doubted = whatIf(NAMES, [guess(0, 100, [100, 300, 40])], ['Workers were delayed.'])
    expect(doubted.winner).toBeUndefined()
    expect(doubted.text).toBe('Workers were delayed. The simulator is within 1 % of what this run took.')
  })

  it('says so while nothing is known, and why, if that is known', () => {
    expect(whatIf(NAMES, [])).toMatchObject({ bars: [], regret: [], text: 'No frame has been simulated yet.' })
    expect(whatIf(NAMES, [], ['One worker.']).text).toBe('One worker.')
    expect(whatIf([], [guess(0, 100, [])])).toMatchObject({ bars: [], winner: undefined, error: undefined })
  })

  it('leaves out what cannot be simulated; of the strategy that ran, it says nothing of an error then', () => {
    const found = whatIf(NAMES, [guess(0, 100, [100, null, 50]), guess(1, 100, [100, 90, null])])
    expect(found.bars.map(({ name }) => name)).toEqual(['pbt'])
    const own = whatIf(NAMES, [guess(0, 100, [80, 90, 70], 'my own')])
    expect(own).toMatchObject({ error: undefined, winner: undefined, regret: [], best: undefined })
    expect(own.bars).toHaveLength(3)
    expect(own.text).toContain('cannot be simulated')
  })

  it('compares with what ran last, and counts regret over all that ran', () => {
    const before = guess(0, 200, [190, 300, 100])
    const after = guess(1, 100, [190, 300, 100], 'predictive')
    const found = whatIf(NAMES, [before, after])
    expect(found).toMatchObject({ frames: 1, measuredMs: 100, error: 0, regret: [90, 90] })
    // A frame that was chosen is shown alone; one that was not simulated is none.
    expect(whatIf(NAMES, [before, after], [], 0)).toMatchObject({ frames: 1, measuredMs: 200 })
    expect(whatIf(NAMES, [before, after], [], 7)).toMatchObject({ measuredMs: 100 })
  })

  it('of a thousand frames is of the last ones, and survives a frame without any time', () => {
    const many = Array.from({ length: 1000 }, (_, i) => guess(i, i < 900 ? 1e6 : 50, [50, 60, 40]))
    expect(whatIf(NAMES, many)).toMatchObject({ frames: 60, measuredMs: 50 })
    expect(whatIf(NAMES, [guess(0, 0, [0, 0, 0])])).toMatchObject({ winner: undefined, error: undefined })
  })
})
