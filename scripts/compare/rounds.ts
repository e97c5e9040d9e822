/** The runs of a comparison: every strategy once per round, in turn. Each is saved to the folder once it is complete. */
import { SameWorkers } from '../report/figures/same-workers.ts'
import { type ComparedRun, firstRun, laterRun, type MeasuredRun, type RunOrder } from './compared-run.ts'
import { type RunPlace, savedFirstRun, savedRun, saveRun } from './run-file.ts'

export class Rounds {
  readonly #names: readonly string[]
  readonly #place: RunPlace
  readonly #first = new Map<string, ComparedRun>()
  /** One map per further round. */
  readonly #later: readonly Map<string, MeasuredRun>[]
  /** Shown frames by the hash of their pixels, shared by all runs that produce the same frame. */
  readonly #pictures = new Map<string, Uint8Array>()
  readonly #same = new SameWorkers()

  constructor(names: readonly string[], repeats: number, place: RunPlace) {
    this.#names = names
    this.#place = place
    this.#later = Array.from({ length: repeats - 1 }, () => new Map())
  }

  /** Total number of runs to make. */
  get wanted(): number {
    return this.#names.length * (1 + this.#later.length)
  }

  /** Number of complete runs. */
  get complete(): number {
    return this.#later.reduce((sum, round) => sum + round.size, this.#first.size)
  }

  /** The complete runs of the first round, in strategy order. */
  get first(): ComparedRun[] {
    return this.#names.flatMap(name => this.#first.get(name) ?? [])
  }

  get later(): MeasuredRun[][] {
    return this.#later.map(round => this.#names.flatMap(name => round.get(name) ?? []))
  }

  /** Loads the saved runs from the folder. */
  async takeSaved(): Promise<void> {
    for (const name of this.#names) {
      const first = await savedFirstRun(this.#place, name, this.#pictures)
      if (first) this.#first.set(name, first)
      for (const [i, round] of this.#later.entries()) {
        const run = await savedRun(this.#place, name, i + 2)
        if (run) round.set(name, run)
      }
    }
    for (const { kept } of [...this.first, ...this.later.flat()]) this.#same.learn(kept.workers)
  }

  /** Makes the missing runs. Rejects as `renderFrames` does. */
  async makeMissing(
    common: Omit<RunOrder, 'name' | 'strategies' | 'pictures' | 'same'>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let round = 1; round <= 1 + this.#later.length; round++) {
      for (const [index, name] of this.#names.entries()) {
        const later = this.#later[round - 2]
        if ((later ?? this.#first).has(name)) continue
        const which = this.#later.length > 0 ? `, round ${round} of ${1 + this.#later.length}` : ''
        if (this.#names.length > 2 || which !== '')
          common.progress.info(`${name}: strategy ${index + 1} of ${this.#names.length}${which}`)
        const order = { ...common, name, strategies: this.#names.length, pictures: this.#pictures, same: this.#same }
        if (later) later.set(name, await this.#saved(round, await laterRun(order, signal)))
        else this.#first.set(name, await this.#saved(round, await firstRun(order, signal)))
      }
    }
  }

  async #saved<T extends MeasuredRun>(round: number, run: T): Promise<T> {
    await saveRun(this.#place, round, run)
    return run
  }
}
