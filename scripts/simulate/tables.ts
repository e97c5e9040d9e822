/** Simulation results as text. */
import Table from 'cli-table3'
import type { Clock } from '../../shared/frame/frame-limits.ts'
import type { Summary } from '../../shared/frame/summary.ts'
import { clockName, formatCount, formatKiB, formatMs, formatRatio, formatShare } from '../report/figures/numbers.ts'
import { HOST_UNKNOWN } from './check-doubts.ts'

/** Live results of a strategy's frames, and simulated ones. */
export interface Agreement {
  readonly strategy: string
  readonly frames: number
  /** What measured ε. */
  readonly clock: Clock
  readonly live: Outcome
  readonly simulated: Outcome
  /** Reasons why the two are not comparable. */
  readonly warnings: readonly string[]
}

export interface Outcome {
  /** Means over the frames. */
  readonly frameMs: number
  readonly epsilon: number
  readonly messages: number
  readonly bytes: number
  readonly stolen: number
}

const PLAIN = { head: [], border: [], compact: true }

/** Mean frame times, and how they divide for the worker that traced longest: even shares alone do not make frames short. */
export function summaryTable({ strategies }: Summary): string {
  const head = [
    ...['strategy', 'mean\nms', 'prepare\nms', 'transit\nms', 'tracing\nms', 'idle\nms'],
    ...['ε\nmean', 'ε\nfirst', 'ε\nlast', 'effi-\nciency', 'messages', 'KiB', 'migra-\ntion'],
  ]
  if (strategies.some(({ topMaster }) => topMaster)) head.push('messages\nabove', 'KiB\nabove')
  const table = new Table({ style: PLAIN, head, colAligns: head.map((_, i) => (i === 0 ? 'left' : 'right')) })
  for (const { name, frameMs, slowest, epsilon, efficiency, topMaster: top, ...strategy } of strategies) {
    const parts = slowest && [slowest.prepareMs, slowest.transitMs, slowest.tracingMs, slowest.idleMs]
    table.push([
      name,
      formatMs(frameMs.mean),
      ...(parts?.map(formatMs) ?? ['–', '–', '–', '–']),
      ...[epsilon.mean, epsilon.first, epsilon.last].map(formatRatio),
      formatShare(efficiency),
      formatCount(strategy.messagesPerFrame),
      formatKiB(strategy.bytesPerFrame),
      formatShare(strategy.migrationShare),
      ...(top ? [formatCount(top.messagesPerFrame), formatKiB(top.bytesPerFrame)] : []),
    ])
  }
  return `${table.toString()}\n${WHERE_IT_WENT}`
}

const WHERE_IT_WENT =
  'prepare (statistics, decision), transit (orders, answers, stitching), tracing, idle: where the mean went for the worker that traced longest'

/** Reasons why rows of the table do not validate the simulator, one per line. */
export function agreementDoubts(agreements: readonly Agreement[]): string[] {
  const lines = agreements.flatMap(({ strategy, warnings }) => {
    const reasons = warnings.filter(warning => warning !== HOST_UNKNOWN)
    return reasons.length > 0 ? [`${strategy} cannot be checked: ${reasons.join('; ')}`] : []
  })
  return agreements.some(({ warnings }) => warnings.includes(HOST_UNKNOWN)) ? [...lines, HOST_UNKNOWN] : lines
}

/** In the order of the recording; at least one. */
export function agreementTable(agreements: readonly Agreement[]): string {
  const head = [
    ...['strategy', 'ms live', 'simulated', 'off by', 'ε live', 'simulated'],
    ...['messages', 'simulated', 'KiB', 'simulated', 'stolen', 'simulated'],
  ]
  const table = new Table({ style: PLAIN, head, colAligns: head.map((_, i) => (i === 0 ? 'left' : 'right')) })
  for (const { strategy, live, simulated } of agreements) {
    const off = simulated.frameMs / live.frameMs - 1
    table.push([
      strategy,
      ...[formatMs(live.frameMs), formatMs(simulated.frameMs), `${off < 0 ? '−' : '+'}${formatShare(Math.abs(off))}`],
      ...[live, simulated].map(({ epsilon }) => formatRatio(epsilon)),
      ...[live, simulated].map(({ messages }) => formatCount(messages)),
      ...[live, simulated].map(({ bytes }) => formatKiB(bytes)),
      ...[live, simulated].map(({ stolen }) => stolen.toFixed(1)),
    ])
  }
  const { clock } = agreements[0]!
  return `live frames compared with the same frames simulated, means; ε by the ${clockName(clock)} clock\n${table.toString()}`
}
