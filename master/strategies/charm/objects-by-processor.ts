/**
 * Which processor can give which objects: the movable objects of every processor, heaviest first. Removed objects stay
 * out, so one sort and one distribution to the processors suffice; the resulting gaps are skipped with a disjoint-set
 * forest (Tarjan 1975).
 */
import { NOWHERE, type Objects } from './objects.ts'
import { heaviestFirst } from './order-by-load.ts'

export class ObjectsByProcessor {
  /** All objects, regardless of owner, heaviest first. */
  readonly order: Uint32Array
  readonly #loads: Float64Array
  /** Objects grouped by processor, heaviest first, ties by lower number. */
  readonly #objects: Uint32Array
  /** Where each processor's objects begin; one more entry than processors. */
  readonly #starts: Uint32Array
  /** The place of an object; only for movable ones. */
  readonly #places: Uint32Array
  /** The place itself, or where to continue the search for one that is not empty. */
  readonly #next: Uint32Array

  constructor({ loads, owners, fixed }: Objects, processors: number) {
    this.#loads = loads
    this.#starts = new Uint32Array(processors + 1)
    const held = (object: number) => owners[object] !== NOWHERE && !fixed?.[object]
    for (let object = 0; object < owners.length; object++) if (held(object)) this.#starts[owners[object]! + 1]!++
    for (let p = 0; p < processors; p++) this.#starts[p + 1]! += this.#starts[p]!
    const count = this.#starts[processors]!
    this.#objects = new Uint32Array(count)
    this.#places = new Uint32Array(owners.length)
    const ends = this.#starts.slice()
    this.order = heaviestFirst(loads)
    for (const object of this.order) {
      if (!held(object)) continue
      const place = ends[owners[object]!]!++
      this.#objects[place] = object
      this.#places[object] = place
    }
    this.#next = Uint32Array.from({ length: count + 1 }, (_, place) => place)
  }

  /** The heaviest object of a processor that weighs no more than `most`; −1 (NOWHERE) if there is none. */
  heaviestUpTo(processor: number, most: number): number {
    let low = this.#starts[processor]!
    let high = this.#starts[processor + 1]!
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#loads[this.#objects[middle]!]! > most) low = middle + 1
      else high = middle
    }
    return this.#from(low, processor)
  }

  /** The heaviest object of a processor; −1 if there is none. */
  first(processor: number): number {
    return this.#from(this.#starts[processor]!, processor)
  }

  /** The next remaining object after this one; −1 after the last. */
  after(object: number, processor: number): number {
    return this.#from(this.#places[object]! + 1, processor)
  }

  remove(object: number): void {
    const place = this.#places[object]!
    this.#next[place] = place + 1
  }

  #from(place: number, processor: number): number {
    const next = this.#next
    let at = place
    while (next[at] !== at) {
      // Path halving: shortens later searches.
      next[at] = next[next[at]!]!
      at = next[at]!
    }
    return at < this.#starts[processor + 1]! ? this.#objects[at]! : -1
  }
}
