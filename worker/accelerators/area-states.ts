/** Which areas of a worker are withdrawn, and why. It outlives connections: a master hears of it when it is joined. */
export class AreaStates {
  readonly #down = new Map<number, string>()
  readonly #listeners = new Set<(area: number, reason: string | undefined) => void>()

  /** Those that are withdrawn, with the reasons. */
  get down(): ReadonlyMap<number, string> {
    return this.#down
  }

  /** @param reason absent: the area is back */
  changed(area: number, reason?: string): void {
    if (reason === undefined) this.#down.delete(area)
    else this.#down.set(area, reason)
    for (const listener of [...this.#listeners]) listener(area, reason)
  }

  /** Calls the listener with every change; returns a function that unsubscribes it. */
  onChange(listener: (area: number, reason: string | undefined) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
