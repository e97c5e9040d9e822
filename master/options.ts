/** Options of a master and their defaults. */
import { OptionError } from '../shared/errors.ts'
import { DEFAULT_DEADLINES, type Deadlines } from '../shared/protocol/deadlines.ts'
import { DEFAULT_HEARTBEAT, type HeartbeatOptions } from '../shared/protocol/heartbeat.ts'
import { CONNECTIONS, LEAST_PACE, UPGRADE_MS } from '../shared/protocol/peer-limits.ts'
import { DEFAULT_PORT } from '../shared/protocol/version.ts'
import type { ExpectedKernels } from './cluster/kernel-check.ts'
import { DEFAULT_STRANGER_LIMITS, type StrangerLimits } from './cluster/strangers.ts'
import type { DoorLimits } from './http/door.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from './scheduling/limits.ts'

export interface MasterOptions {
  /** Address to listen on, `host:port`; port 0 takes any free one. @default 127.0.0.1:7411 */
  readonly listen?: string
  /** The kernels that workers may render with. @default any */
  readonly kernels?: ExpectedKernels
  readonly heartbeat?: Partial<HeartbeatOptions>
  readonly deadlines?: Partial<Pick<Deadlines, 'helloMs'>>
  /** Bounds on connections that have not said hello. */
  readonly strangers?: Partial<Omit<StrangerLimits, 'helloMs'>>
  /** Bounds on connections of all kinds. */
  readonly connections?: Partial<DoorLimits>
  /** What a peer in the middle of a message has to send or read at least. */
  readonly leastPace?: { readonly bytes: number; readonly inMs: number }
  readonly limits?: Partial<SchedulerLimits>
  /** How long a worker may make no progress with a scene before it is no longer expected to have it, ms. @default 120,000 */
  readonly buildPatienceMs?: number
  /** Bound on the stored parts of clients' scenes, in use or not, bytes. @default 4 GiB */
  readonly partBytes?: number
}

export interface ResolvedMasterOptions {
  readonly host: string
  readonly port: number
  readonly kernels: ExpectedKernels | undefined
  readonly heartbeat: HeartbeatOptions
  readonly strangers: StrangerLimits
  readonly door: DoorLimits
  readonly leastPace: { readonly bytes: number; readonly inMs: number }
  readonly limits: SchedulerLimits
  readonly buildPatienceMs: number | undefined
  readonly partBytes: number
}

/** @throws OptionError */
export function resolveMasterOptions(options: MasterOptions): ResolvedMasterOptions {
  const { helloMs } = { ...DEFAULT_DEADLINES, ...options.deadlines }
  return {
    ...parseListen(options.listen ?? `127.0.0.1:${DEFAULT_PORT}`),
    kernels: options.kernels,
    heartbeat: { ...DEFAULT_HEARTBEAT, ...options.heartbeat },
    strangers: { ...DEFAULT_STRANGER_LIMITS, ...options.strangers, helloMs },
    door: { ...CONNECTIONS, upgradeMs: UPGRADE_MS, ...options.connections },
    leastPace: options.leastPace ?? LEAST_PACE,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    buildPatienceMs: options.buildPatienceMs,
    partBytes: options.partBytes ?? 4 * 2 ** 30,
  }
}

function parseListen(listen: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(listen)
  const port = Number(match?.[3])
  const host = match?.[1] ?? match?.[2]
  if (!host || port > 65535)
    throw new OptionError('--listen', "'host:port' such as 127.0.0.1:7411 or [::1]:7411", `'${listen}'`)
  return { host, port }
}
