/** The folder a run writes into, and whatever else it cannot write. */
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf, UsageError } from '../../shared/errors.ts'

/** What a run shall write cannot be made or written to. */
export class OutputError extends UsageError {
  readonly code = 'CANNOT_WRITE'
  /** @param option with its value */
  constructor(option: string, what: 'folder' | 'file', why: string) {
    super(`${option}: expected a ${what} that can be written to, got ${why}`)
  }
}

/** Makes the folder if need be, before anything expensive is started. @throws OutputError */
export async function prepareFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found && !found.isDirectory()) throw new OutputError(`--out ${path}`, 'folder', 'a file')
  try {
    await makeFolder(path)
    await access(path, constants.W_OK)
  } catch (error) {
    throw new OutputError(`--out ${path}`, 'folder', `an error (${messageOf(error)})`)
  }
}

/** Makes a folder and those above it, one by one: the library's own recursion never ends below a folder like /proc. */
export async function makeFolder(path: string): Promise<void> {
  const failed = await mkdir(path).catch((error: NodeJS.ErrnoException) => error)
  if (!(failed instanceof Error) || failed.code === 'EEXIST') return
  if (failed.code !== 'ENOENT' || dirname(path) === path) throw failed
  await makeFolder(dirname(path))
  await mkdir(path)
}

/** File name of a frame. */
export const frameFile = (frame: number): string => `${String(frame).padStart(4, '0')}.png`
