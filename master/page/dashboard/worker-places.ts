/**
 * Places of areas among all of a run, which give them their colours: an area keeps its own when others leave or join, and one that comes back under
 * another id has the place that it had, as in a report (`same-workers.ts`).
 */
import type { WorkerInfo } from '../../../shared/frame/frame-report.ts'
import { keepNewest } from '../../../shared/keep-newest.ts'

type Area = Pick<WorkerInfo, 'id' | 'name' | 'device'>

/** Of areas that are not there any more, those that are remembered, at least. */
const MOST = 4096

export class WorkerPlaces {
  /** By id. */
  readonly #places = new Map<string, number>()
  /** Of all areas that were ever called so. */
  readonly #named = new Map<string, Set<number>>()
  #next = 0
  #last: { readonly key: string; readonly places: readonly number[] } | undefined

  /** @param areas of a frame */
  of(areas: readonly Area[]): readonly number[] {
    const key = areas.map(({ id }) => id).join(' ')
    if (this.#last?.key === key) return this.#last.places
    // Those that have not gone stay where they are; the others may be any of their name that is not here.
    const taken = new Set(areas.flatMap(({ id }) => this.#places.get(id) ?? []))
    const places = areas.map(area => this.#places.get(area.id) ?? this.#placeFor(area, taken))
    for (const [i, { id }] of areas.entries()) {
      this.#places.delete(id)
      this.#places.set(id, places[i]!)
    }
    keepNewest(this.#places, Math.max(MOST, areas.length))
    keepNewest(this.#named, Math.max(MOST, areas.length))
    this.#last = { key, places }
    return places
  }

  #placeFor({ name, device }: Area, taken: Set<number>): number {
    const called = `${name} ${device ?? ''}`
    const known = this.#named.get(called) ?? new Set<number>()
    const place = [...known].find(each => !taken.has(each)) ?? this.#next++
    this.#named.delete(called)
    this.#named.set(called, known.add(place))
    taken.add(place)
    return place
  }
}
