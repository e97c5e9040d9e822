/** The options of a worker and their defaults. */
import { randomInt } from 'node:crypto'
import { hostname } from 'node:os'
import { checkedAccess, type MasterAccess } from '../shared/access/node/master-access.ts'
import { messageOf, OptionError, SortfirstError } from '../shared/errors.ts'
import { masterUrl } from '../shared/protocol/master-address.ts'
import type { LineOptions } from '../shared/protocol/node/master-line.ts'
import { MAX_AREAS } from '../shared/protocol/version.ts'
import { printable } from '../shared/text/printable.ts'
import type { Pauses } from '../shared/time/backoff.ts'
import { type AcceleratorSpec, parseAccelerator } from './accelerators/spec.ts'
import { type EngineName, isWebgpu } from './engine/engine.ts'
import { checkBeside, DEFAULT_ENGINE, engineByName, engineNameOf } from './node/engines.ts'

export interface WorkerOptions extends MasterAccess {
  /** Address of the master: `ws://host:port` or `wss://host:port`, or `host` or `host:port` for short; `http://` is taken for `ws://`. */
  readonly master: string
  /** The name shown in reports. @default the host's name and the process id */
  readonly name?: string
  /** @default wasm */
  readonly engine?: string
  /** Tracing threads, 1 to 1024. @default 1 */
  readonly threads?: number
  /** Throughput of one thread relative to other workers' threads, at least 0. @default 1 */
  readonly speed?: number
  /** What traces beside the CPU, such as `simulated:4` (`accelerators/spec.ts`). One that cannot be had is left out. @default none */
  readonly accelerators?: readonly string[]
  /** Whether accelerators that cannot be had are errors. @default false */
  readonly acceleratorRequired?: boolean
  /** Threads that are left free to feed accelerators. @default one with accelerators and at least two threads, else none */
  readonly feeders?: number
  /** Cores this worker may use, above 0; less than `threads` paces it. @default unlimited */
  readonly cores?: number
  /** How long to try to reach the master, at first and whenever the connection is lost, s. @default 60 */
  readonly retryFor?: number
  /** Instead of `retryFor`: with no master for so long it ends in good order, s, above 0. @default none */
  readonly deathTimeout?: number
  /** After so long it leaves in good order, s, above 0. @default when it is closed */
  readonly lifetime?: number
  /** From 0 to below 1: makes the pauses between attempts differ from other workers'. @default a random number */
  readonly random?: () => number
  /** How long the pauses between attempts are. @default 0.1 to 2 s */
  readonly pauses?: Pauses
  /** Bound of the parts of scenes that are kept, in use or not, at least 1, bytes. @default 2 GiB */
  readonly partBytes?: number
  /** Approximate bound of the built scenes that are kept, at least 1, bytes. @default 4 GiB */
  readonly builtBytes?: number
  /** A folder on this machine that keeps built scenes for the next run and for other workers. @default none */
  readonly cache?: string
  /** A file that exists while the worker is in a cluster, for health checks. */
  readonly readyFile?: string
  /** A folder of this worker alone, which keeps the key by which masters know it. @default a new key for each start */
  readonly state?: string
  /** How the master is waited for and watched. */
  readonly line?: LineOptions
  /** Whether tracing threads start before there is a scene, as where one is sure to come. @default false */
  readonly threadsAtOnce?: boolean
  /** The program of a tracing thread. @default the engine's */
  readonly threadProgram?: URL
}

export interface ResolvedWorkerOptions {
  readonly url: string
  readonly name: string
  readonly engine: EngineName
  /** The engine's fingerprint; of a device's, nothing yet. */
  readonly kernel: string
  /** The granularity at which the engine is best given work. */
  readonly grain: { readonly rows: number; readonly rays: number }
  /** That trace: those that feed are left out. */
  readonly threads: number
  readonly accelerators: readonly AcceleratorSpec[]
  readonly acceleratorRequired: boolean
  /** Accelerators that were asked for and cannot be, one sentence each. */
  readonly refused: readonly OptionError[]
  readonly speed: number
  readonly cores: number | undefined
  readonly retryForMs: number
  /** Whether a master that cannot be reached is the end of its work, not a failure. */
  readonly endsAlone: boolean
  readonly lifetimeMs: number | undefined
  readonly random: () => number
  readonly pauses: Pauses | undefined
  readonly partBytes: number
  readonly builtBytes: number
  readonly cache: string | undefined
  readonly readyFile: string | undefined
  readonly state: string | undefined
  readonly line: LineOptions
  readonly threadsAtOnce: boolean
  readonly threadProgram: URL | undefined
}

/** An accelerator that was required does not start, cannot use a scene, or does not trace. */
export class AcceleratorError extends SortfirstError {
  readonly code = 'NO_ACCELERATOR'
  constructor(accelerator: string, cause: unknown) {
    super(
      `accelerator ${accelerator} cannot be used: ${messageOf(cause)}; without --accelerator-required the worker goes on with its CPU`,
      { cause },
    )
  }
}

