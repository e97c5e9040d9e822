import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { type CostPredictor, predictorByName } from '../../../master/costs/predictors/index.ts'
import { CoverageMask } from '../../../master/coverage/coverage-mask.ts'
import { FramePlanner } from '../../../master/frames/frame-planner.ts'
import { strategies, strategyByName } from '../../../master/strategies/index.ts'
import type { Strategy } from '../../../master/strategies/strategy.ts'
import type { Words } from '../../../scripts/options/declare/group.ts'
import { readRun } from '../../../scripts/options/groups/index.ts'
import { resolveQuality } from '../../../scripts/options/groups/light.ts'
import {
  flagOf,
  parseStrategies,
  refuseRuleOptions,
  resolveStrategyOptions,
} from '../../../scripts/options/strategies.ts'
import { OptionError, UnknownNameError } from '../../../shared/errors.ts'
import { pixelCount } from '../../../shared/frame/pixel-set.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { areaId } from '../../../shared/ids.ts'
import { cellRange } from '../../../shared/protocol/cell-costs.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../../shared/session/strategy-options.ts'
import { smallCamera } from '../../support/small-scene.ts'
import { takeIn } from '../../support/take-in.ts'

const ALL = Object.keys(strategyOptionNames()) as (keyof StrategyOptions)[]

const named = (name: string, reads: Strategy['reads'] = []): Strategy => ({
  name,
  summary: '',
  advice: '',
  source: 'control',
  reads,
  plan: () => ({ tiles: [] }),
})
const everything = [named('eager', ALL)]
const optionsOf = (words: Words, chosen: readonly Strategy[] = everything): StrategyOptions => {
  const given = readRun('render', words)
  return resolveStrategyOptions(given, chosen, given.record !== undefined)
}
const resolve = (words: Words): StrategyOptions => optionsOf(words)

