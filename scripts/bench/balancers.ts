/**
 * Decision times of the Charm++ balancers for as many objects and processors as a large machine has: objects with
 * exponentially distributed loads, placed at random. Each load is a hash of its number, so all runs see the same loads.
 */
import { greedy } from '../../master/strategies/charm/greedy.ts'
import {
  type Assignment,
  type Decisions,
  type Objects,
  type Processors,
  processorLoads,
} from '../../master/strategies/charm/objects.ts'
import { refine } from '../../master/strategies/charm/refine.ts'
import { refineSwap } from '../../master/strategies/charm/refine-swap.ts'
import { hash32, unitOf } from '../../shared/math/random.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import { measure, type Timing } from './measure.ts'

export interface BalancerBench {
  readonly balancer: string
  readonly objects: number
  readonly processors: number
  readonly decide: Timing
  /** Load of the slowest processor over the average, before and after. */
  readonly before: number
  readonly after: number
  readonly decisions: Decisions
}

type Balancer = (objects: Objects, processors: Processors) => Assignment

const BALANCERS: Readonly<Record<string, Balancer>> = {
  greedy: (objects, processors) => greedy(objects, processors),
  refine: (objects, processors) => refine(objects, processors),
  'refine-swap': (objects, processors) => refineSwap(objects, processors),
}

const SEED = 0x0b7ec7

export function benchBalancers(objectCount: number, processorCount: number, rounds: number): BalancerBench[] {
  const objects = {
    loads: Float64Array.from({ length: objectCount }, (_, i) => -Math.log(1 - unitOf(hash32(SEED, i, 0)))),
    owners: Int32Array.from({ length: objectCount }, (_, i) => hash32(SEED, i, 1) % processorCount),
  }
  const processors = {
    speeds: new Float64Array(processorCount).fill(1),
    background: new Float64Array(processorCount),
  }
  const slowest = (owners: Int32Array): number => {
    const loads = [...processorLoads({ ...objects, owners }, processors)]
    return loads.reduce((most, load) => Math.max(most, load), 0) / mean(loads)
  }
  return Object.entries(BALANCERS).map(([balancer, balance]) => {
    const { owners, decisions } = balance(objects, processors)
    return {
      balancer,
      objects: objectCount,
      processors: processorCount,
      decide: measure(rounds, () => balance(objects, processors)),
      before: slowest(objects.owners),
      after: slowest(owners),
      decisions,
    }
  })
}
