/**
 * The worker: one outgoing connection to a master, threads that trace. The one place where its clock, socket, engine and
 * threads are made and wired together.
 */
import { rmSync, writeFileSync } from 'node:fs'
import pRetry, { AbortError } from 'p-retry'
import { messageOf, SortfirstError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { CLOSE_CODES } from '../shared/protocol/channel.ts'
import { dial, WebSocketChannel } from '../shared/protocol/node/websocket-channel.ts'
import { cpuLimit } from './cpu-limit.ts'
import { startThreadPool } from './node/thread-pool.ts'
import { type ResolvedWorkerOptions, resolveWorkerOptions, type WorkerOptions } from './options.ts'
import { RefusedError, serve, type WorkerIdentity } from './session.ts'
import type { ThreadPool } from './threads/thread-pool.ts'

/** No master answered within the time allowed. */
export class UnreachableMasterError extends SortfirstError {
  readonly code = 'MASTER_UNREACHABLE'
  constructor(url: string, seconds: number, cause: unknown) {
    super(
      `no master answered at ${url} within ${seconds} s (${messageOf(cause)}); start one with 'sortfirst master', or check the address`,
      { cause },
    )
  }
}

/**
 * Works for a master until `signal` aborts, or the master says goodbye and does not come back within the retry time.
 * Rejects with OptionError, RefusedError, UnreachableMasterError, or when its threads cannot run.
 */
export async function runWorker(options: WorkerOptions, log: Log, signal: AbortSignal): Promise<void> {
  const resolved = resolveWorkerOptions(options)
  const { name, threads, engine, kernel, speed, cores } = resolved
  // A limit above what the threads can use holds nobody.
  const held = Math.min(cores ?? Infinity, cpuLimit() ?? Infinity)
  const identity = { name, engine, kernel, threads, speed, ...(held < threads ? { cores: held } : {}) }
  const pool = await startThreadPool({ threads, engine, ...(cores === undefined ? {} : { coreShare: cores }) })
  try {
    // A worker without its threads would keep its place in the cluster and fail every tile.
    await Promise.race([serveForever(resolved, identity, pool, log, signal), pool.broken])
  } finally {
    await pool.close()
  }
}

async function serveForever(
  options: ResolvedWorkerOptions,
  identity: WorkerIdentity,
  pool: ThreadPool,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const joined = await connectOnce(options, identity, pool, log, signal)
    // A master that ended its run takes nothing more; one that was restarted is worth waiting for.
    if (joined && options.retryForMs === 0) return
  }
}

/** One stay in a cluster, with as many tries to get in as the options allow. */
async function connectOnce(
  options: ResolvedWorkerOptions,
  identity: WorkerIdentity,
  pool: ThreadPool,
  log: Log,
  signal: AbortSignal,
): Promise<boolean> {
  const { url, retryForMs } = options
  const giveUpAt = performance.now() + retryForMs
  let joined = false
  const stay = async (): Promise<void> => {
    const socket = dial(url, 5000)
    const channel = new WebSocketChannel(socket)
    const leave = () => channel.close(CLOSE_CODES.leaving, 'the worker was stopped')
    signal.addEventListener('abort', leave)
    try {
      await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
      await serve(identity, {
        channel,
        pool,
        clock: performance,
        joined: () => {
          joined = true
          log.info(`joined ${url} as ${identity.name}`)
          if (options.readyFile) writeFileSync(options.readyFile, '')
        },
      })
      log.info('the master said goodbye')
    } catch (error) {
      if (error instanceof RefusedError) throw new AbortError(error)
      if (joined) log.info(messageOf(error))
      else throw error
    } finally {
      signal.removeEventListener('abort', leave)
      if (options.readyFile) rmSync(options.readyFile, { force: true })
    }
  }
  try {
    await pRetry(stay, {
      retries: Number.MAX_SAFE_INTEGER,
      factor: 1.5,
      minTimeout: 100,
      maxTimeout: 2000,
      randomize: true,
      signal,
      shouldRetry: () => performance.now() < giveUpAt,
    })
  } catch (error) {
    if (signal.aborted) return joined
    if (error instanceof RefusedError) throw error
    throw new UnreachableMasterError(url, retryForMs / 1000, error)
  }
  return joined
}
