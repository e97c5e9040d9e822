/** A worker inside another program: what `sortfirst worker` runs. */
import { type Log, silentLog } from '../../shared/log.ts'
import { defaultCacheFolder } from '../../shared/node/cache-folder.ts'
import { runWorker } from '../../worker/main.ts'
import type { WorkerOptions as PlainWorkerOptions } from '../../worker/options.ts'

export interface WorkerOptions extends Omit<PlainWorkerOptions, 'line' | 'threadProgram' | 'cache'> {
  /** Folder for what is built of scenes, shared by the workers of this machine; false: none. @default the system's for caches */
  readonly cache?: string | false
  readonly log?: Log
}

/** A running worker. */
export interface RunningWorker {
  /**
   * Resolves when it was closed. Rejects with a UsageError for options that make no sense, with UnreachableMasterError, with
   * RefusedError when the master sends it away, or when its threads cannot run.
   */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Works for a master until it is closed. */
export function startWorker({
  log = silentLog,
  cache = defaultCacheFolder(),
  ...options
}: WorkerOptions): RunningWorker {
  const stop = new AbortController()
  const ended = runWorker({ ...options, ...(cache === false ? {} : { cache }) }, log, stop.signal)
  // Whoever only closes it need not hear how it went.
  ended.catch(() => {})
  const close = () => {
    stop.abort()
    return ended.catch(() => {})
  }
  return { ended, close }
}
