/** A simulated cluster: its workers, its network, and the costs of its operations. */
import type { DeviceLink } from '../../shared/device-link.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'

export interface VirtualWorker {
  readonly id: string
  readonly name: string
  /** Declared throughput relative to the other workers, 1 = nominal. */
  readonly speed: number
  /** Actual throughput: tiles take their CPU time × declared / actual. @default the declared speed */
  readonly actualSpeed?: number
  /** Of an area of a worker that has several: the id of the worker's first area. */
  readonly workerId?: string
  /** What holds its orders up, if it is a device behind a link. */
  readonly link?: DeviceLink
  /** When it is away, with all that it held, ms on the master's clock. @default never */
  readonly absent?: { readonly fromMs: number; readonly toMs: number }
}

/** An area that every worker of a simulated cluster has. */
export interface VirtualArea extends Pick<VirtualWorker, 'actualSpeed' | 'link'> {
  readonly name: string
  /** Beside the worker's own speed. */
  readonly speed: number
}

export interface NetworkSpec {
  /** One way, ms. */
  readonly latencyMs: number
  /** Each worker's link, per direction; Infinity: no limit. */
  readonly workerMbit: number
  /** The master's link, shared by all workers, per direction. */
  readonly masterMbit: number
}

/** Costs on the master's single thread. */
export interface MasterSpec {
  /** Per message sent, ms. */
  readonly sendMs: number
  /** Per message received, ms. */
  readonly receiveMs: number
  /** Per byte of pixels received: decoding, and copying into the frame, ms. */
  readonly decodeMsPerByte: number
  readonly stitchMsPerByte: number
}

export interface TracingSpec {
  /** Wall time of a worker of speed 1 per ms of CPU time; above 1 for workers limited to a share of a core. */
  readonly pace: number
  /** Idle time between the end of one tile and the start of the next, ms. */
  readonly handOverMs: number
  /** Fixed CPU time per tile, in addition to its pixels, ms. */
  readonly tileCpuMs: number
  /** Packing pixels, ms per byte. */
  readonly encodeMsPerByte: number
  /** Rows are started in batches of about this many pixels, in whole blocks of `blockRows`. */
  readonly batchPixels: number
  readonly blockRows: number
  /** The grain that workers declare: rows assumed to be started at once. */
  readonly grainRows: number
  /** CPU time per pixel that another worker owned in the previous frame, ms. */
  readonly migrationMsPerPixel: number
  /** Relative standard deviation of tile times. */
  readonly noise: number
  /** Seed of the noise. */
  readonly seed: number
}

export interface ClusterSpec {
  readonly workers: readonly VirtualWorker[]
  /** Racks that the workers are divided among; the master of each is a worker of the master above. @default one master, no racks */
  readonly racks?: number
  readonly network: NetworkSpec
  readonly master: MasterSpec
  readonly tracing: TracingSpec
}

export const LOOPBACK: NetworkSpec = {
  latencyMs: 0.15,
  workerMbit: Number.POSITIVE_INFINITY,
  masterMbit: Number.POSITIVE_INFINITY,
}

/** Measured with Node.js 20 on one core of a 2023 server. */
export const DEFAULT_MASTER: MasterSpec = {
  sendMs: 0.02,
  receiveMs: 0.05,
  decodeMsPerByte: 8e-7,
  stitchMsPerByte: 2e-7,
}

export const DEFAULT_TRACING: TracingSpec = {
  pace: 1,
  handOverMs: 0.2,
  tileCpuMs: 0.01,
  encodeMsPerByte: 1e-6,
  batchPixels: 4096,
  blockRows: 8,
  grainRows: 4,
  migrationMsPerPixel: 0,
  noise: 0,
  seed: 1,
}

/** `count` workers; `speeds` repeat until all have one. */
export const virtualWorkers = (count: number, speeds: readonly number[] = [1]): VirtualWorker[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `w${i + 1}`,
    name: `worker-${i + 1}`,
    speed: speeds[i % speeds.length]!,
  }))

/** The same workers with several areas each; ids and names as a cluster gives them. */
export const withAreas = (workers: readonly VirtualWorker[], areas: readonly VirtualArea[]): VirtualWorker[] =>
  workers.flatMap(worker =>
    areas.map(({ name, speed, actualSpeed, link }, i): VirtualWorker => {
      const real = worker.actualSpeed === undefined && actualSpeed === undefined
      return {
        id: i === 0 ? worker.id : `${worker.id}.${i + 1}`,
        name: `${worker.name}.${name}`,
        speed: worker.speed * speed,
        ...(real ? {} : { actualSpeed: (worker.actualSpeed ?? worker.speed) * (actualSpeed ?? speed) }),
        ...(areas.length > 1 ? { workerId: worker.id } : {}),
        ...(link ? { link } : {}),
      }
    }),
  )

/** The workers as they appear in reports. */
export const workerInfos = ({ workers, tracing }: ClusterSpec): WorkerInfo[] =>
  workers.map(({ id, name, speed, workerId }) => ({
    id,
    name,
    engine: 'simulated',
    threads: 1,
    speed,
    ...(workerId === undefined ? {} : { workerId }),
    ...(tracing.pace === 1 ? {} : { cores: speed / tracing.pace }),
  }))

/** The round trip that a warm-up would measure. */
export const emptyTripMs = ({ network, master }: ClusterSpec): number =>
  2 * network.latencyMs + master.sendMs + master.receiveMs
