/** The situations in which balancers are compared: camera motion, workers, network. */
import {
  type ClusterSpec,
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  virtualWorkers,
} from '../../../master/simulator/cluster-spec.ts'
import type { CameraPathName } from '../../../scenes/camera-paths.ts'

export interface Situation {
  readonly name: string
  readonly camera: CameraPathName
  readonly cluster: ClusterSpec
}

/** Slows workers down to 0.2 of a core each, so that a frame takes some tenths of a second. */
const PACE = 5
/** Relative deviation of times from the traced costs. */
const NOISE = 0.02

interface ClusterChanges {
  readonly workers?: number
  readonly speeds?: readonly number[]
  /** True speeds, if they differ from the declared ones. */
  readonly actualSpeeds?: readonly number[]
  readonly latencyMs?: number
  readonly mbit?: number
  readonly pace?: number
}

function clusterOf(changes: ClusterChanges): ClusterSpec {
  const { workers = 8, speeds = [1], actualSpeeds, latencyMs, mbit, pace = PACE } = changes
  return {
    workers: virtualWorkers(workers, speeds).map((worker, i) =>
      actualSpeeds ? { ...worker, actualSpeed: actualSpeeds[i % actualSpeeds.length]! } : worker,
    ),
    network: {
      latencyMs: latencyMs ?? LOOPBACK.latencyMs,
      workerMbit: mbit ?? LOOPBACK.workerMbit,
      masterMbit: mbit ?? LOOPBACK.masterMbit,
    },
    master: DEFAULT_MASTER,
    tracing: { ...DEFAULT_TRACING, pace, noise: NOISE },
  }
}

const UNEQUAL = [1, 1, 1, 1, 0.5, 0.5, 0.25, 0.25]

export const situations: readonly Situation[] = [
  { name: 'still camera', camera: 'still', cluster: clusterOf({}) },
  { name: 'slow orbit', camera: 'orbit', cluster: clusterOf({}) },
  { name: 'fast orbit', camera: 'fast-orbit', cluster: clusterOf({}) },
  { name: 'pan and dolly', camera: 'pan', cluster: clusterOf({}) },
  { name: 'cuts', camera: 'cut', cluster: clusterOf({}) },
  { name: '5 workers, slow orbit', camera: 'orbit', cluster: clusterOf({ workers: 5 }) },
  { name: '64 workers, still', camera: 'still', cluster: clusterOf({ workers: 64 }) },
  { name: '64 workers, pan', camera: 'pan', cluster: clusterOf({ workers: 64 }) },
  { name: 'heterogeneous workers, slow orbit', camera: 'orbit', cluster: clusterOf({ speeds: UNEQUAL }) },
  { name: 'heterogeneous workers, undeclared speeds', camera: 'orbit', cluster: clusterOf({ actualSpeeds: UNEQUAL }) },
  { name: 'slow network (20 ms, 100 Mbit/s), pan', camera: 'pan', cluster: clusterOf({ latencyMs: 20, mbit: 100 }) },
  { name: 'cheap frames (a fifth), pan', camera: 'pan', cluster: clusterOf({ pace: 1 }) },
  { name: 'expensive frames (tenfold), pan', camera: 'pan', cluster: clusterOf({ pace: 50 }) },
]
