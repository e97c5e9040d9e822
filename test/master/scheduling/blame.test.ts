/** What is kept up to date of thousands of areas says the same as looking at every one of them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Blame, namesIn, Suspicion } from '../../../master/scheduling/blame.ts'
import { type AreaId, areaId } from '../../../shared/ids.ts'

const ids = ['a', 'b', 'c', 'd', 'a#2', 'b#2'].map(areaId)
const nameOf = (area: AreaId): string => area.split('#')[0]!

/** Looks at every area anew. */
class Naive {
  readonly live: ReadonlySet<AreaId>
  readonly #failures: readonly Blame[]

  constructor(live: ReadonlySet<AreaId>, failures: readonly Blame[]) {
    this.live = live
    this.#failures = failures
  }

  suspects(area: AreaId): boolean {
    return this.#failures.some(({ who, verdict }) => verdict === 'open' && who.area === nameOf(area))
  }

  mayTrace(blames: readonly Blame[], area: AreaId): boolean {
    const names = namesIn(blames)
    return !names.has(nameOf(area)) || [...this.live].every(other => names.has(nameOf(other)))
  }

  mayTake(area: AreaId, blames: readonly Blame[]): boolean {
    if (!this.mayTrace(blames, area)) return false
    if (!this.suspects(area)) return true
    return ![...this.live].some(other => !this.suspects(other) && this.mayTrace(blames, other))
  }
}

const anyEvent = fc.record({
  kind: fc.constantFrom('failed', 'failed', 'failed', 'traced', 'joined', 'left'),
  area: fc.constantFrom(...ids),
  tile: fc.nat(4),
})

it('says who may take what, whoever fails, traces, joins and leaves', () => {
  fc.assert(
    fc.property(fc.subarray(ids), fc.array(anyEvent, { maxLength: 40 }), (there, events) => {
      const areas = new Map(there.map(id => [id, true]))
      const told = new Map(areas)
      const live = { areas, trust: (area: AreaId, isTrusted: boolean) => void told.set(area, isTrusted) }
      const suspicion = new Suspicion(live, area => ({ area: nameOf(area), worker: nameOf(area) }))
      const tiles: (readonly Blame[])[] = [[], [], [], [], []]
      const failures: Blame[] = []
      for (const { kind, area, tile } of events) {
        if (kind === 'joined' && !areas.has(area)) {
          areas.set(area, true)
          told.set(area, true)
          suspicion.joined(area)
        } else if (kind === 'left') {
          areas.delete(area)
          suspicion.left(area)
        } else if (kind === 'traced') {
          suspicion.traced(tiles[tile]!, area)
          tiles[tile] = []
        } else if (kind === 'failed') {
          tiles[tile] = suspicion.failed(tiles[tile]!, area, 'no light')
          failures.push(tiles[tile].at(-1)!)
        }
        const naive = new Naive(new Set(areas.keys()), failures)
        const all = [...areas.keys()]
        expect(all.map(id => suspicion.suspects(id))).toEqual(all.map(id => naive.suspects(id)))
        expect(all.map(id => told.get(id))).toEqual(all.map(id => !naive.suspects(id)))
        const required = suspicion.requiredOfSuspects
        for (const blames of tiles) {
          const takers = all.filter(id => naive.mayTake(id, blames))
          expect(all.filter(id => suspicion.mayTake(id, blames))).toEqual(takers)
          expect(suspicion.takers(blames)).toBe(takers.length)
          if (required !== undefined && takers.some(id => naive.suspects(id)))
            expect(namesIn(blames)).toContain(required)
        }
      }
    }),
    { numRuns: 500 },
  )
})
