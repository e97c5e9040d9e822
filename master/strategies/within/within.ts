/**
 * A way to share what a worker was given among its areas (its CPU and its accelerators): one pure rule per file, one registry
 * (`index.ts`). What a worker is given at all is the strategy's business; `two-levels.ts` puts the two together.
 */
import type { StrategyOptions } from '../../../shared/session/strategy-options.ts'
import type { AreaShare } from '../strategy.ts'

/** What an area did since its share was last adjusted. */
export interface MeasuredArea {
  /** How long it was busy, ms. */
  readonly busyMs: number
  /** Work done, in a unit that is the same for all areas. */
  readonly work: number
}

export interface WithinInput<Memory = unknown> {
  /** At least two, the CPU first; speeds as declared. */
  readonly areas: readonly AreaShare[]
  readonly options: StrategyOptions
  /** The shares in use, and what came of them. Absent in the first frame. */
  readonly previous?: {
    readonly shares: readonly number[]
    readonly measured: readonly MeasuredArea[]
    /** Frames that were measured. */
    readonly frames: number
    /** What the rule remembered. */
    readonly memory?: Memory
  }
}

export interface Division<Memory = unknown> {
  /** Of the work, one for each area; none negative, together 1. */
  readonly shares: readonly number[]
  /** Handed back with the next adjustment, unread. Plain data. */
  readonly memory?: Memory
}

export interface Within<Memory = unknown> {
  /** On the command line and in reports. */
  readonly name: string
  /** One line: what it does. */
  readonly summary: string
  /** One line: when to use it. */
  readonly advice: string
  /** Where it was published; `control` for those that ship for comparison. */
  readonly source: string
  /** Whether an area that runs dry takes rows of the worker's other areas. @default false */
  readonly stealing?: true
  /** Equal inputs give equal shares. */
  readonly divide: (input: WithinInput<Memory>) => Division<Memory>
}

/** A rule as everybody else sees it: its memory is something to hand back. */
export const withMemory = <Memory>(within: Within<Memory>): Within => within as Within

/** Shares before anything was measured: in proportion to declared speeds, or what `--within-start` gives the accelerators. */
export function startingShares({ areas, options }: Pick<WithinInput, 'areas' | 'options'>): number[] {
  const speeds = areas.map(({ speed }) => speed)
  const accelerators = options.withinStart
  if (accelerators === undefined) return inProportion(speeds)
  const others = inProportion(speeds.slice(1))
  return [1 - accelerators, ...others.map(share => share * accelerators)]
}

/** Shares in proportion to amounts; even ones where all are 0. */
export function inProportion(amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  return amounts.map(amount => (total > 0 ? amount / total : 1 / amounts.length))
}
