/** `sortfirst worker`. It imports nothing that only a master or a client needs, because a cluster starts many workers. */
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
  }
  // Of a worker that a run has started, the run has said it.
  if (!given.untilInputEnds) await warnOfCache(cacheWord, log)
  await interruptible(async signal => {
    const { ended, written, close } = startWorker({ ...options, log })
    // The next run is sooner ready with what this one has built.
    if (given.untilInputEnds) exitWithInput('worker', log, written)
    signal.addEventListener('abort', close)
    await ended
    if (signal.aborted) endedBySignal('worker', log, signal)
  })
}
