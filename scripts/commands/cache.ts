/** `sortfirst cache`: the folder in which workers keep what they build of scenes. */
import { cachedFiles, clearCache, defaultCacheFolder, MAX_CACHE_BYTES } from '../../worker/node/structure-cache.ts'
import { print } from '../files/standard-output.ts'

export async function showCache({ cache, json }: { cache?: string; json?: boolean }): Promise<void> {
  const folder = cache ?? defaultCacheFolder()
  const files = await cachedFiles(folder)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (json) return print(`${JSON.stringify({ folder, scenes: files.length, bytes, mostBytes: MAX_CACHE_BYTES })}\n`)
  await print(`${folder}: ${scenes(files.length)}, ${mebibytes(bytes)} of at most ${mebibytes(MAX_CACHE_BYTES)}\n`)
}

export async function clear({ cache = defaultCacheFolder() }: { cache?: string }): Promise<void> {
  const { files, bytes } = await clearCache(cache)
  await print(`${cache}: removed ${scenes(files)}, ${mebibytes(bytes)}\n`)
}

const scenes = (count: number): string => `${count} built ${count === 1 ? 'scene' : 'scenes'}`
const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB`
