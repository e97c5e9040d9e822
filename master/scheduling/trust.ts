/**
 * Which live areas are suspected, and so given nothing that others can trace. Kept up to date where it changes, by name and in total: among
 * thousands of areas as many tiles may fail, and each event asks who may take what. Nothing is kept before something has failed.
 */
import type { AreaId } from '../../shared/ids.ts'

/** What is told of areas that can be given pixels; the real one is LeaseTable. */
export interface LiveAreas {
  readonly areas: ReadonlyMap<AreaId, unknown>
  /** An area is suspected from now on, or no more. */
  trust(area: AreaId, isTrusted: boolean): void
}

export class Trust {
  readonly #live: LiveAreas
  readonly #nameOf: (area: AreaId) => string
  /** By name: failures of tiles that no area has tried since. */
  readonly #open = new Map<string, number>()
  /** Live areas by name: several if one came back before it was missed. */
  #byName: Map<string, AreaId[]> | undefined
  readonly #trusted = new Set<AreaId>()

  constructor(live: LiveAreas, nameOf: (area: AreaId) => string) {
    this.#live = live
    this.#nameOf = nameOf
  }

  /** Whether anything has failed in this frame. */
  get hasCause(): boolean {
    return this.#byName !== undefined
  }

  suspects(name: string): boolean {
    return (this.#open.get(name) ?? 0) > 0
  }

  /** An area failed a tile. */
  failed(name: string): void {
    if (!this.#byName) {
      this.#byName = new Map()
      for (const area of this.#live.areas.keys()) this.joined(area)
    }
    const open = this.#open.get(name) ?? 0
    this.#open.set(name, open + 1)
    if (open === 0) this.#change(name, false)
  }

  /** It is known what a failure of an area was due to. */
  settled(name: string): void {
    const open = this.#open.get(name)! - 1
    this.#open.set(name, open)
    if (open === 0) this.#change(name, true)
  }

  #change(name: string, isTrusted: boolean): void {
    for (const area of this.#byName!.get(name) ?? []) {
      if (isTrusted) this.#trusted.add(area)
      else this.#trusted.delete(area)
      this.#live.trust(area, isTrusted)
    }
  }

  /** An area is live from now on. */
  joined(area: AreaId): void {
    if (!this.#byName) return
    const name = this.#nameOf(area)
    const all = this.#byName.get(name)
    if (all) all.push(area)
    else this.#byName.set(name, [area])
    const isTrusted = !this.suspects(name)
    if (isTrusted) this.#trusted.add(area)
    this.#live.trust(area, isTrusted)
  }

  /** An area is not live any more. */
  left(area: AreaId): void {
    if (!this.#byName) return
    this.#trusted.delete(area)
    const name = this.#nameOf(area)
    const all = this.#byName.get(name)
    if (all?.includes(area)) all.splice(all.indexOf(area), 1)
  }

  /** Of a live area that is trusted; undefined if there is none, or nothing has failed. */
  get anyTrusted(): string | undefined {
    for (const area of this.#trusted) return this.#nameOf(area)
    return undefined
  }

  /** Whether these are the names of all live areas. */
  isAll(names: ReadonlySet<string>): boolean {
    return this.#countOf(names) === this.#live.areas.size
  }

  /** Live areas of other names: those that are trusted, or all of them. */
  countBut(names: ReadonlySet<string>, onlyTrusted: boolean): number {
    if (!this.#byName) return this.#live.areas.size
    if (!onlyTrusted) return this.#live.areas.size - this.#countOf(names)
    return this.#trusted.size - this.#countOf([...names].filter(name => !this.suspects(name)))
  }

  #countOf(names: Iterable<string>): number {
    let count = 0
    for (const name of names) count += this.#byName?.get(name)?.length ?? 0
    return count
  }
}
