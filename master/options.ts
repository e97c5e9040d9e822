/** Options of a master and their defaults. */
import { checkedSecret, HOW_TO_MAKE_A_TOKEN, parseTokens, RIGHTS, type Tokens } from '../shared/access/tokens.ts'
import { OptionError, OptionRuleError } from '../shared/errors.ts'
import { DEFAULT_DEADLINES, type Deadlines } from '../shared/protocol/deadlines.ts'
import { DEFAULT_HEARTBEAT, type HeartbeatOptions } from '../shared/protocol/heartbeat.ts'
import type { Encoding } from '../shared/protocol/messages.ts'
import { CONNECTIONS, LEAST_PACE, MOST_EXPELLED_PER_ADDRESS, UPGRADE_MS } from '../shared/protocol/peer-limits.ts'
import { DEFAULT_PORT } from '../shared/protocol/version.ts'
import { DEFAULT_TAKE_LIMITS, type TakeLimits } from './clients/last-frames.ts'
import type { ExpectedKernels } from './cluster/kernel-check.ts'
import { DEFAULT_RELIABILITY, type ReliabilityLimits } from './cluster/reliability.ts'
import { DEFAULT_STRANGER_LIMITS, type StrangerLimits } from './cluster/strangers.ts'
import type { DoorLimits } from './http/door.ts'
import { isLoopback } from './http/loopback.ts'
import { checkedTls, type MasterTls } from './http/tls.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from './scheduling/limits.ts'
import type { WorkTargets } from './sessions/workers-worth.ts'

export interface MasterOptions {
  /** Address to listen on, `host:port`; port 0 takes any free one. @default 127.0.0.1:7411 */
  readonly listen?: string
  /**
   * Who may do what: one secret of at least 16 characters for everything, or one each for `worker`, `client`, `viewer` and
   * `operate`. Needed to listen beyond this machine. @default everybody may do everything
   */
  readonly token?: string | Tokens
  /** Encrypts connections: a certificate and its private key, in PEM form. @default none */
  readonly tls?: MasterTls
  /** Whether everybody may do everything, also beyond this machine. @default false */
  readonly insecure?: boolean
  /** The kernels that workers may render with. @default any */
  readonly kernels?: ExpectedKernels
  /** Names of the workers that are started with this master, and have not ended. @default workers come from elsewhere */
  readonly ownNames?: () => readonly string[]
  readonly heartbeat?: Partial<HeartbeatOptions>
  readonly deadlines?: Partial<Pick<Deadlines, 'helloMs'>>
  /** Bounds on connections that have not said hello. */
  readonly strangers?: Partial<Omit<StrangerLimits, 'helloMs'>>
  /** Bounds on connections of all kinds. */
  readonly connections?: Partial<DoorLimits>
  /** What a peer in the middle of a message has to send or read at least. */
  readonly leastPace?: { readonly bytes: number; readonly inMs: number }
  readonly limits?: Partial<SchedulerLimits>
  /** How long a master that closes waits for clients to take their last frames. */
  readonly closing?: Partial<TakeLimits>
  /** How long a worker may make no progress with a scene before it is no longer expected to have it, ms. @default 120,000 */
  readonly buildPatienceMs?: number
  /** When workers that fail are set aside, and for how long. */
  readonly reliability?: Partial<ReliabilityLimits>
  /** So many workers of one address may be expelled before it gets no new ones in, at least 1; more for gateways. @default 3 */
  readonly mostExpelledPerAddress?: number
  /** How long the work in hand may take: says how many workers it is worth. */
  readonly targets?: Omit<WorkTargets, 'mostWorkers'>
  /** Bound on the stored parts of clients' scenes, in use or not, bytes. @default 4 GiB */
  readonly partBytes?: number
  /** How pixels travel, for measurements. @default what suits each peer's line */
  readonly encoding?: Encoding
}

