/** What a master can be told, and what it does when it is not. */
import { OptionError } from '../shared/errors.ts'
import { DEFAULT_HEARTBEAT, type HeartbeatOptions } from '../shared/protocol/heartbeat.ts'
import { DEFAULT_PORT } from '../shared/protocol/version.ts'
import type { ExpectedKernels } from './cluster/kernel-check.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from './scheduling/limits.ts'

export interface MasterOptions {
  /** Address to listen on, `host:port`; port 0 takes any free one. @default 127.0.0.1:7411 */
  readonly listen?: string
  /** The kernels that workers may render with. @default any */
  readonly kernels?: ExpectedKernels
  readonly heartbeat?: Partial<HeartbeatOptions>
  readonly limits?: Partial<SchedulerLimits>
}

export interface ResolvedMasterOptions {
  readonly host: string
  readonly port: number
  readonly kernels: ExpectedKernels | undefined
  readonly heartbeat: HeartbeatOptions
  readonly limits: SchedulerLimits
}

/** @throws OptionError */
export function resolveMasterOptions(options: MasterOptions): ResolvedMasterOptions {
  return {
    ...parseListen(options.listen ?? `127.0.0.1:${DEFAULT_PORT}`),
    kernels: options.kernels,
    heartbeat: { ...DEFAULT_HEARTBEAT, ...options.heartbeat },
    limits: { ...DEFAULT_LIMITS, ...options.limits },
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
