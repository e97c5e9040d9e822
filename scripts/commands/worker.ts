/** `sortfirst worker`. It imports nothing that only a master or a client needs, because a cluster starts many workers. */
import { mkdir } from 'node:fs/promises'
import { messageOf, OptionError, SortfirstError } from '../../shared/errors.ts'
import { FolderLock } from '../files/folder-lock.ts'
import { startWorker } from '../library/worker.ts'
import { accessOptions } from '../options/access-options.ts'
import type { Words } from '../options/declare/group.ts'
import { readWorker } from '../options/groups/worker.ts'
import { cacheOption, engineOption, threadsOption, warnOfCache } from '../options/worker-options.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { endedBySignal, exitWithInput, stderrLog } from './daemon.ts'

export async function worker(url: string, words: Words): Promise<void> {
  const given = readWorker(words)
  const log = stderrLog(given.logForm)
  const {
    name,
    cores,
    accelerator: accelerators,
    feeders,
    readyFile,
    acceleratorRequired,
    threadsAtOnce,
    state,
    lifetime,
    deathTimeout,
  } = given
  const cacheWord = given.noCache ?? given.cache
  const options = {
    master: url,
    ...accessOptions('worker', given, process.env),
    engine: engineOption(given),
    threads: threadsOption(given.threads, process.env),
    speed: given.speed,
    retryFor: given.retryFor,
    cache: cacheOption(cacheWord),
    ...(name === undefined ? {} : { name }),
    ...(lifetime === undefined ? {} : { lifetime }),
    ...(deathTimeout === undefined ? {} : { deathTimeout }),
    ...(cores === undefined ? {} : { cores }),
    ...(accelerators === undefined ? {} : { accelerators }),
    ...(threadsAtOnce ? { threadsAtOnce } : {}),
    ...(acceleratorRequired ? { acceleratorRequired } : {}),
    ...(feeders === undefined ? {} : { feeders }),
    ...(readyFile === undefined ? {} : { readyFile }),
    ...(state === undefined ? {} : { state }),
  }
  // Of a worker that a run has started, the run has said it.
  if (!given.untilInputEnds) await warnOfCache(cacheWord, log)
  const lock = state === undefined ? undefined : await stateLock(state)
  await interruptible(async signal => {
    const { ended, written, close } = startWorker({ ...options, log })
    // The next run is sooner ready with what this one has built.
    if (given.untilInputEnds) exitWithInput('worker', log, written)
    signal.addEventListener('abort', close)
    await ended.finally(() => lock?.release())
    if (signal.aborted) endedBySignal('worker', log, signal)
  })
}

/** Two workers with one key would be one to the master: neither would check the other's pixels. */
async function stateLock(folder: string): Promise<FolderLock> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await FolderLock.take(folder, '--state')
  } catch (error) {
    if (error instanceof SortfirstError) throw error
    throw new OptionError('--state', 'a folder that can be written', messageOf(error))
  }
}
