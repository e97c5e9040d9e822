/**
 * Custom strategies and predictors: the default export of a module, validated against the contract of the built-in ones before
 * use. Each plan of a custom strategy is validated, too.
 */
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { CostMap } from '../../master/costs/cost-map.ts'
import { type CostPredictor, predictors } from '../../master/costs/predictors/index.ts'
import { trialFrames } from '../../master/frames/trial-frames.ts'
import { strategies } from '../../master/strategies/index.ts'
import { planFault } from '../../master/strategies/plan-fault.ts'
import type { FrameInput, Plan, Strategy } from '../../master/strategies/strategy.ts'
import { messageOf, UsageError } from '../../shared/errors.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { areaId } from '../../shared/ids.ts'
import { expectRegular } from '../../shared/node/regular-file.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { printable } from '../../shared/text/printable.ts'

/** A custom strategy; the texts for lists are optional. */
export type OwnStrategy<Memory = unknown> = Omit<Strategy<Memory>, ListWords> &
  Partial<Pick<Strategy<Memory>, ListWords>>
type ListWords = 'summary' | 'advice' | 'source'

/** A custom predictor. */
export type OwnPredictor = Omit<CostPredictor, 'summary'> & Partial<Pick<CostPredictor, 'summary'>>

/** A plug-in that cannot be loaded, is not a plug-in, or violates its contract. */
export class PlugInError extends UsageError {
  readonly code = 'BAD_PLUG_IN'
}

/** Whether a command-line word is a file path rather than a name. */
const isPath = (word: string): boolean => /^\.{0,2}[/\\]|^[a-zA-Z]:[/\\]|\.[cm]?[jt]s$/.test(word)

/**
 * The strategy of a module that is given by its path or the name of its package, validated; undefined if the word is a built-in strategy, or
 * nothing that there is. Rejects with PlugInError.
 */
export async function loadedStrategy(word: string): Promise<Strategy | undefined> {
  const found = await pluggedIn(word, strategies)
  return found === undefined ? undefined : checkedStrategy(found, word)
}

/** The same for a predictor. */
export async function loadedPredictor(word: string): Promise<CostPredictor | undefined> {
  const found = await pluggedIn(word, predictors)
  return found === undefined ? undefined : checkedPredictor(found, word)
}

/** A strategy that was tried out, and each of whose plans is validated. @throws PlugInError */
export function checkedStrategy(value: unknown, origin = nameOf(value, 'strategy')): Strategy {
  let isTrial = true
  const own = described<Strategy>(value, origin, 'strategy', 'plan', strategies)
  const strategy: Strategy = {
    ...own,
    summary: own.summary ?? `from ${origin}`,
    advice: own.advice ?? '',
    source: own.source ?? origin,
    plan: input => {
      const plan = attempt(origin, 'plan()', () => own.plan(input))
      const fault = planFault(plan, input)
      if (fault) throw new PlugInError(`${origin}: ${fault}${inWhichFrame(input, isTrial)}`)
      return plan
    },
  }
  tryOut(strategy, origin)
  isTrial = false
  return strategy
}

/** A predictor that was tried out, and each of whose maps is validated. @throws PlugInError */
export function checkedPredictor(value: unknown, origin = nameOf(value, 'predictor')): CostPredictor {
  const own = described<CostPredictor>(value, origin, 'predictor', 'predict', predictors)
  const predictor: CostPredictor = {
    ...own,
    summary: own.summary ?? `from ${origin}`,
    predict: (history, camera, bodies) => {
      const map = attempt(origin, 'predict()', () => own.predict(history, camera, bodies))
      const [newest] = history
      if (map === undefined && !newest) return undefined
      if (map === undefined || map.costs?.length !== newest?.costs.costs.length || !map.costs.every(cost => cost >= 0))
        throw new PlugInError(
          `${origin}: predict() must return a cost map with as many costs as the newest frame’s, none negative`,
        )
      return map
    },
  }
  const measured = new CostMap([32, 16], 8)
  measured.costs.fill(1)
  predictor.predict([], cameraOf(0))
  predictor.predict([{ camera: cameraOf(0), costs: measured }], cameraOf(1))
  return predictor
}

