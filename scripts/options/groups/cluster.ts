/** The workers that make frames: those of a running master, or of a cluster started here. */
import { OptionRuleError } from '../../../shared/errors.ts'
import { CLOCKS } from '../../../shared/frame/frame-limits.ts'
import { masterUrl } from '../../../shared/protocol/master-address.ts'
import { parseAccelerator } from '../../../worker/accelerators/spec.ts'
import { isWebgpu } from '../../../worker/engine/engine.ts'
import { by, type Caller, CLUSTERS, type GivenOf, group, option, RUNS } from '../declare/group.ts'
import { type Kind, number, oneOf, several, share, text, wholeNumber } from '../declare/kinds.ts'
import { evenThreads, type LocalWorkers, type Pacing, resolvePacing } from './pacing.ts'

/** A day: for how long anything is waited for. */
const MAX_WAIT_S = 86_400

interface LocalDefaults {
  readonly workers: number
  /** Threads per worker; absent: all cores, shared evenly. */
  readonly threads?: number
  readonly shares: 'auto' | 'off'
}

/** The fastest setup. */
const FASTEST: LocalDefaults = { workers: 1, shares: 'off' }
/** One with the device, and one with the CPU. */
export const LEAST_MIXED = 2
/** Something to balance: as many slower machines. */
const EIGHT_MACHINES: LocalDefaults = { workers: 8, threads: 1, shares: 'auto' }

/** How long to wait for workers, s: the driver of a device that is new to the machine may compile for minutes. */
const WAIT_S = 60
const DEVICE_WAIT_S = 300

export const waitMsOf = ({ wait, engine }: { readonly wait?: number | undefined; readonly engine: string }): number =>
  (wait ?? (isWebgpu(engine) ? DEVICE_WAIT_S : WAIT_S)) * 1000

/** How long to wait for a remote master that is lost. In a comparison, a pause would be measured, too. */
const RECONNECT_S = { render: 60, compare: 0 } as const

const shares: Kind<LocalWorkers['shares']> = {
  type: 'string',
  read(word, wrong) {
    if (word === 'auto' || word === 'off') return word
    const each = word.split(',').map(Number)
    if (each.some(share => !(share > 0 && share <= 1024)))
      throw wrong("'auto', 'off', or cores above 0 such as 0.2 or 0.2,0.2,0.1,0.05", `'${word}'`)
    return each
  },
  check() {},
}

const ELSEWHERE = [{ excludes: 'master', because: ': workers elsewhere have their own' }] as const
const OF_CLUSTER = { decides: 'times', entry: 'cluster' } as const

