/**
 * The data model of the Charm++ balancers: objects with loads, placed on processors, which have speeds and background
 * load. "Understanding GreedyLB and RefineLB Load Balancing Strategies", Charm++ tutorial slides; in its pseudo-code
 * these are Vt, Vp and Gp. Flat arrays, indexed by object or processor.
 */
import { invariant } from '../../../shared/errors.ts'

/** Used in place of a processor: the object is not placed yet. */
export const NOWHERE = -1

export interface Objects {
  /** Load of each object: ms of a processor of speed 1, none negative. */
  readonly loads: Float64Array
  /** The processor of each object, or NOWHERE. */
  readonly owners: Int32Array
  /** 1: the object must stay where it is. Absent: all may move. */
  readonly fixed?: Uint8Array
}

export interface Processors {
  /** 1 = nominal; a processor of speed 0 takes nothing, and its movable objects leave it. At least one is faster. */
  readonly speeds: Float64Array
  /** Gp: load that no decision changes, ms of a processor of speed 1. */
  readonly background: Float64Array
}

/** Counts of a balancer's decisions. */
export interface Decisions {
  /** Objects that may move. */
  readonly objects: number
  /** Those that were placed regardless of where they were before. */
  readonly assigned: number
  /** Objects on another processor than before: the ones that incur migration costs. */
  readonly moved: number
  /** Exchanged pairs, each of which moved two objects. */
  readonly swapped: number
  /** How often a heavy processor had nothing that a light one could take. */
  readonly refused: number
  /** Processors left above the tolerated load. */
  readonly stuck: number
  /** Insertions into a heap of processors, and removals of its top. */
  readonly heapOperations: number
}

export interface Assignment {
  /** The processor of each object. */
  readonly owners: Int32Array
  readonly decisions: Decisions
}

/** Load of each processor, including its background load. */
export function processorLoads({ loads, owners }: Objects, { background }: Processors): Float64Array {
  const sums = Float64Array.from(background)
  for (let object = 0; object < owners.length; object++) {
    const owner = owners[object]!
    if (owner !== NOWHERE) sums[owner]! += loads[object]!
  }
  return sums
}

/** `owners` with all movable objects removed from their processors, or only those on processors that take nothing. */
export function unassign(objects: Objects, { speeds }: Processors, which: 'all' | 'misplaced'): Int32Array {
  invariant(
    speeds.some(speed => speed > 0),
    'objects cannot be balanced: expected a processor with a speed above 0',
  )
  const { owners, fixed } = objects
  return owners.map((owner, object) => {
    if (fixed?.[object]) {
      invariant(owner !== NOWHERE, `object ${object} can neither move nor stay: it is fixed and on no processor`)
      return owner
    }
    return which === 'misplaced' && owner !== NOWHERE && speeds[owner]! > 0 ? owner : NOWHERE
  })
}

/** Objects that were on one processor and are now on another. */
export function countMoved(before: Int32Array, after: Int32Array): number {
  let moved = 0
  for (let object = 0; object < before.length; object++) {
    if (before[object] !== NOWHERE && before[object] !== after[object]) moved++
  }
  return moved
}

export function countMovable({ owners, fixed }: Objects): number {
  if (!fixed) return owners.length
  let movable = 0
  for (const stays of fixed) if (!stays) movable++
  return movable
}
