/**
 * Tiles that came back, first come, first served. Thousands may wait, and as many areas may ask for them: tiles with the same blames that came
 * one after the other are one run, about which is asked once. One that is to be shared is cut when its first piece is taken: by then it is known
 * how many came back with it.
 */
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import { type Blame, namesIn } from './blame.ts'

interface Run {
  readonly blames: readonly Blame[]
  readonly tiles: { readonly tile: PixelSet; readonly isShared: boolean }[]
  /** The first of them that waits. */
  next: number
  /** Pieces of the one before it that wait, the first of them last. */
  pieces: PixelSet[]
}

/** @returns disjoint pieces of the tile, at least one. @param waiting tiles that are to be shared and were not yet cut, this one included */
export type CutTile = (tile: PixelSet, blames: readonly Blame[], waiting: number) => readonly PixelSet[]

export class ReturnedTiles {
  /** In their order. */
  readonly #runs = new Set<Run>()
  /** By the names of areas that have failed them. */
  readonly #failedOn = new Map<string, Set<Run>>()
  #last: Run | undefined
  #size = 0
  #shared = 0

  /** Number of tiles and pieces that wait. */
  get size(): number {
    return this.#size
  }

  /** Whether tiles wait that have failed on an area of this name. */
  hasFailedOn(name: string): boolean {
    return (this.#failedOn.get(name)?.size ?? 0) > 0
  }

  /** @param isShared whether they may be cut for several areas */
  add(tiles: readonly PixelSet[], blames: readonly Blame[], isShared: boolean): void {
    if (tiles.length === 0) return
    for (const tile of tiles) this.#runFor(blames).tiles.push({ tile, isShared })
    this.#size += tiles.length
    if (isShared) this.#shared += tiles.length
  }

  #runFor(blames: readonly Blame[]): Run {
    const last = this.#last
    if (last && (last.blames === blames || last.blames.length + blames.length === 0)) return last
    const run: Run = { blames, tiles: [], next: 0, pieces: [] }
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
  take(may: (blames: readonly Blame[]) => boolean, cut: CutTile, failedOn?: string) {
    const runs = failedOn === undefined ? this.#runs : (this.#failedOn.get(failedOn) ?? [])
    for (const run of runs) if (may(run.blames)) return { ...this.#takeFrom(run, cut), blames: run.blames }
    return undefined
  }

  #takeFrom(run: Run, cut: CutTile): PixelSet {
    if (run.pieces.length === 0) {
      const { tile, isShared } = run.tiles[run.next++]!
      run.pieces = isShared ? cut(tile, run.blames, this.#shared).toReversed() : [tile]
      if (isShared) this.#shared--
      this.#size += run.pieces.length - 1
    }
    this.#size--
    const piece = run.pieces.pop()!
    if (run.pieces.length === 0 && run.next === run.tiles.length) this.#remove(run)
    return piece
  }

  #remove(run: Run): void {
    this.#runs.delete(run)
    for (const name of namesIn(run.blames)) this.#failedOn.get(name)!.delete(run)
    if (this.#last === run) this.#last = undefined
  }
}
