/** Starts what a worker traces with: its CPU, and the accelerators beside it. */
import { messageOf } from '../../shared/errors.ts'
import type { AreaOffer } from '../../shared/protocol/messages.ts'
import type { Log } from '../../shared/text/log.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { AreaStates } from '../accelerators/area-states.ts'
import { type Capacity, divideCores } from '../accelerators/capacity.ts'
import type { GuardedPool } from '../accelerators/guarded-pool.ts'
import { cpuLimit, machineCores } from '../cpu-limit.ts'
import { engineKind, isWebgpu } from '../engine/engine.ts'
import { AcceleratorError, type ResolvedWorkerOptions } from '../options.ts'
import type { TilePool } from '../tile-pool.ts'
import { DEVICE_THREADS, startAccelerator, startWebgpuEngine } from './accelerators.ts'
import { lazyPool } from './lazy-pool.ts'
import { launchThreadPool } from './thread-pool.ts'

export interface Areas {
  /** What the worker offers, the CPU first, and what traces for each. */
  readonly offers: readonly AreaOffer[]
  readonly pools: readonly TilePool[]
  readonly states: AreaStates
  /**
   * Rejects once the worker is of no use: the CPU's threads have ended by themselves (ThreadError), or an accelerator is required and cannot use
   * a scene, does not trace, or cannot be started anew (AcceleratorError).
   */
  readonly broken: Promise<never>
  close(): Promise<void>
}

/** Threads that shade for a device: while it traces the rays of some, the others shade. */
const SHADING_THREADS = 8

/** Of a device that has no cores; what it can do is measured, and until then taken to be what the CPU area can. */
const capacityBeside = ({ speed }: Capacity): Capacity => ({ threads: SHADING_THREADS, cores: SHADING_THREADS, speed })

/** The one area of a worker whose engine is a device. Rejects with DeviceError. */
async function startDeviceArea({ engine, speed, grain }: ResolvedWorkerOptions, log: Log): Promise<Areas> {
  const { pool, broken, close, label, kernel } = await startWebgpuEngine(engine, DEVICE_THREADS, log)
  const offer: AreaOffer = {
    ...{ engine: engineKind(engine), kernel, clock: 'wall', grain, device: label },
    ...{ threads: DEVICE_THREADS, speed: speed / DEVICE_THREADS },
  }
  return { offers: [offer], pools: [pool], states: new AreaStates(), broken, close }
}

/** Rejects with ThreadError, or with AcceleratorError where an accelerator is required and cannot be had. */
export async function startAreas(options: ResolvedWorkerOptions, log: Log): Promise<Areas> {
  const { threads, engine, kernel, speed, cores, grain, accelerators, acceleratorRequired, threadProgram } = options
  for (const { message } of options.refused) log.warn(`${message}; the worker goes on with what it has`)
  const factors = accelerators.map(({ factor }) => factor)
  const { cpu, accelerators: capacities } = divideCores({
    threads,
    factors,
    machineCores: machineCores(),
    ...(cores === undefined ? {} : { cores }),
  })
  if (isWebgpu(engine)) return startDeviceArea(options, log)
  const isPaced = cpu.cores < threads
  const start = () => launchThreadPool({ threads, engine, ...(isPaced ? { coreShare: cpu.cores } : {}) }, threadProgram)
  const pool = lazyPool(start, options.threadsAtOnce)
  // A limit above what the threads can use has no effect.
  const held = Math.min(isPaced ? cpu.cores : Infinity, cpuLimit() ?? Infinity)
  const common = { engine: engineKind(engine), kernel, clock: 'cpu', grain } as const
  const offers: AreaOffer[] = [
    { ...common, threads, speed: (speed * cpu.speed) / threads, ...(held < threads ? { cores: held } : {}) },
  ]
  const pools: TilePool[] = [pool]
  const guards: GuardedPool[] = []
  const states = new AreaStates()
  const lost = new AbortController()
  const close = async () => void (await Promise.all([pool, ...guards].map(each => each.close())))
  for (const [i, spec] of accelerators.entries()) {
    const isDevice = spec.kind === 'webgpu'
    const capacity = isDevice ? capacityBeside(cpu) : capacities[i]!
    let { text } = spec
    const area = pools.length
    const changed = (reason?: string, isHopeless = false) => {
      if (reason !== undefined && isHopeless && acceleratorRequired)
        return lost.abort(new AcceleratorError(text, reason))
      // It may fail to start again and again, always for the same reason.
      if (states.down.get(area) === reason) return
      if (reason === undefined) log.info(`${text} is back`)
      else log.warn(`${text} is withdrawn: ${reason}; the CPU goes on`)
      states.changed(area, reason)
    }
    try {
      const named = (name: string) => {
        text = name
      }
      const order = { spec, capacity, engine, program: threadProgram, cpu: pool, changed, log, named }
      const guard = await startAccelerator(order)
      guards.push(guard)
      pools.push(guard)
      offers.push({
        ...common,
        threads: capacity.threads,
        speed: (speed * capacity.speed) / capacity.threads,
        // Its own work is not on any clock of the CPU's.
        ...(isDevice ? { clock: 'wall' as const } : { cores: capacity.cores }),
        device: text,
      })
    } catch (error) {
      if (acceleratorRequired) {
        await close()
        throw new AcceleratorError(spec.text, error)
      }
      log.warn(`${spec.text} cannot be started: ${messageOf(error)}; going on without it`)
    }
  }
  const broken = untilAborted(lost.signal, pool.broken)
  broken.catch(() => {})
  return { offers, pools, states, broken, close }
}
