/**
 * The lower level of a simulated cluster of racks: gives the master above what it needs to have racks for workers, and makes one
 * frame of what it and the racks recorded. ε and the ledger then are those of the workers, as with one master.
 */
import { OptionError } from '../../shared/errors.ts'
import type { Clock } from '../../shared/frame/frame-limits.ts'
import { MOST_STEALS } from '../../shared/frame/frame-report.ts'
import type { Span } from '../../shared/frame/span.ts'
import type { LeaseId } from '../../shared/ids.ts'
import type { OwnerMap } from '../../shared/metrics/owner-map.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import type { CostMap } from '../costs/cost-map.ts'
import type { CostPredictor } from '../costs/predictors/predictor.ts'
import type { FrameFacts } from '../frames/frame-facts.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { Strategy } from '../strategies/strategy.ts'
import type { ClusterSpec } from './cluster-spec.ts'
import { Rack, type RackFrame, RackTracer } from './rack-tracer.ts'
import { sentCosts } from './sent-costs.ts'
import type { FrameWorkload, RacksBelow, SimulatedFrame, Stopwatch } from './simulate-frame.ts'

export interface RackLevelOptions {
  readonly strategy: Strategy
  readonly options: StrategyOptions
  readonly predictor: CostPredictor
  readonly clock: Clock
  readonly racks: readonly ClusterSpec[]
  /** Shared with the master above: no two leases of a frame have the same number. */
  readonly numbers: LeaseNumbers
  readonly stopwatch: Stopwatch
}

/**
 * Whether a master above can pass down what it knows: the strategy predicts costs of cells, and its tiles are rectangles, not sets of small
 * tiles.
 */
export const suitsRacks = ({ cellSize, smallTiles }: Strategy, options: StrategyOptions): boolean =>
  !smallTiles && (cellSize?.(options) ?? 0) > 0

export class RackLevel {
  /** For the master above. */
  readonly strategy: Strategy
  readonly #options: RackLevelOptions
  #racks: readonly Rack[] | undefined
  #predicted: CostMap | undefined
  /** By the lease above. */
  #made = new Map<LeaseId, RackFrame>()

  constructor(options: RackLevelOptions) {
    this.#options = options
    const { strategy } = options
    this.strategy = {
      ...strategy,
      plan: input => {
        const { stealing: _, duplicates: __, ...plan } = strategy.plan(input)
        if (plan.tiles.some(tile => tile.pattern))
          throw new OptionError('--levels', 'a strategy whose tiles are rectangles', strategy.name)
        this.#predicted = plan.predicted
        return plan
      },
    }
  }

  /** @param cell side of the cells for which the master above wants costs, px */
  begin(truth: FrameWorkload, owners: OwnerMap, cell: number): RacksBelow {
    const { racks: specs, strategy, options, predictor, clock, numbers, stopwatch } = this.#options
    const rules = { strategy, options, predictor, clock, cell }
    this.#racks ??= specs.map(spec => new Rack(spec, rules))
    const racks = this.#racks
    this.#made = new Map()
    this.#predicted = undefined
    return {
      tracer: (rack, costs) =>
        new RackTracer(racks[rack]!, { truth, costs, owners, numbers, stopwatch }, made => {
          this.#made.set(made.lease, made)
        }),
      costsOf: ({ rect }) => this.#predicted && sentCosts(this.#predicted, rect),
    }
  }

  /** The frame as its workers made it. Its traffic is that of both levels. */
  whole(frame: SimulatedFrame): SimulatedFrame {
    const { facts, traffic } = frame
    const parts = facts.records.map(({ lease }) => this.#made.get(lease)!)
    const sum = (of: (part: RackFrame) => number) => parts.reduce((sum, part) => sum + of(part), 0)
    const records = parts.flatMap(part => part.facts.records)
    return {
      ...frame,
      facts: {
        ...facts,
        records,
        spans: [...facts.spans, ...facts.records.flatMap((record, i) => waySpans(facts, record, parts[i]!))],
        passes: facts.passes.map(pass => ({ ...pass, records: records.length })),
        rescued: facts.rescued + sum(part => part.facts.rescued),
        stolen: sum(part => part.facts.stolen),
        steals: parts.flatMap(part => part.facts.steals).slice(-MOST_STEALS),
        duplicated: sum(part => part.facts.duplicated),
        redundantPx: facts.redundantPx + sum(part => part.facts.redundantPx),
      },
      traffic: {
        messages: traffic.messages + sum(part => part.traffic.messages),
        bytes: traffic.bytes + sum(part => part.traffic.bytes),
      },
    }
  }
}

/** From the end of a rack's tile to its place in the frame: what its workers wait for. */
function waySpans(
  { spans }: FrameFacts,
  { arrivedAt, stitchedAt }: FrameFacts['records'][number],
  { facts, workers }: RackFrame,
): Span[] {
  const { frame } = spans[0]!
  return workers.flatMap(({ id: worker }): Span[] => [
    { kind: 'transmit', frame, worker, start: facts.endedAt, end: arrivedAt },
    { kind: 'stitch', frame, worker, start: arrivedAt, end: stitchedAt },
  ])
}
