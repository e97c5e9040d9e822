/** What decisions cost the master, and which balancer to use. */
import Table from 'cli-table3'
import { strategyByName } from '../../../master/strategies/index.ts'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { describeHost } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchBalance } from '../balance/bench-balance.ts'
import { balanceText } from '../balance/table.ts'
import { benchBalancers } from '../balancers.ts'
import { benchSchedule } from '../schedule.ts'
import { benchStrategies } from '../strategies.ts'
import { cells, PLAIN, printJson, progress } from './output.ts'

/** For the bare balancers. */
const MANY = { objects: 1e5, processors: 1e4 } as const

export async function strategies(raw: { rounds: string; json?: boolean }): Promise<void> {
  const rounds = wholeNumber('--rounds', raw.rounds, 1, 10_000)
  const plans = benchStrategies([8, 64, 512], rounds)
  const balancers = benchBalancers(MANY.objects, MANY.processors, rounds)
  if (raw.json) return printJson({ strategies: plans, balancers })
  const planTable = new Table({
    style: PLAIN,
    head: ['strategy', 'workers', 'first frame, median ms', 'best', 'later frame, median ms', 'best'],
  })
  planTable.push(...plans.map(row => [row.strategy, row.workers, ...cells(row.first), ...cells(row.next)]))
  const balancerTable = new Table({
    style: PLAIN,
    head: ['balancer', 'median ms', 'best', 'slowest over average', 'after', 'moved', 'swapped', 'refused', 'stuck'],
  })
  for (const { balancer, decide, before, after, decisions } of balancers) {
    const { moved, swapped, refused, stuck } = decisions
    balancerTable.push([
      ...[balancer, ...cells(decide), before.toFixed(3), after.toFixed(3)],
      ...[moved, swapped, refused, stuck],
    ])
  }
  const many = `${MANY.objects.toLocaleString('en')} objects on ${MANY.processors.toLocaleString('en')} processors`
  await print(`plans of 1920x1080, CPU time\n${planTable}\n\n${many}, CPU time\n${balancerTable}\n`)
}

export interface RawScheduleOptions {
  readonly areas: string
  readonly strategy: string
  readonly rounds: string
  readonly json?: boolean
}

export async function schedule(raw: RawScheduleOptions): Promise<void> {
  const counts = raw.areas.split(',').map(count => wholeNumber('--areas', count, 1, 65_536))
  const rounds = wholeNumber('--rounds', raw.rounds, 1, 10_000)
  const strategy = strategyByName(raw.strategy)
  const areas = benchSchedule(strategy, counts, rounds)
  if (raw.json) return printJson({ strategy: strategy.name, areas })
  const table = new Table({ style: PLAIN, head: ['areas', 'events', 'µs per event', 'ms per frame', 'steals'] })
  for (const { areas: count, events, eventUs, frameMs, stolen } of areas)
    table.push([count, events, eventUs.toFixed(1), frameMs.toFixed(1), stolen])
  await print(`the schedule of a frame of 1920x1080 with ${strategy.name}, CPU time\n${table}\n`)
}

export interface RawBalanceOptions {
  readonly scene: string
  readonly size: string
  readonly frames: string
  readonly json?: boolean
}

export async function balance({ scene, size, frames, json }: RawBalanceOptions): Promise<void> {
  const options = { scene, size: parseSize(size), frames: wholeNumber('--frames', frames, 5, 1000) }
  const result = await interruptible(signal => benchBalance(options, signal, { info: progress, warn: progress }))
  if (json) return printJson({ ...result, host: describeHost() })
  await print(balanceText(result))
}
