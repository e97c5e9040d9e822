/** Numbers, as many as come: an array of JavaScript ends the program when it has to grow beyond 134 million. */
export class NumberList {
  #numbers = new Float64Array(96)
  #used = 0

  push(...more: readonly number[]): void {
    if (this.#used + more.length > this.#numbers.length) {
      const grown = new Float64Array(Math.max(this.#numbers.length * 2, this.#used + more.length))
      grown.set(this.#numbers)
      this.#numbers = grown
    }
    this.#numbers.set(more, this.#used)
    this.#used += more.length
  }

  get length(): number {
    return this.#used
  }

  /** Borrowed. */
  all(): Float64Array {
    return this.#numbers.subarray(0, this.#used)
  }
}
