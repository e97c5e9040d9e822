/**
 * Numbers by place, of which any may change, and the questions where the largest is and which is the first that reaches
 * a bound: a tournament tree, every node holding the larger of its two children. All but a look at the largest take
 * O(log n).
 */

export class MaxTree {
  /** Place of the first leaf, a power of two; the root is at 1, the children of n at 2n and 2n + 1. */
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

  /** The first place whose value is at least `bound`; −1 where none is. */
  firstAtLeast(bound: number): number {
    const values = this.#values
    if (!(values[1]! >= bound)) return -1
    let node = 1
    while (node < this.#leaves) node = values[2 * node]! >= bound ? 2 * node : 2 * node + 1
    return node - this.#leaves
  }
}
