/** Parses and validates the options of workers. Imports little, because many workers start. */
import { resolve } from 'node:path'
import { OptionError } from '../../shared/errors.ts'
import { defaultCacheFolder } from '../../shared/node/cache-folder.ts'
import type { EngineName } from '../../worker/engine/engine.ts'
import { engineNameOf } from '../../worker/node/engines.ts'

/** The engine selected by `--engine` and `--fast-math` together. @throws OptionError, UnknownNameError */
export function engineOption({ engine, fastMath }: { engine: string; fastMath?: boolean }): EngineName {
  const name = engineNameOf(engine)
  if (!fastMath) return name
  if (name === 'reference') throw new OptionError('--fast-math', '--engine wasm with it', `--engine ${name}`)
  return 'wasm-fast'
}

/** The folder given by `--cache`, or the default one; false for `--no-cache`. @throws OptionError */
export function cacheOption(cache: string | boolean = true): string | false {
  if (typeof cache === 'boolean') return cache && defaultCacheFolder()
  if (cache.trim() === '') throw new OptionError('--cache', 'the path of a folder', 'nothing')
  return resolve(cache)
}