const GIB = 2 ** 30
/** Of a device that computes pixels: each portion has to travel. */
const DEVICE_GRAIN = { blockRows: 8, fineRays: 1 << 16 } as const

/** @throws OptionError, UnknownNameError, EngineUnavailableError */
export function resolveWorkerOptions(options: WorkerOptions): ResolvedWorkerOptions {
  const { threads = 1, speed = 1, cores, retryFor = 60, deathTimeout, lifetime } = options
  if (!Number.isInteger(threads) || threads < 1 || threads > 1024)
    throw new OptionError('--threads', 'a whole number from 1 to 1024', `${threads}`)
  if (!(speed === 0 || (speed >= 1e-3 && speed <= 1e6)))
    throw new OptionError('--speed', '0, or a number from 0.001 to 1000000', `${speed}`)
  if (cores !== undefined && !(cores >= 1e-3)) throw new OptionError('--cores', 'at least 0.001', `${cores}`)
  if (!(retryFor >= 0)) throw new OptionError('--retry-for', 'seconds, at least 0', `${retryFor}`)
  if (deathTimeout !== undefined && !(deathTimeout > 0))
    throw new OptionError('--death-timeout', 'seconds, more than 0', `${deathTimeout}`)
  if (lifetime !== undefined && !(lifetime > 0))
    throw new OptionError('--lifetime', 'seconds, more than 0', `${lifetime}`)
  const name = options.name ?? `${hostname()}-${process.pid}`
  if (name.length < 1 || name.length > 128 || printable(name) !== name)
    throw new OptionError('--name', '1 to 128 printable characters', JSON.stringify(name))
  const { accelerators, refused, feeders } = resolveAccelerators(options, threads)
  const engine = engineNameOf(options.engine ?? DEFAULT_ENGINE)
  checkBeside(engine, [...accelerators, ...refused])
  // Of a device it is known once that is open.
  const own = isWebgpu(engine) ? { fingerprint: '', grain: DEVICE_GRAIN } : engineByName(engine)
  const url = masterUrl('master', options.master)
  return {
    url,
    name,
    engine,
    kernel: own.fingerprint,
    grain: { rows: own.grain.blockRows, rays: own.grain.fineRays },
    threads: threads - feeders,
    accelerators,
    refused,
    acceleratorRequired: options.acceleratorRequired === true,
    speed,
    cores,
    retryForMs: (deathTimeout ?? retryFor) * 1000,
    endsAlone: deathTimeout !== undefined,
    lifetimeMs: lifetime === undefined ? undefined : lifetime * 1000,
    pauses: options.pauses,
    random: options.random ?? (() => randomInt(2 ** 32) / 2 ** 32),
    partBytes: options.partBytes ?? 2 * GIB,
    builtBytes: options.builtBytes ?? 4 * GIB,
    cache: options.cache,
    readyFile: options.readyFile,
    state: options.state,
    line: { ...options.line, ...checkedAccess(options, url) },
    threadsAtOnce: options.threadsAtOnce === true,
    threadProgram: options.threadProgram,
  }
}

/** @throws OptionError, for accelerators only where they are required */
function resolveAccelerators(
  { accelerators: asked = [], acceleratorRequired = false, feeders: fed }: WorkerOptions,
  threads: number,
): { accelerators: AcceleratorSpec[]; refused: OptionError[]; feeders: number } {
  const accelerators: AcceleratorSpec[] = []
  const refused: OptionError[] = []
  const attempt = (what: () => void) => {
    try {
      what()
    } catch (error) {
      if (acceleratorRequired || !(error instanceof OptionError)) throw error
      refused.push(error)
    }
  }
  if (asked.length === 0 && (acceleratorRequired || fed !== undefined))
    throw new OptionError(
      acceleratorRequired ? '--accelerator-required' : '--feeders',
      '--accelerator with it, such as simulated:4',
      'none',
    )
  if (asked.length >= MAX_AREAS)
    throw new OptionError('--accelerator', `at most ${MAX_AREAS - 1} accelerators`, `${asked.length}`)
  for (const text of asked) attempt(() => accelerators.push(parseAccelerator(text)))
  let feeders = accelerators.length > 0 && threads > 1 ? 1 : 0
  if (fed !== undefined && accelerators.length > 0)
    attempt(() => {
      if (!Number.isInteger(fed) || fed < 0 || fed >= threads)
        throw new OptionError(
          '--feeders',
          `a whole number from 0 to ${threads - 1}, so that at least one of ${threads} threads traces`,
          `${fed}; ${feeders} are left free`,
        )
      feeders = fed
    })
  return { accelerators, refused, feeders }
}
