/**
 * Which area holds what. A late lease may have copies: other leases on some of its rows. The first to send a row wins.
 * Workers trace from the top, so copies lie at the bottom; once rows of a copy have arrived, the original is wanted only
 * down to them. A row is never in more than two leases: its original and one copy.
 */
import { invariant } from '../../shared/errors.ts'
import { hasPixels, type PixelSet } from '../../shared/frame/pixel-set.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { Blame } from './blame.ts'

/** A tile in flight. */
export interface Lease {
  readonly id: LeaseId
  readonly area: AreaId
  /** First row as ordered, px of the frame. */
  readonly top: number
  /** What is still wanted; shrinks as parts arrive and rows are given away. */
  tile: PixelSet
  /** Where its pixels have failed. */
  blames: readonly Blame[]
  /** The open lease whose rows it copies. */
  original: Lease | undefined
  /** Its open copies: disjoint sets of its rows. */
  readonly copies: Set<Lease>
}

/** An area that may be given tiles. */
export interface LiveArea {
  readonly id: AreaId
  /** Whether it came after the frame was planned. */
  readonly isNewcomer: boolean
  /** Oldest first: tiles are traced in this order. */
  readonly held: Lease[]
  /** When it started on the remaining rows of its first tile, ms. */
  begunAt: number
  /** When it was last heard from, and when that or when it was given work, ms. */
  progressAt: number
  signAt: number
  /** Whether it may have what others can trace. */
  isTrusted: boolean
}

/** The effect on a lease when a copy, along with all copies of lower rows, becomes independent of it. */
export interface Release {
  readonly original: Lease
  /** What is still wanted of it; undefined if nothing. */
  readonly rest: PixelSet | undefined
  /** Lower rows that no lease holds any more. */
  readonly left: readonly PixelSet[]
}

/** What the removal of an area leaves. */
export interface Dismissal {
  readonly ended: readonly Lease[]
  readonly back: readonly { readonly pieces: readonly PixelSet[]; readonly blames: readonly Blame[] }[]
}

export class LeaseTable {
  readonly #leases = new Map<LeaseId, Lease>()
  readonly #areas = new Map<AreaId, LiveArea>()
  /** Areas that are given nothing more, and still answer some leases. */
  readonly #parting = new Map<AreaId, LiveArea>()
  readonly #live = new Set<AreaId>()
  readonly #idle = new Set<LiveArea>()
  readonly #idleTrusted = new Set<LiveArea>()
  readonly #stocked = new Set<LiveArea>()
  /** Areas that hold a tile, the longest silent first. */
  readonly #tracing = new Set<LiveArea>()

  /** Open leases. */
  get size(): number {
    return this.#leases.size
  }

  get areas(): ReadonlyMap<AreaId, LiveArea> {
    return this.#areas
  }

  /** The ids of those: a live view. */
  get live(): ReadonlySet<AreaId> {
    return this.#live
  }

  /** Areas that can be given tiles and hold none, those that have been so for longest first: a live view. */
  get idle(): ReadonlySet<LiveArea> {
    return this.#idle
  }

  /** Those of them that are trusted. */
  get idleTrusted(): ReadonlySet<LiveArea> {
    return this.#idleTrusted
  }

  /** Areas that can be given tiles, and hold one in addition to the one they are tracing: a live view. */
  get stocked(): ReadonlySet<LiveArea> {
    return this.#stocked
  }

  /** The last area is kept, whatever it does. */
  isOneOfSeveral(area: LiveArea | undefined): area is LiveArea {
    return area !== undefined && this.#areas.has(area.id) && this.#areas.size > 1
  }

  all(): Iterable<Lease> {
    return this.#leases.values()
  }

  /** An area that can be given tiles, or still answers some. */
  present(id: AreaId): LiveArea | undefined {
    return this.#areas.get(id) ?? this.#parting.get(id)
  }

  /** Something came of an area. */
  heard(area: LiveArea, now: number): void {
    area.signAt = area.progressAt = now
    if (this.#tracing.delete(area)) this.#tracing.add(area)
  }

  /** Areas that hold a tile and have not been heard from for longer than `ms`, the longest silent first. */
  silent(now: number, ms: number): LiveArea[] {
    const silent: LiveArea[] = []
    for (const area of this.#tracing) {
      if (now - area.signAt <= ms) break
      silent.push(area)
    }
    return silent
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

  welcome(id: AreaId, now: number, isNewcomer = false): LiveArea {
    const times = { begunAt: now, progressAt: Number.NEGATIVE_INFINITY, signAt: now }
    const area = { id, isNewcomer, held: [], ...times, isTrusted: true }
    this.#areas.set(id, area)
    this.#live.add(id)
    this.#isIdle(area)
    return area
  }

  /** An area is suspected from now on, or no more. */
  trust(id: AreaId, isTrusted: boolean): void {
    const area = this.#areas.get(id)
    if (!area) return
    area.isTrusted = isTrusted
    if (!isTrusted) this.#idleTrusted.delete(area)
    else if (area.held.length === 0) this.#idleTrusted.add(area)
  }

  #isIdle(area: LiveArea): void {
    this.#idle.add(area)
    if (area.isTrusted) this.#idleTrusted.add(area)
  }

  #isNotIdle(area: LiveArea): void {
    this.#idle.delete(area)
    this.#idleTrusted.delete(area)
  }

