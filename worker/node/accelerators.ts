/** Starts accelerators in Node: one function for each kind. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../shared/text/log.ts'
import type { Capacity } from '../accelerators/capacity.ts'
import { type Device, DeviceError, GuardedPool, type GuardOptions } from '../accelerators/guarded-pool.ts'
import { linkedPool } from '../accelerators/linked-pool.ts'
import { proven } from '../accelerators/self-test.ts'
import type { AcceleratorSpec, ProcessSpec, SimulatedSpec, WebgpuSpec } from '../accelerators/spec.ts'
import { type EngineName, engineKind } from '../engine/engine.ts'
import { shownName } from '../engine/webgpu/adapters.ts'
import type { TilePool } from '../tile-pool.ts'
import { startProcessDevice } from './process-pool.ts'
import { startThreadPool } from './thread-pool.ts'

export interface AcceleratorOrder {
  readonly spec: AcceleratorSpec
  readonly capacity: Capacity
  /** The worker's own. */
  readonly engine: EngineName
  /** Of its threads. */
  readonly program: URL | undefined
  readonly log: Log
  /** Traces what the accelerator fails. */
  readonly cpu: TilePool
  readonly changed: GuardOptions['changed']
  /** Hears what it turned out to be, before it is used. */
  readonly named: (name: string) => void
}

/** Rejects with a sentence for people where it cannot be started. */
export function startAccelerator(order: AcceleratorOrder): Promise<GuardedPool> {
  const { cpu, changed } = order
  return GuardedPool.start({
    start: () => startDevice(order),
    cpu,
    changed,
    // A simulated one runs the code of the CPU area, in this process.
    restores: order.spec.kind === 'simulated',
    checkedPixels: order.spec.kind === 'simulated' ? 0 : CHECKED_PIXELS,
    every: (ms, tick) => {
      const timer = setInterval(tick, ms)
      return () => clearInterval(timer)
    },
    after: (ms, then) => {
      const timer = setTimeout(then, ms).unref()
      return () => clearTimeout(timer)
    },
  })
}

/** Of every tile of an engine that is not the CPU's. */
const CHECKED_PIXELS = 4

async function startDevice({ spec, capacity, engine, program, cpu, log, named }: AcceleratorOrder): Promise<Device> {
  switch (spec.kind) {
    case 'simulated':
      return startSimulated(spec, capacity, engine, program)
    case 'process':
      return startProcess(spec, capacity, cpu, log)
    case 'webgpu':
      // Its rays are those of the exact kernel.
      if (engine === 'wasm-fast')
        throw new DeviceError(
          'a device of WebGPU has the bytes of --engine wasm; leave out --fast-math, or the accelerator',
        )
      return startWebgpu(spec, capacity, cpu, log, named)
  }
}

async function startSimulated(
  { link }: SimulatedSpec,
  { threads, cores }: Capacity,
  engine: EngineName,
  program: URL | undefined,
): Promise<Device> {
  const pool = await startThreadPool({ threads, engine, coreShare: cores }, program)
  return {
    pool: link ? linkedPool(pool, link, cores, ms => delay(ms)) : pool,
    broken: pool.broken,
    close: () => pool.close(),
  }
}

async function startProcess(
  { text, engine }: ProcessSpec,
  { threads, cores }: Capacity,
  cpu: TilePool,
  log: Log,
): Promise<Device> {
  const device = await proven(await startProcessDevice({ engine, threads, cores }), cpu)
  log.info(`${text} runs as process ${device.processId}`)
  return device
}

/** Threads that ask a device for pixels: while it computes those of some, the others take them, and prepare what is next. */
export const DEVICE_THREADS = 4

/** The engine `webgpu`: a process, what it is, and its fingerprint. */
export interface WebgpuEngine extends Device {
  readonly label: string
  readonly kernel: string
}

/**
 * Starts an adapter that computes whole pixels, or that named in `engine`. Rejects with DeviceError.
 * @param threads that ask it for pixels
 */
export async function startWebgpuEngine(engine: EngineName, threads: number, log: Log): Promise<WebgpuEngine> {
  const adapter = engine.slice(engineKind(engine).length + 1)
  const webgpu = adapter === '' ? {} : { adapter }
  const ofEngine = failingAs(`engine ${engine}`)
  const device = await startProcessDevice({ engine, threads, cores: threads, webgpu }).catch(ofEngine)
  const judge = await startThreadPool({ threads: 1, engine: 'wasm' })
  const { pool, broken, close } = await proven(device, judge, NEARLY)
    .catch(ofEngine)
    .finally(() => judge.close())
  const found = device.adapters[0]!
  const label = `webgpu:${shownName(found)}`
  log.info(`engine ${engine} is ${label}, process ${device.processId}`)
  const ended = broken.catch(ofEngine)
  ended.catch(() => {})
  return { pool, broken: ended, close, label, kernel: found.fingerprint! }
}

/** Of a device that is all that its worker has: the worker ends with this, and nothing around it says what failed. */
const failingAs =
  (name: string) =>
  (error: unknown): never => {
    throw error instanceof DeviceError ? new DeviceError(`${name}: ${error.message}`, { cause: error }) : error
  }

/** By how much a byte of an engine's own picture may differ. */
const NEARLY = 2

/** An adapter of WebGPU in a process, with threads that shade for it. */
async function startWebgpu(
  { text, adapter }: WebgpuSpec,
  { threads }: Capacity,
  cpu: TilePool,
  log: Log,
  named: (name: string) => void,
): Promise<Device> {
  const webgpu = adapter === undefined ? {} : { adapter }
  const device = await proven(await startProcessDevice({ engine: 'wasm', threads, cores: threads, webgpu }), cpu)
  const found = device.adapters[0]!
  const label = `webgpu:${shownName(found)}`
  log.info(`${text} is ${label}, process ${device.processId}; it answered ${found.probe!.rays} rays as the kernel does`)
  named(label)
  return device
}
