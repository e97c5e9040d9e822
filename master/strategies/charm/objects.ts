/**
 * What the Charm++ balancers think about: objects with loads that sit on processors, and processors with speeds and work
 * of their own. "Understanding GreedyLB and RefineLB Load Balancing Strategies", Charm++ tutorial slides; in its
 * pseudo-code these are Vt, Vp and Gp. Flat arrays, an object or processor being its index.
 */
import { invariant } from '../../../shared/errors.ts'

/** In place of a processor: the object is on none yet. */
export const NOWHERE = -1

export interface Objects {
  /** Load of each object: ms of a processor of speed 1, none negative. */
  readonly loads: Float64Array
  /** The processor that each is on, or NOWHERE. */
  readonly owners: Int32Array
  /** 1: the object has to stay where it is. Absent: all may move. */
  readonly fixed?: Uint8Array
}

export interface Processors {
  /** 1 = nominal; one of speed 0 takes nothing, and whatever may move leaves it. At least one is faster than that. */
  readonly speeds: Float64Array
  /** Gp: load that no decision changes, ms of a processor of speed 1. */
  readonly background: Float64Array
}

/** What a balancer decided, counted. */
export interface Decisions {
  /** Objects that may move. */
  readonly objects: number
  /** Those of them that were placed without regard to where they were. */
  readonly assigned: number
  /** Objects on another processor than before: these are what migration costs. */
  readonly moved: number
  /** Pairs exchanged, each of which moved two objects. */
  readonly swapped: number
  /** How often a heavy processor had nothing that a light one could take. */
  readonly refused: number
  /** Processors left above the tolerated load. */
  readonly stuck: number
  /** Entries into a heap of processors, and removals of its top. */
  readonly heapOperations: number
}

export interface Assignment {
  /** The processor of each object. */
  readonly owners: Int32Array
  readonly decisions: Decisions
}

/** Load of each processor, everything on it included. */
export function processorLoads({ loads, owners }: Objects, { background }: Processors): Float64Array {
  const sums = Float64Array.from(background)
  for (let object = 0; object < owners.length; object++) {
    const owner = owners[object]!
    if (owner !== NOWHERE) sums[owner]! += loads[object]!
  }
  return sums
}

/** `owners` with every object that may move taken from where it is, or only from processors that take nothing. */
export function unassign(objects: Objects, { speeds }: Processors, which: 'all' | 'misplaced'): Int32Array {
  invariant(
    speeds.some(speed => speed > 0),
    'objects cannot be balanced: expected a processor of a speed above 0',
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

/** Objects that were on a processor, and are now on another. */
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
