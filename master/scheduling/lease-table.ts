/**
 * Who holds what. A lease may have copies: other leases on some of its rows, given out because it is late. The first to
 * send a row wins. A worker traces from the top, so copies lie at the bottom, and as soon as rows of a copy have come the
 * original is wanted only down to them. A row is never in more than two leases, its original's and one copy's.
 */
import { invariant } from '../../shared/errors.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'
import type { Blame } from './blame.ts'

/** A tile in flight. */
export interface Lease {
  readonly id: LeaseId
  readonly area: AreaId
  /** The first row of its order, px of the frame. */
  readonly top: number
  /** What is still wanted of it; grows shorter as parts come and rows are given away. */
  tile: PixelSet
  /** Where its pixels have failed. */
  blames: readonly Blame[]
  /** The open lease whose rows it copies. */
  original: Lease | undefined
  /** Its open copies: some of its rows each, none of them twice. */
  readonly copies: Set<Lease>
}

/** An area that may be given tiles. */
export interface LiveArea {
  readonly id: AreaId
  /** Oldest first: the order in which it traces them. */
  readonly held: Lease[]
  /** When it began with what is still to come of the first of them, ms. */
  begunAt: number
  /** When it was last heard of, or given something to do, ms. */
  signAt: number
}

/** What becomes of a lease whose copy stands for itself now; copies of lower rows do, too. */
export interface Release {
  readonly original: Lease
  /** What is still wanted of it; undefined: nothing. */
  readonly rest: PixelSet | undefined
  /** Lower rows that nobody has any more. */
  readonly left: readonly PixelSet[]
}

export class LeaseTable {
  readonly #leases = new Map<LeaseId, Lease>()
  readonly #areas = new Map<AreaId, LiveArea>()
  /** Areas that hold a tile besides the one that they trace. */
  #stocked = 0

  /** Open leases. */
  get size(): number {
    return this.#leases.size
  }

  get areas(): ReadonlyMap<AreaId, LiveArea> {
    return this.#areas
  }

  /** Whether any area holds a tile besides the one that it traces. */
  get stocked(): boolean {
    return this.#stocked > 0
  }

  all(): Iterable<Lease> {
    return this.#leases.values()
  }

  /** Areas that hold a tile and have given no sign of it for longer than `ms`. */
  silent(now: number, ms: number): LiveArea[] {
    return [...this.#areas.values()].filter(({ held, signAt }) => held.length > 0 && now - signAt > ms)
  }

  /** An open lease, if this area holds it. */
  find(id: LeaseId, area: AreaId): Lease | undefined {
    const lease = this.#leases.get(id)
    return lease?.area === area ? lease : undefined
  }

  get(id: LeaseId): Lease {
    const lease = this.#leases.get(id)
    invariant(lease, `lease ${id} is not open`)
    return lease
  }

  welcome(id: AreaId, now: number): void {
    this.#areas.set(id, { id, held: [], begunAt: now, signAt: now })
  }

  /** An area is given nothing more; what it held is the caller's to close. */
  dismiss(area: LiveArea): void {
    this.#areas.delete(area.id)
    if (area.held.length > 1) this.#stocked--
  }

  open(id: LeaseId, area: LiveArea, tile: PixelSet, blames: readonly Blame[], now: number): Lease {
    const lease: Lease = {
      ...{ id, area: area.id, top: tile.rect.y, tile, blames },
      ...{ original: undefined, copies: new Set<Lease>() },
    }
    this.#leases.set(id, lease)
    area.held.push(lease)
    if (area.held.length === 1) area.begunAt = area.signAt = now
    if (area.held.length === 2) this.#stocked++
    return lease
  }

  /** A lease is over; its copies stand for themselves. */
  close(lease: Lease, now: number): void {
    this.#leases.delete(lease.id)
    lease.original?.copies.delete(lease)
    for (const copy of lease.copies) copy.original = undefined
    const area = this.#areas.get(lease.area)
    if (!area) return
    const at = area.held.indexOf(lease)
    area.held.splice(at, 1)
    if (at === 0) area.begunAt = now
    if (area.held.length === 1) this.#stocked--
  }

  /** `copy` is a second lease on rows of `original`. */
  relate(copy: Lease, original: Lease): void {
    copy.original = original
    original.copies.add(copy)
  }

  /** Rows of a copy have come, or have failed: its original is wanted for the rows above them only. */
  release(copy: Lease): Release | undefined {
    const { original } = copy
    if (!original) return undefined
    const { y } = copy.tile.rect
    // Where a copy was lost, the original was alone again.
    const left = this.alone(original).filter(({ rect }) => rect.y > y)
    for (const other of original.copies) {
      if (other.tile.rect.y < y) continue
      original.copies.delete(other)
      other.original = undefined
    }
    const { rect } = original.tile
    const rest = y > rect.y ? { ...original.tile, rect: { ...rect, h: y - rect.y } } : undefined
    if (rest) original.tile = rest
    return { original, rest, left }
  }

  /** Rows of a lease that no copy of it has, in pieces. */
  alone({ tile, copies }: Lease): PixelSet[] {
    const { rect } = tile
    const pieces: PixelSet[] = []
    let y = rect.y
    const piece = (end: number): void => {
      if (end > y) pieces.push({ ...tile, rect: { ...rect, y, h: end - y } })
    }
    for (const { rect: copied } of [...copies].map(copy => copy.tile).sort((a, b) => a.rect.y - b.rect.y)) {
      piece(copied.y)
      y = copied.y + copied.h
    }
    piece(rect.y + rect.h)
    return pieces
  }
}
