/** A simulated cluster: its workers, what connects them, and what things cost in it. */
import type { WorkerInfo } from '../../shared/frame-report.ts'

export interface VirtualWorker {
  readonly id: string
  readonly name: string
  /** What it declares: throughput relative to the others', 1 = nominal. */
  readonly speed: number
  /** What it really is: tiles take its CPU time × declared / actual. @default what it declares */
  readonly actualSpeed?: number
}

export interface NetworkSpec {
  /** One way, ms. */
  readonly latencyMs: number
  /** Of each worker's link, either way; Infinity: no limit. */
  readonly workerMbit: number
  /** Of the link that the master shares among all, either way. */
  readonly masterMbit: number
}

/** What the master's one thread takes for its part. */
export interface MasterSpec {
  /** Per message sent, ms. */
  readonly sendMs: number
  /** Per message received, ms. */
  readonly receiveMs: number
  /** Per byte of pixels received: decoding, and putting them in place, ms. */
  readonly decodeMsPerByte: number
  readonly stitchMsPerByte: number
}

export interface TracingSpec {
  /** Wall time of a worker of speed 1 per ms of CPU time; above 1 where workers are held to a share of a core. */
  readonly pace: number
  /** Between the end of one tile and the beginning of the next: nobody traces, ms. */
  readonly handOverMs: number
  /** CPU time that every tile costs besides its pixels, ms. */
  readonly tileCpuMs: number
  /** Packing pixels, ms per byte. */
  readonly encodeMsPerByte: number
  /** Rows are begun together: about so many pixels at a time, in whole blocks of `blockRows`. */
  readonly batchPixels: number
  readonly blockRows: number
  /** What workers say of it: rows that may be taken to be begun with at once. */
  readonly grainRows: number
  /** CPU time for each pixel that another worker had in the frame before, ms. */
  readonly migrationMsPerPixel: number
  /** Standard deviation of tile times, as a share of them. */
  readonly noise: number
  /** Of the noise. */
  readonly seed: number
}

export interface ClusterSpec {
  readonly workers: readonly VirtualWorker[]
  readonly network: NetworkSpec
  readonly master: MasterSpec
  readonly tracing: TracingSpec
}

export const LOOPBACK: NetworkSpec = {
  latencyMs: 0.15,
  workerMbit: Number.POSITIVE_INFINITY,
  masterMbit: Number.POSITIVE_INFINITY,
}

/** As measured with Node.js 20 on a core of a server of 2023. */
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

/** So many workers; `speeds` repeat until all have one. */
export const virtualWorkers = (count: number, speeds: readonly number[] = [1]): VirtualWorker[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `w${i + 1}`,
    name: `worker-${i + 1}`,
    speed: speeds[i % speeds.length]!,
  }))

/** As reports name them. */
export const workerInfos = ({ workers, tracing }: ClusterSpec): WorkerInfo[] =>
  workers.map(({ id, name, speed }) => ({
    ...{ id, name, engine: 'simulated', threads: 1, speed },
    ...(tracing.pace === 1 ? {} : { cores: speed / tracing.pace }),
  }))
