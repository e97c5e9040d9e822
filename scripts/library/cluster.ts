/** Clusters for rendering: a temporary one on this machine, or a running one elsewhere. */
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { LocalRunner } from '../../master/sessions/methods.ts'
import { checkedAccess, type MasterAccess } from '../../shared/access/node/master-access.ts'
import { OptionError } from '../../shared/errors.ts'
import { defaultCacheFolder } from '../../shared/node/cache-folder.ts'
import { masterUrl } from '../../shared/protocol/master-address.ts'
import type { LineOptions } from '../../shared/protocol/node/master-line.ts'
import type { SessionRunner } from '../../shared/session/session.ts'
import { guardedLog, type Log, silentLog } from '../../shared/text/log.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { parseAccelerator } from '../../worker/accelerators/spec.ts'
import type { EngineKind } from '../../worker/engine/engine.ts'
import { checkMixed, runnableEngine } from '../../worker/node/engines.ts'
import { said } from '../options/declare/kinds.ts'
import { LEAST_MIXED } from '../options/groups/cluster.ts'
import { evenThreads, type LocalWorkers, resolvePacing } from '../options/groups/pacing.ts'
import { startEmbeddedCluster } from './embedded-cluster.ts'
import { LastingCluster } from './lasting-cluster.ts'
import { connectToCluster } from './remote-cluster.ts'
import type { ShowScene } from './shown-view.ts'
import type { SpareWorker } from './worker-process.ts'

interface AnyCluster extends Pick<SessionRunner, 'close'> {
  /** Number of workers that a rendering waits for before its first frame. */
  readonly workers: number
  /** Whether its master is in this process. */
  readonly embedded: boolean
  /** Process ids of the workers, if they were started here. */
  readonly processIds?: readonly number[]
  /** Shows a scene on the master's page. Absent for one that is waited for when it is lost. */
  readonly show?: ShowScene
  /** Fingerprint of its workers with an engine, when there is one. Absent for workers that were not started here. */
  readonly kernelOf?: (engine: EngineKind, signal: AbortSignal) => Promise<string>
}

/** One whose master is in this process: a session may bring strategies and predictors of its own. */
export interface LocalCluster extends AnyCluster, LocalRunner {
  readonly embedded: true
}

interface RemoteCluster extends AnyCluster, SessionRunner {
  readonly embedded: false
}

/** A master and its workers. Any number of renderings may share it. */
export type Cluster = LocalCluster | RemoteCluster

/** Whether it is one worker on this machine: there is nothing to balance. */
export const isOneWorker = ({ embedded, workers }: Cluster): boolean => embedded && workers === 1

export interface ClusterOptions {
  /** Worker processes. @default 1 */
  readonly workers?: number
  /** Tracing threads per worker. @default all cores, shared evenly */
  readonly threads?: number
  /**
   * Cores that each worker is limited to: `off`, one share for all or one for each, or `auto`: an even share if there are more
   * threads than cores, so that frame times are those of as many slower machines. @default off
   */
  readonly cores?: LocalWorkers['shares']
  /** @default wasm */
  readonly engine?: string
  /** Whether the first worker alone has it, which is webgpu, and the others trace on the CPU. At least 2 workers. @default false */
  readonly mixEngines?: boolean
  /** What traces beside the CPU of each worker, such as `simulated:4`. @default none */
  readonly accelerators?: readonly string[]
  /** Folder for built scenes, shared by the workers and kept for later clusters; false: none. @default the system's cache */
  readonly cache?: string | false
  /** Of the master. @default any that is free */
  readonly port?: number | undefined
  readonly log?: Log
  readonly signal?: AbortSignal
}

/**
 * Starts worker processes and a master for them. They end with `close()`, or together with this process.
 * Rejects with OptionError, UnknownNameError, EngineUnavailableError, ListenError or WorkerStartError, or the signal's reason.
 */
export const startCluster = (options: ClusterOptions = {}): Promise<Cluster> => startClusterWith(undefined, options)

