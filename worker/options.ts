/** What a worker can be told, and what it does when it is not. */
import { hostname } from 'node:os'
import { OptionError } from '../shared/errors.ts'
import { masterUrl } from '../shared/protocol/master-address.ts'
import type { EngineName } from './engine/engine.ts'
import { DEFAULT_ENGINE, engineByName } from './node/engines.ts'

export interface WorkerOptions {
  /** Address of the master: `ws://host:port`, or `host` or `host:port` for short. */
  readonly master: string
  /** What people see in reports. @default the host's name and the process id */
  readonly name?: string
  /** @default wasm */
  readonly engine?: string
  /** Tracing threads, 1 to 1024. @default 1 */
  readonly threads?: number
  /** Throughput of one thread relative to other workers' threads, at least 0. @default 1 */
  readonly speed?: number
  /** Cores this worker may use, above 0; less than `threads` paces it. @default unlimited */
  readonly cores?: number
  /** How long to try to reach the master, at first and whenever the connection is lost, s. @default 60 */
  readonly retryFor?: number
  /** A file that exists while the worker is in a cluster, for health checks. */
  readonly readyFile?: string
}

export interface ResolvedWorkerOptions {
  readonly url: string
  readonly name: string
  readonly engine: EngineName
  /** The engine's fingerprint. */
  readonly kernel: string
  readonly threads: number
  readonly speed: number
  readonly cores: number | undefined
  readonly retryForMs: number
  readonly readyFile: string | undefined
}

/** @throws OptionError, UnknownNameError, EngineUnavailableError */
export function resolveWorkerOptions(options: WorkerOptions): ResolvedWorkerOptions {
  const { threads = 1, speed = 1, cores, retryFor = 60 } = options
  if (!Number.isInteger(threads) || threads < 1 || threads > 1024)
    throw new OptionError('--threads', 'a whole number from 1 to 1024', `${threads}`)
  if (!(speed >= 0 && speed <= 1e6)) throw new OptionError('--speed', 'a number from 0 to 1000000', `${speed}`)
  if (cores !== undefined && !(cores > 0)) throw new OptionError('--cores', 'a number above 0', `${cores}`)
  if (!(retryFor >= 0)) throw new OptionError('--retry-for', 'seconds, at least 0', `${retryFor}`)
  const engine = engineByName(options.engine ?? DEFAULT_ENGINE)
  return {
    url: masterUrl('master', options.master),
    name: options.name ?? `${hostname()}-${process.pid}`,
    engine: engine.name,
    kernel: engine.fingerprint,
    threads,
    speed,
    cores,
    retryForMs: retryFor * 1000,
    readyFile: options.readyFile,
  }
}
