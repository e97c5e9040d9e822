import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents one by one: Node's own recursion never ends in a folder like /proc, or behind a link that leads
 * nowhere. Returns those that were not there, the innermost first.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string[]> {
  const failed = await mkdir(path, mode).catch((error: NodeJS.ErrnoException) => error)
  if (!(failed instanceof Error)) return [path]
  if (failed.code === 'EEXIST') return []
  if (failed.code !== 'ENOENT' || dirname(path) === path) throw failed
  const parents = await makeFolder(dirname(path), mode)
  await mkdir(path, mode)
  return [path, ...parents]
}