describe('options of strategies', () => {
  it('are those of the publications unless told otherwise', () => {
    expect(optionsOf({}, [])).toEqual(DEFAULT_STRATEGY_OPTIONS)
    // So commander says it, where no `--no-…` was given.
    expect(optionsOf({ probe: true, stealing: true, learnedSpeeds: true }, [])).toEqual(DEFAULT_STRATEGY_OPTIONS)
  })

  it('are taken as they are said', () => {
    const words = { tile: '16', ahead: '2', scatter: 'row', seed: '7', damping: '0.3', boundary: '4', resistance: '2' }
    const flags = { probe: false, stealing: false, learnedSpeeds: false }
    const within = { within: 'cpu-load', withinEvery: '3', withinStart: '0.5' }
    expect(resolve({ ...words, ...flags, ...within, predictor: 'trend', cell: '16' })).toEqual({
      tile: 16,
      ahead: 2,
      scatter: 'row',
      seed: 7,
      damping: 0.3,
      boundary: 4,
      resistance: 2,
      predictor: 'trend',
      probe: false,
      rowStealing: false,
      learnSpeeds: false,
      cell: 16,
      within: 'cpu-load',
      withinEvery: 3,
      withinStart: 0.5,
    })
  })

  it.each<[Words, string]>([
    [{ tile: '0' }, "--tile: expected a whole number from 1 to 4096, got '0'"],
    [{ tile: '32.5' }, "--tile: expected a whole number from 1 to 4096, got '32.5'"],
    [{ ahead: '9' }, "--ahead: expected a whole number from 0 to 8, got '9'"],
    [{ seed: '-1' }, "--seed: expected a whole number from 0 to 4294967295, got '-1'"],
    [{ seed: '' }, "--seed: expected a whole number from 0 to 4294967295, got ''"],
    [{ damping: '1' }, "--damping: expected a share below 1: with 1, no split would ever move, got '1'"],
    [{ damping: '100%' }, "--damping: expected a share below 1: with 1, no split would ever move, got '100%'"],
    [{ damping: '%' }, "--damping: expected a number from 0 to 1, or in percent, got '%'"],
    [{ damping: '101 %' }, "got '101 %'"],
    [{ damping: 'half' }, "--damping: expected a number from 0 to 1, or in percent, got 'half'"],
    [{ damping: '-0.1' }, "--damping: expected a number from 0 to 1, or in percent, got '-0.1'"],
    [{ boundary: '0' }, "--boundary: expected a whole number from 1 to 1024, got '0'"],
    [{ resistance: 'much' }, "--resistance: expected a whole number from 0 to 4096, got 'much'"],
    [{ withinEvery: '0' }, "--within-every: expected a whole number from 1 to 1000, got '0'"],
    [{ withinStart: '1.5' }, "--within-start: expected a number from 0 to 1, or in percent, got '1.5'"],
    [{ cell: '5' }, "--cell: expected 0, 4, 8, 16 or 32 px, got '5'"],
    [
      { cell: '0', predictor: 'last' },
      '--predictor: expected a --cell above 0 with it, whose costs it predicts, got --cell 0',
    ],
  ])('%o: %s', (raw, sentence) => {
    expect(() => resolve(raw)).toThrow(OptionError)
    expect(() => resolve(raw)).toThrow(sentence)
  })

  it.each<[Words, string]>([
    [{ scatter: 'rows' }, "unknown scatter unit 'rows': expected one of tile, row, pixel; did you mean 'row'?"],
    [
      { predictor: 'adaptive-blnd' },
      "unknown predictor 'adaptive-blnd': expected one of last, median, trend, reprojected, adaptive-blend; did you mean 'adaptive-blend'?",
    ],
  ])('%o: %s', (raw, sentence) => {
    expect(() => resolve(raw)).toThrow(UnknownNameError)
    expect(() => resolve(raw)).toThrow(sentence)
  })

  it('take a seed where something draws by chance', () => {
    expect(() => optionsOf({ seed: '7' }, [strategyByName('pbt')])).toThrow(
      '--seed 7: expected --integrator path, or a strategy that reads it (random-tiles), got only pbt',
    )
    expect(optionsOf({ seed: '7', integrator: 'path' }, [strategyByName('pbt')])).toMatchObject({ seed: 7 })
    expect(resolveQuality({ integrator: 'path', seed: 7 })).toMatchObject({ seed: 7 })
    // The default is said by saying nothing: pictures without a seed are those of seed 1.
    expect(resolveQuality({ integrator: 'path', seed: 1 })).not.toHaveProperty('seed')
  })

  it('of the rule within a worker are refused where workers have one area', () => {
    expect(() => refuseRuleOptions(readRun('render', { tile: '8', withinStart: '0.5' }), '--areas')).toThrow(
      '--within-start: expected --areas with it: a worker of one area has nothing to share, got 0.5',
    )
    expect(() => refuseRuleOptions(readRun('render', { tile: '8' }), '--areas')).not.toThrow()
  })

  it('that none of the chosen strategies reads are refused by the flag that was typed', () => {
    const deaf = [named('one'), named('other', ['tile'])]
    expect(() => optionsOf({ scatter: 'row' }, deaf)).toThrow(
      /^--scatter row: expected a strategy that reads it \(.+\), got only one and other$/,
    )
    expect(() => optionsOf({ stealing: false }, deaf)).toThrow(/^--no-stealing: expected a strategy/)
    expect(optionsOf({ tile: '8' }, deaf).tile).toBe(8)
  })

  it('of the rule within a worker go with any strategy', () => {
    expect(optionsOf({ within: 'flat', withinStart: '0' }, [named('one')])).toMatchObject({
      within: 'flat',
      withinStart: 0,
    })
    expect(() => resolve({ within: 'cpuload' })).toThrow("did you mean 'cpu-load'")
  })

  it('of cells also matter to a recording', () => {
    expect(() => optionsOf({ cell: '16' }, [named('deaf')])).toThrow('--cell 16: expected a strategy')
    expect(optionsOf({ cell: '16', record: 'a.json' }, [named('deaf')]).cell).toBe(16)
  })

  it('each have a flag of their own', () => {
    expect(new Set(ALL.map(flagOf)).size).toBe(ALL.length)
  })
})

