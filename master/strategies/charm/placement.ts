/**
 * The state of a placement under repair: each processor's load, which processors are heavy and which light, and how much
 * the light ones can take. Thresholds as in Charm++'s `Refiner`: a processor is heavy above the average times a tolerance
 * and light below the average, and none is given more than the tolerance allows.
 */

import { MaxTree } from './max-tree.ts'
import type { Objects, Processors } from './objects.ts'
import { ObjectsByProcessor } from './objects-by-processor.ts'

export class Placement {
  /** The processor of each object. */
  readonly owners: Int32Array
  readonly loads: Float64Array
  readonly holdings: ObjectsByProcessor
  /** Processors that have given or taken something since this set was last cleared. */
  readonly changed = new Set<number>()
  readonly #speeds: Float64Array
  readonly #sums: Float64Array
  readonly #average: number
  readonly #limit: number
  /** What each light processor can take; −∞ for those that are not light. */
  readonly #rooms: MaxTree

  /** `owners` of the objects, and `sums`, the load of every processor, are modified from now on. */
  constructor(objects: Objects, { speeds }: Processors, sums: Float64Array, tolerance: number) {
    this.owners = objects.owners
    this.loads = objects.loads
    this.holdings = new ObjectsByProcessor(objects, speeds.length)
    this.#speeds = speeds
    this.#sums = sums
    this.#average = averageTime(sums, speeds)
    this.#limit = tolerance * this.#average
    this.#rooms = new MaxTree(speeds.length)
    this.#rooms.fill(speeds.map((_, p) => this.room(p)))
  }

  get processors(): number {
    return this.#speeds.length
  }

  /** Load over speed. */
  time(processor: number): number {
    return this.#sums[processor]! / this.#speeds[processor]!
  }

  isHeavy(processor: number): boolean {
    return this.#speeds[processor]! > 0 && this.time(processor) > this.#limit
  }

  isLight(processor: number): boolean {
    return this.#speeds[processor]! > 0 && this.time(processor) < this.#average
  }

  /** Load that a processor can take, ms of a processor of speed 1; −∞ for one that is not light. */
  room(processor: number): number {
    return this.isLight(processor)
      ? this.#limit * this.#speeds[processor]! - this.#sums[processor]!
      : Number.NEGATIVE_INFINITY
  }

  /** What the light processor with the most room can take; −∞ if none is light. */
  get mostRoom(): number {
    return this.#rooms.largest
  }

  /** The light processor with the most room, ties by lower number. */
  get roomiest(): number {
    return this.#rooms.firstAtLeast(this.#rooms.largest)
  }

  /** Moves an object that has not moved yet; it cannot move again. */
  move(object: number, to: number): void {
    const from = this.owners[object]!
    const load = this.loads[object]!
    this.owners[object] = to
    this.#sums[from]! -= load
    this.#sums[to]! += load
    this.holdings.remove(object)
    for (const processor of [from, to]) {
      this.#rooms.set(processor, this.room(processor))
      this.changed.add(processor)
    }
  }
}

/** The time of every processor under a perfectly even distribution; load on processors of speed 0 is excluded. */
function averageTime(sums: Float64Array, speeds: Float64Array): number {
  let load = 0
  let speed = 0
  for (let p = 0; p < speeds.length; p++) {
    if (!(speeds[p]! > 0)) continue
    load += sums[p]!
    speed += speeds[p]!
  }
  return load / speed
}