export interface ResolvedMasterOptions {
  readonly host: string
  readonly port: number
  /** Undefined: everybody may do everything. */
  readonly tokens: Tokens | undefined
  readonly tls: MasterTls | undefined
  /** What to tell the user, a sentence each. */
  readonly warnings: readonly string[]
  readonly kernels: ExpectedKernels | undefined
  readonly ownNames: (() => readonly string[]) | undefined
  readonly heartbeat: HeartbeatOptions
  readonly strangers: StrangerLimits
  readonly door: DoorLimits
  readonly leastPace: { readonly bytes: number; readonly inMs: number }
  readonly limits: SchedulerLimits
  readonly closing: TakeLimits
  readonly buildPatienceMs: number | undefined
  readonly reliability: ReliabilityLimits
  readonly mostExpelledPerAddress: number
  readonly targets: Omit<WorkTargets, 'mostWorkers'>
  readonly partBytes: number
  readonly encoding: Encoding | undefined
}

/**
 * @param today ms since 1970
 * @throws OptionError
 */
export function resolveMasterOptions(options: MasterOptions, today: number): ResolvedMasterOptions {
  const { helloMs } = { ...DEFAULT_DEADLINES, ...options.deadlines }
  return {
    ...resolveAccess(options, today),
    kernels: options.kernels,
    ownNames: options.ownNames,
    heartbeat: { ...DEFAULT_HEARTBEAT, ...options.heartbeat },
    strangers: { ...DEFAULT_STRANGER_LIMITS, ...options.strangers, helloMs },
    door: { ...CONNECTIONS, upgradeMs: UPGRADE_MS, ...options.connections },
    leastPace: options.leastPace ?? LEAST_PACE,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    closing: { ...DEFAULT_TAKE_LIMITS, ...options.closing },
    buildPatienceMs: options.buildPatienceMs,
    reliability: { ...DEFAULT_RELIABILITY, ...options.reliability },
    mostExpelledPerAddress: options.mostExpelledPerAddress ?? MOST_EXPELLED_PER_ADDRESS,
    targets: options.targets ?? {},
    partBytes: options.partBytes ?? 4 * 2 ** 30,
    encoding: options.encoding,
  }
}

/** @throws OptionError */
export function parseListen(listen: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(listen)
  const port = Number(match?.[3])
  const host = match?.[1] ?? match?.[2]
  if (!host || port > 65535)
    throw new OptionError('--listen', "'host:port' such as 127.0.0.1:7411 or [::1]:7411", `'${listen}'`)
  return { host, port }
}

/** Beyond this machine nobody is let in unless the user says who, or says that all are. */
function resolveAccess(
  { listen = `127.0.0.1:${DEFAULT_PORT}`, token, insecure = false, tls }: MasterOptions,
  today: number,
): Pick<ResolvedMasterOptions, 'host' | 'port' | 'tokens' | 'tls' | 'warnings'> {
  const { host, port } = parseListen(listen)
  const tokens = token === undefined ? undefined : resolveTokens(token)
  const isOpen = !isLoopback(host)
  if (insecure && tokens)
    throw new OptionRuleError('--insecure', 'cannot be combined with a token: it lets anyone connect')
  if (isOpen && !tokens && !insecure)
    throw new OptionError(
      '--listen',
      `a token with ${listen}, which other machines can reach: set SORTFIRST_TOKEN or --token-file (${HOW_TO_MAKE_A_TOKEN}), or let anyone connect with --insecure`,
      'none',
    )
  const warnings: string[] = []
  if (isOpen && insecure)
    warnings.push(`--insecure: anyone who reaches ${listen} may use this cluster, join it, and see its pictures`)
  if (isOpen && tokens && !tls)
    warnings.push('without --tls-cert, tokens, scenes and pictures travel unencrypted: use a network that you trust')
  return { host, port, tokens, tls: tls && checkedTls(tls, today), warnings }
}

function resolveTokens(token: string | Tokens): Tokens {
  if (typeof token === 'string') return parseTokens('token', token)
  const given = RIGHTS.filter(right => token[right] !== undefined)
  if (given.length === 0) throw new OptionError('token', `a secret, or one for some of ${RIGHTS.join(', ')}`, 'none')
  return Object.fromEntries(given.map(right => [right, checkedSecret(`token, ${right}`, token[right] ?? '')]))
}
