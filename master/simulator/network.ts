/**
 * The network of a simulated cluster: each worker has its own link, and the master one link shared by all. Messages on a
 * link follow one another; the latency between two links is the same for every worker.
 */
import type { NetworkSpec } from './cluster-spec.ts'

/** Bits per ms at 1 Mbit/s. */
const BITS_PER_MS = 1000

export class Network {
  readonly #spec: NetworkSpec
  /** When each link is free again, ms: the master's, per direction, and each worker's, by number. */
  #masterOut = 0
  #masterIn = 0
  readonly #workerOut: Float64Array
  readonly #workerIn: Float64Array

  constructor(spec: NetworkSpec, workers: number) {
    this.#spec = spec
    this.#workerOut = new Float64Array(workers)
    this.#workerIn = new Float64Array(workers)
  }

  /** When a message that the master sends at `now` has fully arrived at a worker. */
  toWorker(worker: number, bytes: number, now: number): number {
    const { latencyMs, workerMbit, masterMbit } = this.#spec
    const left = Math.max(now, this.#masterOut) + duration(bytes, masterMbit)
    this.#masterOut = left
    const arrived = Math.max(left + latencyMs, this.#workerIn[worker]! + duration(bytes, workerMbit))
    this.#workerIn[worker] = arrived
    return arrived
  }

  /** When a message that a worker sends at `now` reaches the master's link. */
  toMasterLink(worker: number, bytes: number, now: number): number {
    const { latencyMs, workerMbit } = this.#spec
    const left = Math.max(now, this.#workerOut[worker]!) + duration(bytes, workerMbit)
    this.#workerOut[worker] = left
    return left + latencyMs
  }

  /**
   * When a message that reaches the master's link at `now` has fully arrived at the master. Must be called in the order
   * of `now`.
   */
  throughMasterLink(bytes: number, now: number): number {
    // Receiving overlaps with sending; only earlier messages delay it.
    this.#masterIn = Math.max(now, this.#masterIn + duration(bytes, this.#spec.masterMbit))
    return this.#masterIn
  }
}

const duration = (bytes: number, mbit: number): number => (bytes * 8) / (mbit * BITS_PER_MS)
