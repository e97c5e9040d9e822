/** A file that an option names. It is opened before anything expensive begins, so that a wrong path costs nothing. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OutputError, obstacleIn } from './output-error.ts'
import { makeFolder } from './output-folder.ts'
import { openWhole, type WholeFile } from './write-whole.ts'

/**
 * Begins the file, making its folder if need be. Whatever cannot be done with it, then or later, is an OutputError.
 * @param option such as `--trace`
 * @throws OutputError
 */
export async function openAsked(option: string, path: string): Promise<WholeFile> {
  const place = `${option} ${path}`
  if ((await stat(path).catch(() => undefined))?.isDirectory()) throw new OutputError(place, 'file', 'a folder')
  const guarded = async <T>(when: 'before' | 'midway', step: () => Promise<T>): Promise<T> => {
    try {
      return await step()
    } catch (error) {
      throw new OutputError(place, 'file', obstacleIn(error), when)
    }
  }
  const file = await guarded('before', async () => {
    await makeFolder(dirname(path))
    return openWhole(path)
  })
  return {
    write: data => guarded('midway', () => file.write(data)),
    finish: modified => guarded('midway', () => file.finish(modified)),
    discard: () => file.discard(),
  }
}
