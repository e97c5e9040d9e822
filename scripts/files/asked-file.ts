/** An output file named by an option. It is opened before expensive work begins, so that a wrong path fails early. */
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { makeFolder } from '../../shared/node/make-folder.ts'
import { OutputError, obstacleIn } from './output-error.ts'
import { openDevice, openWhole, removeLeftovers, type WholeFile } from './write-whole.ts'

/**
 * Creates the file, and its folder if needed. Any failure, now or later, is an OutputError.
 * @param option for example `--trace`
 * @throws OutputError
 */
export async function openAsked(option: string, path: string): Promise<WholeFile> {
  const place = `${option} ${path}`
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) throw new OutputError(place, 'file', 'a folder')
  const guarded = async <T>(when: 'before' | 'midway', step: () => Promise<T>): Promise<T> => {
    try {
      return await step()
    } catch (error) {
      throw new OutputError(place, 'file', obstacleIn(error, when), when)
    }
  }
  const file = await guarded('before', async () => {
    await makeFolder(dirname(path))
    if (found && !found.isFile()) return openDevice(path)
    await removeLeftovers(dirname(path), basename(path))
    return openWhole(path)
  })
  return {
    write: data => guarded('midway', () => file.write(data)),
    finish: lasting => guarded('midway', () => file.finish(lasting)),
    discard: () => file.discard(),
  }
}