/** @param spare becomes the first worker */
export async function startClusterWith(
  spare: SpareWorker | undefined,
  {
    mixEngines = false,
    workers = mixEngines ? LEAST_MIXED : 1,
    threads = evenThreads(mixEngines ? Math.max(1, workers - 1) : workers, availableParallelism()),
    cores: shares = 'off',
    engine = 'wasm',
    accelerators = [],
    cache = defaultCacheFolder(),
    port = 0,
    log = silentLog,
    signal,
  }: ClusterOptions,
): Promise<Cluster> {
  checkCounts({ workers, threads })
  const name = runnableEngine(engine, accelerators)
  checkMixed(name, mixEngines, 'mixEngines')
  if (mixEngines && workers < LEAST_MIXED)
    throw new OptionError('workers', `at least ${LEAST_MIXED} with mixEngines`, `${workers}`)
  for (const accelerator of accelerators) parseAccelerator(accelerator)
  const pacing = resolvePacing({ count: workers, threads, cores: availableParallelism(), shares })
  const shared = cache === false ? {} : { cache }
  const starting = startEmbeddedCluster(
    { pacing, threads, engine: name, mixEngines, accelerators, port, ...shared },
    guardedLog(log),
    spare,
  )
  const { processes, run, close, show, kernelOf } = await opening(starting, signal)
  return { run, close, show, kernelOf, workers, embedded: true, processIds: processes.flatMap(({ pid }) => pid ?? []) }
}

/** Of workers, and of a worker's threads: as on the command line. */
const MOST = 1024

/** @throws OptionError */
function checkCounts(counts: Readonly<Record<string, number>>): void {
  for (const [option, count] of Object.entries(counts))
    if (!(Number.isInteger(count) && count >= 1 && count <= MOST))
      throw new OptionError(option, `a whole number from 1 to ${MOST}`, said(count))
}

export interface ConnectOptions extends MasterAccess {
  /** Number of workers that a rendering waits for. @default 1 */
  readonly workers?: number
  /**
   * How long a film or a viewer waits for a master that is lost, seconds. A film goes on with the first frame that was not delivered, a
   * viewer with its newest view; a master that has too many connections is waited for at first, too. @default 0, they fail with their
   * connection
   */
  readonly reconnect?: number
  readonly log?: Log
  readonly signal?: AbortSignal
}

/**
 * Connects to a running master: `ws://host:port` or `wss://host:port`, or just `host` or `host:port`.
 * Rejects with OptionError, MasterConnectionError, AccessDeniedError, TlsError or RemoteError, or with the signal's reason.
 */
export async function connect(master: string, options: ConnectOptions = {}): Promise<Cluster> {
  const { workers = 1, reconnect = 0, signal, log, ...access } = options
  checkCounts({ workers })
  const url = masterUrl('master', master)
  if (!(reconnect >= 0)) throw new OptionError('reconnect', 'seconds, at least 0', `${reconnect}`)
  const line = checkedAccess(access, url)
  const of = (runner: SessionRunner) => ({
    run: (...session: Parameters<SessionRunner['run']>) => runner.run(...session),
    close: () => runner.close(),
    workers,
    embedded: false as const,
  })
  if (reconnect > 0) return of(await opening(lasting(url, line, options), signal))
  const runner = await opening(connectToCluster(url, line, signal), signal)
  return { ...of(runner), show: runner.show }
}

function lasting(
  url: string,
  line: LineOptions,
  { reconnect = 0, log = silentLog, signal = new AbortController().signal }: ConnectOptions,
): Promise<SessionRunner> {
  const ports = {
    url,
    patienceMs: reconnect * 1000,
    random: Math.random,
    connect: (over: AbortSignal) => connectToCluster(url, line, over),
    now: () => performance.now(),
    pause: (ms: number, over: AbortSignal) => delay(ms, undefined, { signal: over }),
  }
  return LastingCluster.open(ports, guardedLog(log), signal)
}

/** Rejects as soon as the signal aborts; a cluster that opens later is closed. */
async function opening<T extends Pick<SessionRunner, 'close'>>(
  opened: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return opened
  return untilAborted(signal, opened).catch(error => {
    opened.then(late => late.close()).catch(() => {})
    throw error
  })
}
