/** `sortfirst worker`. It imports nothing that only a master or a client needs, because a cluster starts many workers. */
import { startWorker } from '../library/worker.ts'
import { accessOptions, type RawAccessOptions } from '../options/access-options.ts'
import { number, wholeNumber } from '../options/option-values.ts'
import { cacheOption, engineOption, warnOfCache } from '../options/worker-options.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { endedBySignal, exitWithInput, stderrLog } from './daemon.ts'

export interface RawWorkerOptions extends RawAccessOptions {
  readonly name?: string
  readonly engine: string
  readonly fastMath?: boolean
  readonly threads: string
  readonly speed: string
  readonly cores?: string
  readonly accelerator?: readonly string[]
  readonly acceleratorRequired?: boolean
  readonly feeders?: string
  readonly threadsAtOnce?: boolean
  readonly retryFor: string
  readonly cache?: string | boolean
  readonly readyFile?: string
  /** Exit when standard input ends: the process that started this one holds it, and is then gone. */
  readonly untilInputEnds?: boolean
}

export async function worker(url: string, raw: RawWorkerOptions): Promise<void> {
  const options = {
    master: url,
    ...accessOptions('worker', raw, process.env),
    engine: engineOption(raw),
    threads: wholeNumber('--threads', raw.threads, 1, 1024),
    speed: number('--speed', raw.speed, 0, 1e6),
    retryFor: number('--retry-for', raw.retryFor, 0, 31_536_000),
    cache: cacheOption(raw.cache),
    ...(raw.name === undefined ? {} : { name: raw.name }),
    ...(raw.cores === undefined ? {} : { cores: number('--cores', raw.cores, 0.001, 1024) }),
    ...(raw.accelerator === undefined ? {} : { accelerators: raw.accelerator }),
    ...(raw.threadsAtOnce ? { threadsAtOnce: true } : {}),
    ...(raw.acceleratorRequired ? { acceleratorRequired: true } : {}),
    ...(raw.feeders === undefined ? {} : { feeders: wholeNumber('--feeders', raw.feeders, 0, 1023) }),
    ...(raw.readyFile === undefined ? {} : { readyFile: raw.readyFile }),
  }
  // Of a worker that a run has started, the run has said it.
  if (!raw.untilInputEnds) await warnOfCache(raw.cache, stderrLog)
  await interruptible(async signal => {
    const { ended, written, close } = startWorker({ ...options, log: stderrLog })
    // The next run is sooner ready with what this one has built.
    if (raw.untilInputEnds) exitWithInput('worker', written)
    signal.addEventListener('abort', close)
    await ended
    if (signal.aborted) endedBySignal('worker', signal)
  })
}