  /**
   * Removes an area. Of the leases in `keeps` it still answers the rows above one each, and is present until it has; all others end. Returns
   * the pixels that no lease holds now, with their blames: those of a copy are still held by its original.
   */
  dismiss(area: LiveArea, now: number, keeps: ReadonlyMap<LeaseId, number> = new Map()): Dismissal {
    this.#parting.delete(area.id)
    this.#areas.delete(area.id)
    this.#live.delete(area.id)
    this.#isNotIdle(area)
    this.#stocked.delete(area)
    const ended: Lease[] = []
    const back: Dismissal['back'][number][] = []
    for (const lease of area.held.splice(0)) {
      const { blames } = lease
      const row = lease.original ? undefined : keeps.get(lease.id)
      const below = row === undefined ? undefined : this.#shorten(lease, row)
      if (below) {
        area.held.push(lease)
        back.push({ pieces: below, blames })
        continue
      }
      ended.push(lease)
      if (!lease.original) back.push({ pieces: this.alone(lease), blames })
      this.close(lease, now)
    }
    if (area.held.length > 0) this.#parting.set(area.id, area)
    else this.#tracing.delete(area)
    return { ended, back }
  }

  /**
   * Of a lease only the rows above `row` are still wanted, and its copies become independent. Returns what no lease holds then; undefined,
   * and nothing is changed, if no row would be left.
   */
  #shorten(lease: Lease, row: number): PixelSet[] | undefined {
    const { rect } = lease.tile
    const end = Math.min(row, rect.y + rect.h, ...[...lease.copies].map(({ tile }) => tile.rect.y))
    if (end <= rect.y) return undefined
    const below = this.alone(lease).flatMap(({ rect: { x, y, w, h }, ...piece }) =>
      y + h > end ? [{ ...piece, rect: { x, y: Math.max(y, end), w, h: y + h - Math.max(y, end) } }] : [],
    )
    for (const copy of lease.copies) copy.original = undefined
    lease.copies.clear()
    lease.tile = { ...lease.tile, rect: { ...rect, h: end - rect.y } }
    return below
  }

  open(id: LeaseId, area: LiveArea, tile: PixelSet, blames: readonly Blame[], now: number): Lease {
    const { y } = tile.rect
    const lease: Lease = { id, area: area.id, top: y, tile, blames, original: undefined, copies: new Set() }
    this.#leases.set(id, lease)
    area.held.push(lease)
    if (area.held.length === 1) {
      area.begunAt = area.signAt = now
      this.#isNotIdle(area)
      this.#tracing.add(area)
    }
    if (area.held.length === 2) this.#stocked.add(area)
    return lease
  }

  /** Closes a lease; its copies become independent. */
  close(lease: Lease, now: number): void {
    this.#leases.delete(lease.id)
    lease.original?.copies.delete(lease)
    for (const copy of lease.copies) copy.original = undefined
    const area = this.present(lease.area)
    if (!area) return
    const at = area.held.indexOf(lease)
    area.held.splice(at, 1)
    if (at === 0) area.begunAt = now
    if (area.held.length === 1) this.#stocked.delete(area)
    if (area.held.length > 0) return
    this.#tracing.delete(area)
    if (!this.#parting.delete(area.id)) this.#isIdle(area)
  }

  /** Marks `copy` as a second lease on rows of `original`. */
  relate(copy: Lease, original: Lease): void {
    copy.original = original
    original.copies.add(copy)
  }

  /** Rows of a copy have arrived or failed: its original is wanted only for the rows above them. */
  release(copy: Lease): Release | undefined {
    const { original } = copy
    if (!original) return undefined
    const { y } = copy.tile.rect
    // Rows of a lost copy had been left to the original alone.
    const left = this.alone(original).filter(({ rect }) => rect.y > y)
    for (const other of original.copies) {
      if (other.tile.rect.y < y) continue
      original.copies.delete(other)
      other.original = undefined
    }
    const { rect } = original.tile
    const above = { ...original.tile, rect: { ...rect, h: y - rect.y } }
    // Of a pattern there may be no pixels above: then nothing is left to wait for.
    const rest = y > rect.y && hasPixels(above) ? above : undefined
    if (rest) original.tile = rest
    return { original, rest, left }
  }

  /** Rows of a lease that none of its copies hold, in pieces that have pixels. */
  alone({ tile, copies }: Lease): PixelSet[] {
    const { rect } = tile
    const pieces: PixelSet[] = []
    let y = rect.y
    const piece = (end: number): void => {
      const set = { ...tile, rect: { ...rect, y, h: end - y } }
      if (end > y && hasPixels(set)) pieces.push(set)
    }
    for (const { rect: copied } of [...copies].map(copy => copy.tile).sort((a, b) => a.rect.y - b.rect.y)) {
      piece(copied.y)
      y = copied.y + copied.h
    }
    piece(rect.y + rect.h)
    return pieces
  }
}
