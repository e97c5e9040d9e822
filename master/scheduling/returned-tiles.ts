/**
 * Tiles that came back, first come, first served. Thousands may wait, and as many areas may ask for them: tiles with the same blames that came
 * one after the other are one run, about which is asked once.
 */
import type { PixelSet } from '../../shared/pixel-set.ts'
import { type Blame, namesIn } from './blame.ts'

interface Run {
  readonly blames: readonly Blame[]
  readonly tiles: PixelSet[]
  /** The first of them that waits. */
  next: number
}

export class ReturnedTiles {
  /** In their order. */
  readonly #runs = new Set<Run>()
  /** By the names of areas that have failed them. */
  readonly #failedOn = new Map<string, Set<Run>>()
  #last: Run | undefined
  #size = 0

  /** Number of tiles that wait. */
  get size(): number {
    return this.#size
  }

  /** Whether tiles wait that have failed on an area of this name. */
  hasFailedOn(name: string): boolean {
    return (this.#failedOn.get(name)?.size ?? 0) > 0
  }

  add(tiles: readonly PixelSet[], blames: readonly Blame[]): void {
    if (tiles.length === 0) return
    const run = this.#runFor(blames)
    for (const tile of tiles) run.tiles.push(tile)
    this.#size += tiles.length
  }

  #runFor(blames: readonly Blame[]): Run {
    const last = this.#last
    if (last && (last.blames === blames || last.blames.length + blames.length === 0)) return last
    const run: Run = { blames, tiles: [], next: 0 }
    this.#last = run
    this.#runs.add(run)
    for (const name of namesIn(blames)) {
      const runs = this.#failedOn.get(name)
      if (runs) runs.add(run)
      else this.#failedOn.set(name, new Set([run]))
    }
    return run
  }

  /**
   * Takes the first that `may` accepts.
   * @param failedOn name of an area that must have failed it @default any will do
   */
  take(may: (blames: readonly Blame[]) => boolean, failedOn?: string) {
    const runs = failedOn === undefined ? this.#runs : (this.#failedOn.get(failedOn) ?? [])
    for (const run of runs) if (may(run.blames)) return { ...this.#takeFrom(run), blames: run.blames }
    return undefined
  }

  #takeFrom(run: Run): PixelSet {
    const tile = run.tiles[run.next++]!
    this.#size--
    if (run.next === run.tiles.length) this.#remove(run)
    return tile
  }

  #remove(run: Run): void {
    this.#runs.delete(run)
    for (const name of namesIn(run.blames)) this.#failedOn.get(name)!.delete(run)
    if (this.#last === run) this.#last = undefined
  }
}
