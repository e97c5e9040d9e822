/** Parses and validates the options of workers. Imports little, because many workers start. */
import { resolve } from 'node:path'
import { OptionError, OptionRuleError } from '../../shared/errors.ts'
import { defaultCacheFolder, expectWritable } from '../../shared/node/cache-folder.ts'
import type { Log } from '../../shared/text/log.ts'
import { givenThreads, machineCores } from '../../worker/cpu-limit.ts'
import { type EngineName, isWebgpu } from '../../worker/engine/engine.ts'
import { engineNameOf } from '../../worker/node/engines.ts'
import { obstacleIn } from '../files/output-error.ts'

/** The engine selected by `--engine` and `--fast-math` together. @throws OptionError, UnknownNameError */
export function engineOption({ engine, fastMath }: { engine: string; fastMath?: boolean }): EngineName {
  const name = engineNameOf(engine)
  if (!fastMath) return name
  if (name === 'reference' || isWebgpu(name)) throw new OptionRuleError('--fast-math', 'needs --engine wasm')
  return 'wasm-fast'
}

/** How many `--threads` says. */
export const threadsOption = (threads: number | 'auto', env: NodeJS.ProcessEnv): number =>
  threads === 'auto' ? givenThreads(env, machineCores()) : threads

/** The folder given by `--cache`, or the default one; false for `--no-cache`, or if there is no default. @throws OptionError */
export function cacheOption(cache: string | boolean = true): string | false {
  if (typeof cache === 'boolean') return cache && defaultCacheFolder()
  if (cache.trim() === '') throw new OptionError('--cache', 'the path of a folder', 'nothing')
  if (MEANS_NONE.test(cache)) throw new OptionError('--cache', 'a folder', `'${cache}'; use --no-cache, or ./${cache}`)
  return resolve(cache)
}

/** As other options of programs are switched off: a folder of such a name would be made by mistake. */
const MEANS_NONE = /^(off|none|no|false)$/i

/** Tells a user whose scenes will not be kept for the next run; nothing else depends on the cache. */
export async function warnOfCache(cache: string | boolean | undefined, log: Log): Promise<void> {
  if (cache === false) return
  const folder = cacheOption(cache)
  if (folder === false) return log.warn(`cache: expected a home folder of this user, got none; ${CONSEQUENCE}`)
  await expectWritable(folder).catch((error: unknown) =>
    log.warn(`cache ${folder}: expected a writable folder, got ${obstacleIn(error)}; ${CONSEQUENCE}`),
  )
}

const CONSEQUENCE = 'scenes are not kept for the next run (--cache names another folder, --no-cache does without)'