describe('--strategies', () => {
  it('all: the baseline first, then whoever shares, each once', () => {
    const names = parseStrategies('all').map(strategy => strategy.name)
    expect(names[0]).toBe('static-blocks')
    expect(names.toSorted()).toEqual(
      strategies
        .map(s => s.name)
        .filter(name => name !== 'single-worker')
        .toSorted(),
    )
  })

  it('takes names in the order given, and nothing else', () => {
    expect(parseStrategies('pbt, static-blocks').map(strategy => strategy.name)).toEqual(['pbt', 'static-blocks'])
    expect(() => parseStrategies('pbt,pbt')).toThrow('--strategies: expected each strategy once')
    expect(() => parseStrategies('pbt,all')).toThrow("--strategies: expected 'all' on its own, or names, got 'pbt,all'")
    expect(() => parseStrategies(' ')).toThrow(
      '--strategies: expected names such as static-blocks,pbt,predictive, got nothing',
    )
    for (const list of [',', 'pbt,', 'pbt,,scatter'])
      expect(() => parseStrategies(list)).toThrow(
        `--strategies: expected names such as static-blocks,pbt,predictive, none of them empty, got '${list}'`,
      )
    expect(() => parseStrategies('pbd')).toThrow(UnknownNameError)
  })

  it('may be the names of some that are not built in, where they were brought', () => {
    expect(parseStrategies('pbt,eager', everything).map(strategy => strategy.name)).toEqual(['pbt', 'eager'])
    expect(() => parseStrategies('pbt,eager')).toThrow(UnknownNameError)
  })
})

describe.each(strategies)('$name', strategy => {
  it('declares every option that it reads', () => {
    const read = new Set<string>()
    const options = new Proxy(strategyOptionNames(), {
      get(target, key) {
        read.add(String(key))
        return Reflect.get(target, key)
      },
    })
    const usual = predictorByName(DEFAULT_STRATEGY_OPTIONS.predictor)
    const predictor: CostPredictor = {
      ...usual,
      predict: (...known) => {
        read.add('predictor')
        return usual.predict(...known)
      },
    }
    renderFrames(strategy, options, predictor)
    // The rule within a worker is said beside any strategy.
    const own = [...read].filter(name => !name.startsWith('within'))
    const undeclared = own.filter(name => !(strategy.reads as readonly string[] | undefined)?.includes(name))
    expect(undeclared, `add them to 'reads' of ${strategy.name}`).toEqual([])
  })
})

/** Every option with its default, those without one, too. */
function strategyOptionNames(): StrategyOptions {
  return { tile: 16, ...DEFAULT_STRATEGY_OPTIONS }
}

/** A few frames as a session makes them, one cost all over. */
function renderFrames(strategy: Strategy, options: StrategyOptions, predictor: CostPredictor): void {
  const size: Size = [128, 96]
  const workers = [1, 1, 0.5].map((speed, i) => ({ id: areaId(`w${i}`), speed }))
  const planner = new FramePlanner({ strategy, options, predictor, size, clock: 'cpu', record: false })
  for (let frame = 0; frame < 4; frame++) {
    const planContext = planner.planContext(smallCamera(frame), workers)
    const probe = planner.wantsProbe(planContext) ? new CostMap(size, planner.cell) : undefined
    probe?.costs.fill(1)
    const coverage = planner.wantsCoverage(planContext) ? new CoverageMask(size) : undefined
    const plan = planner.plan(planContext, { ...(coverage ? { coverage } : {}), ...(probe ? { probe } : {}) })
    const tiles = plan.tiles.map(({ worker = workers[0]!.id, ...tile }, i) => {
      const ms = pixelCount(tile) * (1 + (i % 3))
      const { columns, rows } = planner.cell > 0 ? cellRange(tile.rect, planner.cell) : { columns: 0, rows: 0 }
      const count = columns * rows
      const cells = {
        cell: planner.cell,
        costs: new Float64Array(count).fill(ms / count),
        depths: new Float32Array(count).fill(3),
      }
      return { ...tile, worker, cpuMs: ms, wallMs: ms, ...(count > 0 ? { cells } : {}) }
    })
    takeIn(planner, planContext, plan, tiles)()
  }
}
