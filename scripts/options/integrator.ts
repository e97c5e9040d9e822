/**
 * What `--integrator auto` stands for: the integrator whose options were given, the only one that suits what was said, or else the one that
 * a scene's lights ask for. Pure.
 */
import type { SceneLighting } from '../../scenes/import/scene-lighting.ts'
import { OptionRuleError } from '../../shared/errors.ts'
import { MAX_AMBIENT_SAMPLES } from '../../shared/frame/frame-limits.ts'
import { type CommandName, isOn, longFlag, optionsOf } from './declare/group.ts'
import { GROUPS, type RunGiven } from './groups/index.ts'
import { INTEGRATORS, type Integrator } from './groups/light.ts'
import type { RunOptions } from './run.ts'

/** Options of a run whose integrator may depend on its scene; nothing else does. */
export interface OpenRun {
  /** Before the scene is known. */
  readonly options: RunOptions
  of(lighting: SceneLighting): ChosenRun
}

export interface ChosenRun {
  readonly options: RunOptions
  /** What the scene has that takes the path tracer, in words, if that decided. */
  readonly because?: string
}

/** @param resolve the options of a run with this integrator @throws UsageError */
export function openRun(given: RunGiven, command: CommandName, resolve: (given: RunGiven) => RunOptions): OpenRun {
  const { integrator = 'auto' } = given
  const only = integrator === 'auto' ? impliedBy(given, command) : integrator
  if (only) return decided(resolve({ ...given, integrator: only }))
  const [ambient, path] = INTEGRATORS.map(each => attempt(() => resolve({ ...given, integrator: each })))
  if ('error' in ambient!) {
    if ('error' in path!) throw ambient.error
    return decided(path!.value)
  }
  if ('error' in path!) return decided(ambient!.value)
  return {
    options: ambient!.value,
    of: ({ forPath }) =>
      forPath.length > 0 ? { options: path!.value, because: forPath.join(', ') } : { options: ambient!.value },
  }
}

const decided = (options: RunOptions): OpenRun => ({ options, of: () => ({ options }) })

/** The integrator that has the options which were given. @throws OptionRuleError if both do */
function impliedBy(given: RunGiven, command: CommandName): Integrator | undefined {
  const found = new Map<string, string>()
  if ((given.samples ?? 0) > MAX_AMBIENT_SAMPLES) found.set('path', '--samples')
  for (const [key, option] of optionsOf(GROUPS, command)) {
    const value = given[key as keyof RunGiven]
    if (!isOn(option, value)) continue
    for (const rule of option.rules ?? []) {
      if (!('needs' in rule) || rule.needs !== 'integrator' || rule.as === undefined) continue
      const [other] = [...found].find(([name]) => name !== rule.as) ?? []
      if (other)
        throw new OptionRuleError(
          longFlag(option),
          `cannot be combined with ${found.get(other)}: one is of --integrator ${rule.as}, the other of ${other}`,
        )
      found.set(rule.as, longFlag(option))
    }
  }
  return INTEGRATORS.find(each => found.has(each))
}

type Attempt<T> = { readonly value: T } | { readonly error: unknown }

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}
