/** Waiting tiles: one queue per worker, and a shared one for idle workers. */

import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { PlannedTile } from '../strategies/strategy.ts'
import type { Blame } from './blame.ts'
import { type CutTile, ReturnedTiles } from './returned-tiles.ts'

export interface WaitingTile extends PlannedTile {
  /** Areas on which tracing the pixels failed; excludes pixels lost together with their worker. */
  readonly blames: readonly Blame[]
}

const NO_BLAMES: readonly Blame[] = []

export class TileQueues {
  /** Each queue reversed: the next tile is the last element. */
  readonly #own = new Map<AreaId, WaitingTile[]>()
  /** The same by length: thousands of workers ask for the longest one. */
  readonly #byLength: Set<WaitingTile[]>[] = []
  /** No queue is longer than this. */
  #longest = 0
  readonly #anyone: WaitingTile[] = []
  /** Returned tiles, served after the planned ones. */
  readonly #back = new ReturnedTiles()
  #owned = 0

  /** @param present whether a worker takes part; tiles of absent ones go to the shared queue */
  constructor(tiles: readonly PlannedTile[], present: (worker: AreaId) => boolean) {
    for (let i = tiles.length - 1; i >= 0; i--) {
      const tile = { ...tiles[i]!, blames: NO_BLAMES }
      if (!tile.worker || !present(tile.worker)) {
        this.#anyone.push(tile)
        continue
      }
      const queue = this.#own.get(tile.worker)
      if (queue) queue.push(tile)
      else this.#own.set(tile.worker, [tile])
    }
    for (const queue of this.#own.values()) this.#enlist(queue)
  }

  /** Number of waiting tiles. */
  get size(): number {
    return this.#owned + this.#anyone.length + this.#back.size
  }

  /** Whether any of them may go to any worker. */
  get hasCommon(): boolean {
    return this.#anyone.length + this.#back.size > 0
  }

  /** Takes the next tile that was planned for this worker. */
  nextOf(worker: AreaId): WaitingTile | undefined {
    return this.#take(this.#own.get(worker), queue => queue.pop())
  }

  /** Takes the next tile that was not planned for any particular worker. */
  nextForAnyone(): WaitingTile | undefined {
    return this.#anyone.pop()
  }

  /** Takes the first returned tile that `may` accepts. @param failedOn name of an area that must have failed it */
  nextReturned(may: (blames: readonly Blame[]) => boolean, cut: CutTile, failedOn?: string): WaitingTile | undefined {
    return this.#back.take(may, cut, failedOn)
  }

  /** Whether returned tiles wait that have failed on an area of this name. */
  hasFailedOn(name: string): boolean {
    return this.#back.hasFailedOn(name)
  }

  /** Adds tiles without an owner behind the returned ones already waiting. @param isShared whether they may be cut for several areas */
  giveToAnyone(tiles: readonly PixelSet[], blames: readonly Blame[], isShared = false): void {
    this.#back.add(tiles, blames, isShared)
  }

  /** Takes the last tile that was planned for one of these. */
  lastOf(workers: Iterable<AreaId>): WaitingTile | undefined {
    for (const worker of workers) {
      const tile = this.#take(this.#own.get(worker), queue => queue.shift())
      if (tile) return tile
    }
    return undefined
  }

  /** A worker is gone: its queue becomes available to any other. */
  orphan(worker: AreaId): void {
    const queue = this.#own.get(worker)
    if (!queue) return
    this.#strike(queue)
    this.#own.delete(worker)
    const tiles = queue.toReversed().map(({ worker: _, blames: __, ...tile }) => tile)
    this.giveToAnyone(tiles, NO_BLAMES)
  }

  /**
   * Moves the later half of the longest queue to `thief`, whose own is empty. As in Blumofe and Leiserson (JACM 46(5),
   * 1999), thieves take from the opposite end to the owner. False when no queue has a tile.
   */
  shareOfBusiest(thief: AreaId): boolean {
    const busiest = this.#busiest()
    if (!busiest) return false
    this.#strike(busiest)
    const share = busiest.splice(0, Math.ceil(busiest.length / 2))
    this.#own.set(thief, share)
    this.#enlist(busiest)
    this.#enlist(share)
    return true
  }

  /** Takes the last tile of the longest queue. */
  lastOfBusiest(): WaitingTile | undefined {
    return this.#take(this.#busiest(), queue => queue.shift())
  }

  /** The longest queue; undefined if all are empty. */
  #busiest(): WaitingTile[] | undefined {
    for (; this.#longest > 0; this.#longest--) for (const queue of this.#byLength[this.#longest] ?? []) return queue
    return undefined
  }

  #take(
    queue: WaitingTile[] | undefined,
    take: (queue: WaitingTile[]) => WaitingTile | undefined,
  ): WaitingTile | undefined {
    if (!queue || queue.length === 0) return undefined
    this.#strike(queue)
    const tile = take(queue)
    this.#enlist(queue)
    return tile
  }

  #enlist(queue: WaitingTile[]): void {
    const { length } = queue
    this.#owned += length
    if (length === 0) return
    this.#byLength[length] ??= new Set()
    this.#byLength[length].add(queue)
    this.#longest = Math.max(this.#longest, length)
  }

  #strike(queue: WaitingTile[]): void {
    this.#owned -= queue.length
    this.#byLength[queue.length]?.delete(queue)
  }
}
