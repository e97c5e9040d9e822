import { describe, expect, it } from 'vitest'
import type { CostHistory } from '../../../master/costs/cost-history.ts'
import { predictive } from '../../../master/strategies/predictive.ts'
import type { FrameInput, Plan, PreviousFrame } from '../../../master/strategies/strategy.ts'
import type { TileReport } from '../../../shared/frame/frame-report.ts'
import { area, type Size } from '../../../shared/frame/rect.ts'
import { imbalance } from '../../../shared/metrics/imbalance.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../../shared/session/strategy-options.ts'
import { frameInput } from '../../support/frame-input.ts'
import { cameraFrom, mapOf } from '../../support/seen-walls.ts'
import { type PlayedPlan, playFrames, team } from '../../support/strategy-run.ts'

const size: Size = [192, 128]
const workers = team([1, 1, 1, 1, 1])
/** A hot spot on uneven ground. */
const costAt = (x: number, y: number) => 0.1 + 9 * Math.exp(-((x - 60) ** 2 + (y - 90) ** 2) / 300)

const epsilon = ({ plan: _, tiles, input }: PlayedPlan): number =>
  imbalance(
    input.workers.map(({ id, speed }) => ({
      speed,
      work: tiles.reduce((sum, tile) => (tile.worker === id ? sum + tile.cpuMs : sum), 0),
    })),
  ).epsilon

/** Costs keep their places on the screen. */
const play = (options: Partial<StrategyOptions> = {}, speeds = [1, 1, 1, 1, 1], frames = 4) =>
  playFrames(predictive, {
    size,
    frames: Array(frames).fill({ workers: team(speeds), costAt }),
    options: { predictor: 'last', ...options },
  })

const optionsWith = (changes: Partial<StrategyOptions>): StrategyOptions => ({
  ...DEFAULT_STRATEGY_OPTIONS,
  ...changes,
})

describe('predictive', () => {
  it('has the first frame even by looking at one pixel in each cell', () => {
    const [first, ...later] = play()
    expect(first!.input.probe).toBeDefined()
    expect(epsilon(first!)).toBeLessThan(0.1)
    expect(later.map(frame => frame.input.probe)).toEqual([undefined, undefined, undefined])
    for (const frame of later) expect(epsilon(frame)).toBeLessThan(0.05)
  })

  it('gives unequal workers what their speeds ask for', () => {
    for (const frame of play({}, [1, 1, 0.5, 0.25]).slice(1)) expect(epsilon(frame)).toBeLessThan(0.05)
  })

  it('says what it expects, and lets rows be stolen', () => {
    const [, second] = play()
    expect(second!.plan.stealing).toBe('rows')
    expect(second!.plan.predicted?.cell).toBe(8)
    expect(play({ rowStealing: false })[1]!.plan).not.toHaveProperty('stealing')
  })

  it('remembers plain data', () => {
    for (const { plan } of play()) expect(JSON.parse(JSON.stringify(plan.memory))).toEqual(plan.memory)
  })

  describe('probes', () => {
    const walled = (turned: number): CostHistory => [
      { camera: cameraFrom([0, 0, 0], turned), costs: mapOf(size, { costAt: () => 1 }) },
    ]
    const wants = (history: CostHistory, options: Partial<StrategyOptions> = {}) =>
      predictive.wantsProbe!(
        frameInput({ size, workers, history, camera: cameraFrom([0, 0, 0]), options: optionsWith(options) }),
      )

    it('before the first frame, and where little of the view was seen before', () => {
      expect(wants([])).toBe(true)
      expect(wants(walled(0))).toBe(false)
      expect(wants(walled(0.1))).toBe(false)
      expect(wants(walled(1.2))).toBe(true)
    })

    it('not when told not to, or without cells', () => {
      expect(wants([], { probe: false })).toBe(false)
      expect(wants([], { cell: 0 })).toBe(false)
    })

    it('and needs the coverage mask only where it cannot', () => {
      const known = (options: Partial<StrategyOptions>) =>
        predictive.wantsCoverage!(frameInput({ size, workers, options: optionsWith(options) }))
      expect(known({})).toBe(false)
      expect(known({ probe: false })).toBe(true)
      expect(known({ cell: 0 })).toBe(true)
    })
  })

  it('without cells is the published tree, with costs of whole tiles to steal by', () => {
    const frames = play({ cell: 0 }, [1, 1, 1, 1, 1], 10)
    expect(frames[0]!.plan).not.toHaveProperty('predicted')
    const { predicted } = frames[9]!.plan
    const measured = frames[8]!.tiles.reduce((sum, tile) => sum + tile.cpuMs, 0)
    expect(predicted?.total).toBeCloseTo(measured, 6)
    expect(epsilon(frames[9]!)).toBeLessThan(0.5)
  })

  it('keeps splits where the options say so', () => {
    const [, , last] = play({ boundary: 4 }, [1, 1, 1, 1, 1], 3)
    for (const { rect } of last!.plan.tiles) expect([rect.x % 4, rect.y % 4]).toEqual([0, 0])
  })

  describe('learns speeds', () => {
    /** Worker w5 takes twice as long for its work as it should. */
    const slowly = (plan: Plan): PreviousFrame => ({
      plan,
      workers,
      tiles: plan.tiles.map(({ rect, worker = '' }): TileReport => {
        const cpuMs = area(rect) * (worker === 'w5' ? 2 : 1)
        return { rect, worker, cpuMs, wallMs: cpuMs, work: area(rect) }
      }),
    })
    const pixelsOf = ({ tiles }: Plan, id: string) =>
      tiles.reduce((sum, { rect, worker }) => (worker === id ? sum + area(rect) : sum), 0)
    const evenly = { camera: cameraFrom([0, 0, 0]), costs: mapOf(size, { costAt: () => 1 }) }
    const planAfter = (changes: Partial<StrategyOptions>) => {
      const options = optionsWith(changes)
      const known: FrameInput = frameInput({ size, workers, history: [evenly], camera: evenly.camera, options })
      return predictive.plan({ ...known, previous: slowly(predictive.plan(known)) })
    }

    it('and gives a worker that is slower than it says less', () => {
      const plan = planAfter({})
      expect(pixelsOf(plan, 'w5') / pixelsOf(plan, 'w1')).toBeCloseTo(0.5, 1)
      expect(plan.learned?.w5).toBeLessThan(0.7)
      expect(plan.decisions).toMatchObject({ learnedSpeeds: 5 })
    })

    it('unless it shall not', () => {
      const plan = planAfter({ learnSpeeds: false })
      expect(pixelsOf(plan, 'w5') / pixelsOf(plan, 'w1')).toBeCloseTo(1, 1)
      expect(plan).not.toHaveProperty('learned')
    })
  })
})
