/** What workers are told, whoever starts them: from words to checked values. Imports little, for there are many workers. */
import { resolve } from 'node:path'
import { OptionError } from '../../shared/errors.ts'
import { defaultCacheFolder } from '../../shared/node/cache-folder.ts'
import type { EngineName } from '../../worker/engine/engine.ts'
import { engineNameOf } from '../../worker/node/engines.ts'

/** The engine that `--engine` and `--fast-math` name together. @throws OptionError, UnknownNameError */
export function engineOption({ engine, fastMath }: { engine: string; fastMath?: boolean }): EngineName {
  const name = engineNameOf(engine)
  if (!fastMath) return name
  if (name === 'reference') throw new OptionError('--fast-math', '--engine wasm beside it', `--engine ${name}`)
  return 'wasm-fast'
}

/** The folder that `--cache` names, or the default one; false for `--no-cache`. @throws OptionError */
export function cacheOption(cache: string | boolean = true): string | false {
  if (typeof cache === 'boolean') return cache && defaultCacheFolder()
  if (cache.trim() === '') throw new OptionError('--cache', 'the path of a folder', 'nothing')
  return resolve(cache)
}
