/** Whatever the tests start keeps what it builds in a folder of this run, which is removed after it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-cache-'))
  // For each system's way to find the folder.
  for (const name of ['XDG_CACHE_HOME', 'LOCALAPPDATA']) process.env[name] = folder
  if (process.platform === 'darwin') process.env.HOME = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
