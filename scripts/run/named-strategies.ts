/** Resolves strategies and predictors from the command line, where a custom one is a module path. */
import { OptionError } from '../../shared/errors.ts'
import { predictorNamed, strategyNamed } from '../library/plug-ins.ts'

interface Named {
  readonly strategy?: string
  readonly strategies?: string
  readonly predictor?: string
  readonly master?: string
}

/**
 * Replaces module paths by names; the modules are loaded, validated and registered.
 * Rejects with PlugInError, or OptionError if the cluster belongs to another process.
 */
export async function withNames<T extends Named>(given: T): Promise<T> {
  const lists = { strategy: given.strategy, strategies: given.strategies, predictor: given.predictor }
  const named: { [key in keyof typeof lists]?: string } = {}
  for (const [key, words] of Object.entries(lists) as [keyof typeof lists, string | undefined][]) {
    if (words === undefined) continue
    const nameOf = key === 'predictor' ? predictorNamed : strategyNamed
    const names: string[] = []
    for (const word of words.split(',').map(each => each.trim())) {
      const name = await nameOf(word)
      if (name !== word && given.master !== undefined)
        throw new OptionError(`--${key}`, 'no --master with a module: strategies run in the master', word)
      names.push(name)
    }
    named[key] = names.join(',')
  }
  return { ...given, ...named }
}
