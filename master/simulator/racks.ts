/** Divides a simulated cluster into racks. Pure. */
import type { ClusterSpec, VirtualWorker } from './cluster-spec.ts'

/** The same cluster, seen from its master and from those of its racks. */
export interface Racks {
  /** Its workers are the racks, each as fast as all of its own together. */
  readonly above: ClusterSpec
  readonly racks: readonly ClusterSpec[]
}

/** As many racks as a rack has workers: then the master of none has more to do than that of another. */
export const defaultRacks = (workers: number): number => Math.max(2, Math.round(Math.sqrt(workers)))

/** @param count 1 to the number of workers: neighbours share a rack, and racks differ by at most one worker */
export function inRacks({ racks: _, ...cluster }: ClusterSpec, count: number): Racks {
  const machines = machinesOf(cluster.workers)
  const start = (rack: number) => Math.floor((rack * machines.length) / count)
  const racks = Array.from({ length: count }, (_, rack) => ({
    ...cluster,
    workers: machines.slice(start(rack), start(rack + 1)).flat(),
  }))
  return { above: { ...cluster, workers: racks.map(asWorker) }, racks }
}

const asWorker = ({ workers }: ClusterSpec, number: number): VirtualWorker => ({
  id: `r${number + 1}`,
  name: `rack-${number + 1}`,
  speed: workers.reduce((sum, { speed }) => sum + speed, 0),
})

/** The areas of each worker: they stay together. */
function machinesOf(areas: readonly VirtualWorker[]): VirtualWorker[][] {
  const machines = new Map<string, VirtualWorker[]>()
  for (const area of areas) {
    const key = area.workerId ?? area.id
    const machine = machines.get(key)
    if (machine) machine.push(area)
    else machines.set(key, [area])
  }
  return [...machines.values()]
}