export const cluster = group('Cluster:', CLUSTERS, {
  workers: option({
    flag: '--workers <n>',
    kind: wholeNumber(1, 1024),
    help: 'workers to start here; with {master}, to wait for',
    otherwise: by({ render: `${FASTEST.workers}`, compare: `${EIGHT_MACHINES.workers}; with {master} 1` }),
    variable: CLUSTERS,
    ...OF_CLUSTER,
  }),
  threads: option({
    flag: '--threads <n>',
    kind: wholeNumber(1, 1024),
    help: 'threads of each worker started here',
    otherwise: by({ render: 'all cores', compare: `${EIGHT_MACHINES.threads}` }),
    variable: CLUSTERS,
    rules: ELSEWHERE,
    ...OF_CLUSTER,
  }),
  workerCores: option({
    flag: '--worker-cores <n,…>',
    kind: shares,
    help: 'cores each worker started here is limited to: auto, off, one share, or one per worker',
    otherwise: by({ render: FASTEST.shares, compare: EIGHT_MACHINES.shares }),
    variable: CLUSTERS,
    rules: [{ excludes: 'master', because: ': only workers started here can be limited to a share' }],
    ...OF_CLUSTER,
  }),
  accelerator: option({
    flag: '--accelerator <kind>',
    kind: several,
    help: 'what traces beside the CPU of each worker started here, such as simulated:4 or process:wasm; may be repeated',
    more: 'see [accelerators](scripts/deploy/README.md#accelerators)',
    variable: CLUSTERS,
    rules: ELSEWHERE,
    ...OF_CLUSTER,
  }),
  master: option({
    flag: '--master <url>',
    kind: { ...text(), read: word => masterUrl('--master', word) },
    help: 'use the running cluster of this master',
    variable: CLUSTERS,
    ...OF_CLUSTER,
  }),
  reconnect: option({
    flag: '--reconnect <seconds>',
    kind: number(0, MAX_WAIT_S),
    help: 'with {master}: how long to wait for it to return if it is lost; the film then goes on with the first missing frame; 0: not at all',
    usual: RECONNECT_S.render,
    commands: ['render'],
    variable: ['render'],
    rules: [{ needs: 'master', because: ': a cluster started here ends with this program' }],
  }),
  wait: option({
    flag: '--wait <seconds>',
    kind: number(0, MAX_WAIT_S),
    help: 'how long to wait for workers',
    otherwise: `${WAIT_S}; with --engine webgpu ${DEVICE_WAIT_S}`,
    more: 'a driver that is new to the machine may compile for minutes; workers started here are waited for as long as they live',
    variable: CLUSTERS,
    library: true,
  }),
  verify: option({
    flag: '--verify <share>',
    kind: share(),
    commands: RUNS,
    help: 'share of each frame’s rows that a second worker traces again, {range}, such as 0.05; workers that return wrong pixels are expelled',
    more: 'takes at least two workers, better three',
    usual: 0,
    off: 0,
    variable: RUNS,
    library: true,
    decides: 'times',
    rules: [{ excludes: 'fastMath', because: ', whose bytes may differ between machines' }],
  }),
  clock: option({
    flag: '--clock <name>',
    kind: oneOf('clock', CLOCKS),
    help: 'clock that measures costs: cpu or wall',
    usual: 'cpu',
    variable: CLUSTERS,
    library: true,
    decides: 'times',
  }),
})

export interface RemoteOptions {
  readonly kind: 'remote'
  /** WebSocket address of the master. */
  readonly url: string
  /** Workers to wait for. */
  readonly workers: number
  /** How long to wait for the master if it is lost, s. */
  readonly reconnect: number
}

export interface LocalOptions {
  readonly kind: 'local'
  /** Worker processes to start. */
  readonly workers: number
  readonly threads: number
  readonly pacing: Pacing
  /** Of each worker. */
  readonly accelerators: readonly string[]
}

/**
 * @param cores of this machine
 * @param mixEngines whether the first worker started here traces on a device, and the others on the CPU
 * @throws OptionError
 */
export function resolveCluster(
  given: GivenOf<typeof cluster>,
  caller: Caller,
  cores: number,
  mixEngines = false,
): RemoteOptions | LocalOptions {
  const { master, workers: asked, reconnect = RECONNECT_S[caller === 'compare' ? 'compare' : 'render'] } = given
  if (master !== undefined) return { kind: 'remote', url: master, workers: asked ?? 1, reconnect }
  const local = caller === 'compare' ? EIGHT_MACHINES : FASTEST
  const workers = asked ?? Math.max(local.workers, mixEngines ? LEAST_MIXED : 1)
  if (mixEngines && workers < LEAST_MIXED)
    throw new OptionRuleError(
      '--mix-engines',
      `needs at least --workers ${LEAST_MIXED}, the first of which has the device`,
    )
  const threads = given.threads ?? local.threads ?? evenThreads(mixEngines ? workers - 1 : workers, cores)
  const { accelerator: accelerators = [], workerCores = local.shares } = given
  const factors = accelerators.map(accelerator => parseAccelerator(accelerator).factor)
  // Each worker has its share for its CPU; what its accelerators add must be there, too.
  const own = cores / (1 + factors.reduce((sum, factor) => sum + factor, 0))
  const pacing = resolvePacing({ count: workers, threads, cores: workers > 1 ? own : cores, shares: workerCores })
  return { kind: 'local', workers, threads, pacing, accelerators }
}

/** @returns the share of rows that are traced twice; undefined: none. @throws OptionError */
export function resolveVerify(
  { verify = 0 }: GivenOf<typeof cluster>,
  { kind, workers }: { readonly kind: 'remote' | 'local'; readonly workers: number },
): number | undefined {
  if (verify === 0) return undefined
  if (kind === 'local' && workers < 2)
    throw new OptionRuleError('--verify', 'needs at least --workers 2, better 3, to check each other')
  return verify
}
