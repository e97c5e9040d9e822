/**
 * The worker: one outgoing connection to a master, and threads that trace. The only place where its clock, socket, engine and
 * threads are created and wired together.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AccessDeniedError } from '../shared/access/access-denied.ts'
import { messageOf, SortfirstError } from '../shared/errors.ts'
import { alarmsBy } from '../shared/node/alarm.ts'
import { MAX_CACHE_BYTES } from '../shared/node/cache-folder.ts'
import { CLOSE_CODES } from '../shared/protocol/channel.ts'
import { TlsError } from '../shared/protocol/node/connect-failure.ts'
import { MasterLine } from '../shared/protocol/node/master-line.ts'
import { PartStore } from '../shared/scene/part-store.ts'
import { guardedLog, type Log } from '../shared/text/log.ts'
import { Backoff } from '../shared/time/backoff.ts'
import { machineCores } from './cpu-limit.ts'
import { isWebgpu } from './engine/engine.ts'
import { startAreas } from './node/areas.ts'
import { freshKey, keptKey } from './node/own-key.ts'
import { nodePlatform } from './node/platform.ts'
import { expectReadyFile, ReadyFile } from './node/ready-file.ts'
import { StructureCache } from './node/structure-cache.ts'
import { type ResolvedWorkerOptions, resolveWorkerOptions, type WorkerOptions } from './options.ts'
import { WorkerScenes } from './scenes.ts'
import { RefusedError, type SessionPorts, serve, type WorkerIdentity } from './session.ts'
import { Waiting } from './waiting.ts'

/** No master answered within the allowed time. */
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
 * Works for a master until `signal` aborts, its lifetime is over, or the master says goodbye and does not come back within the retry time.
 * Rejects with OptionError, AcceleratorError, RefusedError, AccessDeniedError, TlsError, UnreachableMasterError, or if its threads cannot run.
 * @param writing collects the built scenes that are being written to the cache
 */
export async function runWorker(
  options: WorkerOptions,
  plainLog: Log,
  signal: AbortSignal,
  writing = new Set<Promise<void>>(),
): Promise<void> {
  const log = guardedLog(plainLog)
  const resolved = resolveWorkerOptions(options)
  expectReadyFile(resolved.readyFile)
  const own = resolved.state === undefined ? freshKey() : await keptKey(resolved.state)
  const areas = await startAreas(resolved, log)
  const { offers, pools, states } = areas
  const identity = { name: resolved.name, key: randomUUID(), own, areas: offers }
  // Scenes outlive connections: a worker that reconnects still has them.
  const scenes = new WorkerScenes(
    pools,
    new PartStore(resolved.partBytes),
    resolved.builtBytes,
    // A process has no use for what another engine has built, and needs the scene itself.
    resolved.accelerators.some(({ kind }) => kind !== 'simulated') || isWebgpu(resolved.engine)
      ? undefined
      : cacheOf(resolved, writing),
    helpersBeside(resolved.threads),
    { now: () => performance.now(), pause: () => new Promise(resolve => setImmediate(resolve)) },
  )
  // Without its threads a worker would stay in the cluster and fail every tile: it leaves, with the reason.
  const broken = new AbortController()
  areas.broken.catch(error => broken.abort(error))
  const asked = new AbortController()
  const askedToLeave = (reason: string) => asked.abort(new DOMException(reason, 'AbortError'))
  const ended = AbortSignal.any([signal, broken.signal, asked.signal])
  const { lifetimeMs, endsAlone } = resolved
  const live = () => askedToLeave('its lifetime is over')
  const stopClock = lifetimeMs === undefined ? () => {} : alarmsBy(performance)(live, lifetimeMs)
  try {
    await serveForever(resolved, identity, { pools, scenes, states, askedToLeave }, log, ended)
    broken.signal.throwIfAborted()
    if (asked.signal.aborted) log.info(`worker closed: ${messageOf(asked.signal.reason)}`)
  } catch (error) {
    if (!endsAlone || !(error instanceof UnreachableMasterError)) throw error
    log.info(`worker closed: no master within ${resolved.retryForMs / 1000} s`)
  } finally {
    stopClock()
    await areas.close()
  }
}

