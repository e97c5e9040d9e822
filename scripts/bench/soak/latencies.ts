/** Latencies by the million in little memory: counted in steps of 2 %. */
const STEP = Math.log(1.02)

export class Latencies {
  readonly #counts = new Map<number, number>()

  /** @param ms more than 0 */
  add(ms: number): void {
    this.#count(Math.round(Math.log(Math.max(ms, 1e-3)) / STEP), 1)
  }

  /** What another process has counted. */
  addAll(counts: Latencies['counts']): void {
    for (const [step, count] of counts) this.#count(step, count)
  }

  get counts(): readonly (readonly [step: number, count: number])[] {
    return [...this.#counts]
  }

  get size(): number {
    return this.counts.reduce((sum, [, count]) => sum + count, 0)
  }

  /** Off by at most 1 %; null of nothing. */
  quantile(at: number): number | null {
    let left = at * this.size
    const sorted = [...this.#counts].sort(([a], [b]) => a - b)
    const found =
      sorted.find(([, count]) => {
        left -= count
        return left <= 0
      }) ?? sorted.at(-1)
    return found ? Number(Math.exp(found[0] * STEP).toPrecision(3)) : null
  }

  #count(step: number, count: number): void {
    this.#counts.set(step, (this.#counts.get(step) ?? 0) + count)
  }
}
