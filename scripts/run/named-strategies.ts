/** Resolves strategies and predictors from the command line, where a custom one is a module path. */
import type { PlugIns } from '../../master/sessions/methods.ts'
import { OptionError } from '../../shared/errors.ts'
import { loadedPredictor, loadedStrategy } from '../library/plug-ins.ts'

interface Given {
  readonly strategy?: string
  readonly strategies?: string
  readonly predictor?: string
  readonly master?: string
}

interface Named<T> {
  /** What was given, with names for modules. */
  readonly given: T
  /** What the modules have, loaded and validated. */
  readonly plugIns: PlugIns
}

/** Replaces module paths by names. Rejects with PlugInError, or OptionError if the cluster belongs to another process. */
export async function withNames<T extends Given>(given: T): Promise<Named<T>> {
  const strategy = await loaded('strategy', given, loadedStrategy)
  const strategies = await loaded('strategies', given, loadedStrategy)
  const predictor = await loaded('predictor', given, loadedPredictor)
  return {
    given: { ...given, ...strategy.named, ...strategies.named, ...predictor.named },
    plugIns: { strategies: [...strategy.own, ...strategies.own], predictors: predictor.own },
  }
}

async function loaded<Key extends 'strategy' | 'strategies' | 'predictor', T extends { readonly name: string }>(
  key: Key,
  given: Given,
  load: (word: string) => Promise<T | undefined>,
): Promise<{ readonly named: { readonly [key in Key]?: string }; readonly own: readonly T[] }> {
  if (given[key] === undefined) return { named: {}, own: [] }
  const byWord = new Map<string, T>()
  const names: string[] = []
  for (const word of given[key].split(',').map(each => each.trim())) {
    const found = byWord.get(word) ?? (await load(word))
    names.push(found?.name ?? word)
    if (!found) continue
    if (given.master !== undefined)
      throw new OptionError(`--${key}`, 'no --master with a module: strategies run in the master', word)
    for (const [other, { name }] of byWord)
      if (name === found.name && other !== word)
        throw new OptionError(`--${key}`, 'modules with different names', `'${name}' from both ${other} and ${word}`)
    byWord.set(word, found)
  }
  return { named: { [key]: names.join(',') } as { [key in Key]: string }, own: [...byWord.values()] }
}
