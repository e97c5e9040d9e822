/** Derives the simulated clusters from the command line and the recording. */
import {
  type ClusterSpec,
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  type VirtualWorker,
  virtualWorkers,
  withAreas,
} from '../../master/simulator/cluster-spec.ts'
import { batchPixels, recordedPace, recordedWorkers } from '../../master/simulator/recorded-cluster.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { Quality } from '../../shared/frame/view.ts'
import { workerCount } from '../../shared/session/worker-count.ts'
import type { ClusterOptions } from './options.ts'
import { rackCount } from './rack-options.ts'

const DEFAULT_WORKERS = 8

/** One cluster per number of workers; by default the recording's, or a small one. */
export function clustersOf(options: ClusterOptions, recorded: readonly WorkerInfo[], quality: Quality): ClusterSpec[] {
  const { counts, speeds, cores } = options
  if (counts) return counts.map(count => clusterOf(options, virtualWorkers(count, speeds), paceOf(cores), quality))
  if (recorded.length === 0) return [clusterOf(options, virtualWorkers(DEFAULT_WORKERS), paceOf(cores), quality)]
  const workers = recordedWorkers(options.areas ? recorded.map(({ workerId: _, ...worker }) => worker) : recorded)
  return [clusterOf(options, workers, cores === undefined ? recordedPace(recorded) : paceOf(cores), quality)]
}

function clusterOf(
  { areas, racks, latencyMs, mbit, noise, seed, migrationMsPerPixel }: ClusterOptions,
  workers: readonly VirtualWorker[],
  pace: number,
  quality: Quality,
): ClusterSpec {
  return {
    workers: areas ? withAreas(workers, areas) : workers,
    ...(racks ? { racks: rackCount(racks, workerCount(workers)) } : {}),
    network: { latencyMs: latencyMs ?? LOOPBACK.latencyMs, workerMbit: mbit, masterMbit: mbit },
    master: DEFAULT_MASTER,
    tracing: { ...DEFAULT_TRACING, pace, batchPixels: batchPixels(quality), noise, seed, migrationMsPerPixel },
  }
}

const paceOf = (cores = 1): number => 1 / cores
