/**
 * Workers that were started together with their master. Their ends are seen, and nobody else can come. So they are not waited for by the clock:
 * one that is not there yet is on its way for as long as its process lives, however busy the machine, and one that has ended is not waited for.
 */
import type { Roster } from './roster.ts'
import type { WorkerLink } from './worker-link.ts'

export interface OwnWorkers {
  /** Those that have not heard of the scenes: they are not connected, or not again, or have only just joined. */
  readonly coming: number
  /** Names of those that are connected, and not set aside, as one that does not answer is for a while. */
  readonly here: ReadonlySet<string>
}

/** Whether there are fewer workers than `least`, and no more can come. @param own undefined: workers come from elsewhere @param connected how many are */
export const isDeserted = (own: OwnWorkers | undefined, connected: number, least: number): boolean =>
  own !== undefined && own.coming + connected < least

/** How many can be waited for. */
export const mostOf = ({ coming, here }: OwnWorkers): number => coming + here.size

/**
 * @param names of those that have not ended
 * @param told those of the roster that have been told of the scenes
 */
export function ownWorkers(names: readonly string[], told: readonly WorkerLink[], roster: Roster): OwnWorkers {
  const named = new Set(told.map(({ name }) => name))
  const expected = new Set(roster.expected(told.flatMap(({ areas }) => areas)).map(({ link }) => link.name))
  const coming = names.filter(name => !named.has(name)).length
  return { coming, here: new Set(names.filter(name => expected.has(name))) }
}
