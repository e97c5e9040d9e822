/**
 * Workers that were started together with their master. Their ends are seen, and nobody else can come. So they are not waited for by the clock:
 * one that is not there yet is on its way for as long as its process lives, however busy the machine, and one that has ended is not waited for.
 */
import type { Roster } from './roster.ts'

export interface OwnWorkers {
  /** Those that are not connected, or not again. */
  readonly coming: number
  /** Those that can be waited for: coming, or connected and not set aside, as one that does not answer is for a while. */
  readonly most: number
}

/** @param names of those that have not ended */
export function ownWorkers(names: readonly string[], roster: Roster): OwnWorkers {
  const areas = roster.areas()
  const connected = new Set(areas.map(({ link }) => link.name))
  const expected = new Set(roster.expected(areas).map(({ link }) => link.name))
  const coming = names.filter(name => !connected.has(name)).length
  return { coming, most: coming + names.filter(name => expected.has(name)).length }
}
