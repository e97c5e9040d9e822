/** The situations in which balancers are compared: camera motion, workers, network. */
import {
  type ClusterSpec,
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  type VirtualArea,
  virtualWorkers,
  withAreas,
} from '../../../master/simulator/cluster-spec.ts'
import type { CameraPathName } from '../../../scenes/cameras/camera-words.ts'
import { DEVICE_LINKS } from '../../../shared/device-link.ts'
import type { StrategyOptions } from '../../../shared/session/strategy-options.ts'

export interface Situation {
  readonly name: string
  readonly camera: CameraPathName
  readonly cluster: ClusterSpec
  /** @default none */
  readonly options?: Partial<StrategyOptions>
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
  /** Of every worker. */
  readonly areas?: readonly VirtualArea[]
}

function clusterOf(changes: ClusterChanges): ClusterSpec {
  const { workers = 8, speeds = [1], actualSpeeds, latencyMs, mbit, pace = PACE, areas } = changes
  const plain = virtualWorkers(workers, speeds).map((worker, i) =>
    actualSpeeds ? { ...worker, actualSpeed: actualSpeeds[i % actualSpeeds.length]! } : worker,
  )
  return {
    workers: areas ? withAreas(plain, areas) : plain,
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

/** A CPU, and devices beside it. */
const hybrid = (...devices: readonly Omit<VirtualArea, 'name'>[]): VirtualArea[] => [
  { name: 'cpu', speed: 1 },
  ...devices.map((device, i) => ({ name: `device${i + 1}`, ...device })),
]

/** Workers with accelerators. */
export const hybridSituations: readonly Situation[] = [
  {
    name: 'a device of 4 times the CPU, slow orbit',
    camera: 'orbit',
    cluster: clusterOf({ workers: 1, areas: hybrid({ speed: 4 }) }),
  },
  { name: 'the same, pan and dolly', camera: 'pan', cluster: clusterOf({ workers: 1, areas: hybrid({ speed: 4 }) }) },
  {
    name: 'the same, from 0 %',
    camera: 'orbit',
    options: { withinStart: 0 },
    cluster: clusterOf({ workers: 1, areas: hybrid({ speed: 4 }) }),
  },
  {
    name: 'it is half as fast as it says',
    camera: 'orbit',
    cluster: clusterOf({ workers: 1, areas: hybrid({ speed: 4, actualSpeed: 2 }) }),
  },
  {
    name: 'behind PCIe, cheap frames',
    camera: 'orbit',
    cluster: clusterOf({ workers: 1, areas: hybrid({ speed: 6.7, link: DEVICE_LINKS.pcie }), pace: 0.2 }),
  },
  {
    name: 'three devices: 1, 2 and 6',
    camera: 'orbit',
    cluster: clusterOf({ workers: 1, areas: hybrid({ speed: 1 }, { speed: 2 }, { speed: 6 }) }),
  },
  {
    name: 'a device that does not pay',
    camera: 'orbit',
    cluster: clusterOf({ workers: 1, areas: hybrid({ speed: 1, actualSpeed: 0.005 }) }),
  },
  {
    name: '4 workers with a device each, pan',
    camera: 'pan',
    cluster: clusterOf({ workers: 4, areas: hybrid({ speed: 4 }) }),
  },
]
