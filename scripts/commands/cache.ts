/** `sortfirst cache`: the folder of cached scenes, packed and built. */
import { OptionError } from '../../shared/errors.ts'
import { type CachedFile, cachedFiles, clearCache, ENDINGS, MAX_CACHE_BYTES } from '../../shared/node/cache-folder.ts'
import { print } from '../files/standard-output.ts'
import { cacheOption } from '../options/worker-options.ts'

export async function showCache({ cache, json }: { cache?: string; json?: boolean }): Promise<void> {
  const folder = cacheFolder(cache)
  const files = await cachedFiles(folder)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (json) return print(`${JSON.stringify({ folder, ...counts(files), bytes, mostBytes: MAX_CACHE_BYTES })}\n`)
  await print(`${folder}: ${scenes(files)}, ${mebibytes(bytes)} of at most ${mebibytes(MAX_CACHE_BYTES)}\n`)
}

export async function clear({ cache }: { cache?: string }): Promise<void> {
  const folder = cacheFolder(cache)
  const files = await clearCache(folder)
  await print(`${folder}: removed ${scenes(files)}, ${mebibytes(files.reduce((sum, { bytes }) => sum + bytes, 0))}\n`)
}

/** @throws OptionError */
function cacheFolder(cache: string | undefined): string {
  const folder = cacheOption(cache)
  if (folder === false)
    throw new OptionError('--cache', 'the path of a folder', 'none, and no home folder of this user')
  return folder
}

const counts = (files: readonly CachedFile[]): { packed: number; built: number } => {
  const count = (ending: string) => files.filter(({ name }) => name.endsWith(ending)).length
  return { packed: count(ENDINGS.scene), built: count(ENDINGS.tree) }
}

const scenes = (files: readonly CachedFile[]): string => {
  const { packed, built } = counts(files)
  return `${packed} packed and ${built} built ${packed + built === 1 ? 'scene' : 'scenes'}`
}
const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB`
