/** A worker inside another program: the implementation of `sortfirst worker`. */

import { defaultCacheFolder } from '../../shared/node/cache-folder.ts'
import { type Log, silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import type { WorkerOptions as PlainWorkerOptions } from '../../worker/options.ts'

export interface WorkerOptions extends Omit<PlainWorkerOptions, 'line' | 'threadProgram' | 'cache'> {
  /** Folder for built scenes, shared by the workers of this machine; false: none. @default the system's cache folder */
  readonly cache?: string | false
  readonly log?: Log
}

/** A running worker. */
export interface RunningWorker {
  /**
   * Resolves when it is closed. Rejects with a UsageError for invalid options, with UnreachableMasterError,
   * AccessDeniedError or TlsError, with RefusedError if the master refuses it, or if its threads cannot run.
   */
  readonly ended: Promise<void>
  /** Resolves when none of its built scenes is being written to the cache. */
  written(): Promise<void>
  close(): Promise<void>
}

/** Works for a master until it is closed. */
export function startWorker({
  log = silentLog,
  cache = defaultCacheFolder(),
  ...options
}: WorkerOptions): RunningWorker {
  const stop = new AbortController()
  const writing = new Set<Promise<void>>()
  const ended = runWorker({ ...options, ...(cache === false ? {} : { cache }) }, log, stop.signal, writing)
  // Callers that only close it need not handle its errors.
  ended.catch(() => {})
  const close = () => {
    stop.abort(new DOMException('the worker was stopped', 'AbortError'))
    return ended.catch(() => {})
  }
  return { ended, written: async () => void (await Promise.all(writing)), close }
}