/** A module's default export; undefined if the word does not name a module. */
async function pluggedIn(word: string, known: readonly { readonly name: string }[]): Promise<unknown> {
  if (known.some(({ name }) => name === word)) return undefined
  const url = isPath(word) ? pathToFileURL(resolve(word)) : packageUrl(word)
  if (!url) return undefined
  let module: { readonly default?: unknown }
  try {
    if (existsSync(url)) expectRegular(statSync(url))
    module = (await import(url.href)) as { readonly default?: unknown }
  } catch (error) {
    const missing =
      (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes(url.pathname)
    throw new PlugInError(
      missing
        ? `${word}: no such file; expected a module whose default export is a strategy or predictor`
        : `${word}: cannot be loaded: ${printable(messageOf(error))}`,
      { cause: error },
    )
  }
  if (module.default === undefined) throw new PlugInError(`${word}: expected a default export, got none`)
  return module.default
}

/** Resolves a package that is installed in the current folder. */
function packageUrl(name: string): URL | undefined {
  if (!/^(@[\w.-]+\/)?[\w.-]+(\/[\w./-]+)?$/.test(name)) return undefined
  try {
    return pathToFileURL(createRequire(join(process.cwd(), 'index.js')).resolve(name))
  } catch {
    return undefined
  }
}

function described<T extends { readonly name: string }>(
  value: unknown,
  origin: string,
  what: string,
  method: keyof T & string,
  known: readonly { readonly name: string }[],
): T {
  const own = value as Partial<T> | null
  if (typeof own !== 'object' || own === null || typeof own[method] !== 'function')
    throw new PlugInError(
      `${origin}: expected an object with a name and ${method}(), got ${own === null ? 'null' : typeof own}`,
    )
  const { name } = own
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
    throw new PlugInError(
      `${origin}: expected a name of 1 to 64 letters, digits, dots and dashes, got ${JSON.stringify(name)}`,
    )
  if (known.some(each => each.name === name))
    throw new PlugInError(`${origin}: its name '${name}' is that of a built-in ${what}; give it another`)
  return own as T
}

const nameOf = (value: unknown, what: string): string => {
  const { name } = (value ?? {}) as { name?: unknown }
  return typeof name === 'string' && name !== '' ? `${what} ${printable(name)}` : what
}

const inWhichFrame = ({ size, workers }: Pick<FrameInput, 'size' | 'workers'>, isTrial: boolean): string =>
  `, in a ${isTrial ? 'trial ' : ''}frame of ${size.join('x')} px for ${workers.length} ${workers.length === 1 ? 'worker' : 'workers'}`

function attempt<T>(origin: string, what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new PlugInError(`${origin}: ${what} threw: ${printable(messageOf(error))}`, { cause: error })
  }
}

const TRIED_SIZES: readonly Size[] = [
  [64, 48],
  [13, 1],
  [1, 1],
]
const TRIED_SPEEDS: readonly (readonly number[])[] = [[1], [1, 0, 2], [1, 1, 1, 1, 0.5]]

const TRIED_FRAMES = 3

/** Plans a few trial frames, to find contract violations before anything is rendered. @throws PlugInError */
function tryOut(strategy: Strategy, origin: string): void {
  const settings = { options: DEFAULT_STRATEGY_OPTIONS, clock: 'cpu', record: false } as const
  for (const size of TRIED_SIZES) {
    for (const speeds of TRIED_SPEEDS) {
      const workers = speeds.map((speed, i) => ({ id: areaId(`w${i + 1}`), speed }))
      const before = structuredClone(workers)
      for (const { plan, planAgain } of trialFrames({ ...settings, strategy, size }, workers, TRIED_FRAMES)) {
        checkRepeatable(plan, planAgain(), origin)
        if (!isDeepStrictEqual(before, workers)) throw new PlugInError(`${origin}: plan() modified its input`)
      }
    }
  }
}

function checkRepeatable(plan: Plan, again: Plan, origin: string): void {
  if (!isDeepStrictEqual(plan, again))
    throw new PlugInError(
      `${origin}: plan() returned two plans for one input; it must depend on nothing else: keep state in \`memory\`, seed random numbers with options.seed`,
    )
  if (plan.memory !== undefined && !isDeepStrictEqual(JSON.parse(JSON.stringify(plan.memory)), plan.memory))
    throw new PlugInError(`${origin}: memory must be plain data that JSON can represent`)
}

const cameraOf = (frame: number): Camera => ({
  origin: [0, 0, 2 + frame / 10],
  right: [1, 0, 0],
  up: [0, 1, 0],
  back: [0, 0, 1],
  tanHalfX: 0.5,
  tanHalfY: 0.4,
  near: 0.01,
  far: 100,
})
