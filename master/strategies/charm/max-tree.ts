/**
 * Numbers by index, any of which may change, with queries for the largest and for the first that reaches a bound: a tournament
 * tree, in which every node holds the larger of its two children. All operations but reading the largest take O(log n).
 */

export class MaxTree {
  /** Position of the first leaf, a power of two; the root is at 1, the children of n at 2n and 2n + 1. */
  readonly #leaves: number
  readonly #values: Float64Array

  /** For places 0 to `count` − 1, all of them −∞. */
  constructor(count: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, count)))
    this.#values = new Float64Array(2 * this.#leaves).fill(Number.NEGATIVE_INFINITY)
  }

  get largest(): number {
    return this.#values[1]!
  }

  set(place: number, value: number): void {
    const values = this.#values
    let node = this.#leaves + place
    values[node] = value
    while (node > 1) {
      const sibling = values[node ^ 1]!
      const larger = values[node]! > sibling ? values[node]! : sibling
      node >>= 1
      if (values[node] === larger) return
      values[node] = larger
    }
  }

  /** Sets every place at once. */
  fill(leaves: Float64Array): void {
    const values = this.#values
    values.set(leaves, this.#leaves)
    for (let node = this.#leaves - 1; node > 0; node--) {
      values[node] = Math.max(values[2 * node]!, values[2 * node + 1]!)
    }
  }

  /** The first place whose value is at least `bound`; −1 if there is none. */
  firstAtLeast(bound: number): number {
    const values = this.#values
    if (!(values[1]! >= bound)) return -1
    let node = 1
    while (node < this.#leaves) node = values[2 * node]! >= bound ? 2 * node : 2 * node + 1
    return node - this.#leaves
  }
}