/** Cores of this machine not used by this worker's threads: while it builds for all, the other workers wait. */
const helpersBeside = (threads: number): number =>
  Math.max(0, Math.min(MAX_HELPERS, Math.floor(machineCores()) - threads))
/** More helpers hardly speed up building. */
const MAX_HELPERS = 15

/** Structures are shared by engines with equal arithmetic, and of no use to others. */
const cacheOf = ({ cache, kernel }: ResolvedWorkerOptions, writing: Set<Promise<void>>): StructureCache | undefined =>
  cache === undefined ? undefined : new StructureCache(cache, kernel, MAX_CACHE_BYTES, writing)

type Tracing = Pick<SessionPorts, 'pools' | 'scenes' | 'states' | 'askedToLeave'>

async function serveForever(
  options: ResolvedWorkerOptions,
  identity: WorkerIdentity,
  tracing: Tracing,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const backoff = new Backoff(options.random, options.pauses)
  while (!signal.aborted) {
    const joined = await connectOnce(options, identity, tracing, log, signal, backoff)
    // A master that has ended its run needs nothing more; one that is restarted is worth waiting for.
    if (joined && options.retryForMs === 0) return
    // Those whose master was lost return one by one.
    await pause(backoff, signal)
  }
}

/** After a shorter stay the next pause is longer: a master that loses its workers again and again is not called all the time. */
const STEADY_MS = 2000

/** Ends early with the signal. */
const pause = (backoff: Backoff, signal: AbortSignal): Promise<void> =>
  delay(backoff.next(), undefined, { signal }).catch(() => {})

/** One stay in a cluster, with as many attempts to join as the options allow. */
async function connectOnce(
  options: ResolvedWorkerOptions,
  identity: WorkerIdentity,
  tracing: Tracing,
  log: Log,
  signal: AbortSignal,
  backoff: Backoff,
): Promise<boolean> {
  const { url, retryForMs } = options
  const giveUpAt = performance.now() + retryForMs
  const waiting = new Waiting(url, giveUpAt)
  const readyFile = new ReadyFile(options.readyFile, log)
  let joined = false
  let joinedAt = Number.POSITIVE_INFINITY
  const stay = async (): Promise<void> => {
    const line = new MasterLine(url, options.line)
    const { channel } = line
    const leaving = new AbortController()
    let isWelcome = false
    const leave = () => {
      // Without threads nothing can be finished.
      if (isWelcome && !(signal.reason instanceof SortfirstError)) leaving.abort(new Error(partingWords(signal)))
      else channel.close(CLOSE_CODES.leaving, partingWords(signal))
    }
    signal.addEventListener('abort', leave)
    try {
      await line.opened
      await serve(identity, {
        channel,
        platform: nodePlatform,
        ...tracing,
        leaving: leaving.signal,
        clock: performance,
        every: (intervalMs, tick) => {
          const timer = setInterval(tick, intervalMs)
          return () => clearInterval(timer)
        },
        joined: () => {
          line.welcomed()
          isWelcome = true
          joined = true
          joinedAt = performance.now()
          log.info(`joined ${url} as ${identity.name}`)
          readyFile.create()
        },
      })
      // It also does that to a worker that leaves, whose reason is said elsewhere.
      if (!leaving.signal.aborted) log.info('the master said goodbye')
    } catch (error) {
      if (joined && !isFinal(error)) log.info(messageOf(error))
      else throw error
    } finally {
      if (performance.now() - joinedAt >= STEADY_MS) backoff.reset()
      signal.removeEventListener('abort', leave)
      readyFile.remove()
    }
  }
  while (!signal.aborted) {
    try {
      await stay()
      return joined
    } catch (error) {
      if (signal.aborted) return joined
      if (isFinal(error)) throw error
      if (performance.now() >= giveUpAt) throw new UnreachableMasterError(url, retryForMs / 1000, error)
      const text = waiting.failed(error, performance.now())
      if (text) log.info(text)
    }
    await pause(backoff, signal)
  }
  return joined
}

/** Trying again would end in the same way. */
const isFinal = (error: unknown): error is Error =>
  error instanceof RefusedError || error instanceof AccessDeniedError || error instanceof TlsError

const partingWords = ({ reason }: AbortSignal): string =>
  reason instanceof Error ? reason.message : 'the worker was stopped'
