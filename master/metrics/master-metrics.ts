/** Everything that `GET /metrics` says of a master. Of the cluster as it is now, it asks when it is read. */
import { SOFTWARE } from '../../shared/frame/traced-by.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import type { AreaHealth } from '../cluster/area-health.ts'
import type { AreaPhase } from '../cluster/roster.ts'
import { counter, exposition, gauge, type Labelled } from './exposition.ts'
import type { FrameMetrics } from './frame-metrics.ts'

/** All there are: a state that no area is in is told as 0, so that nothing looks as if it were gone. */
const PHASES: Readonly<Record<AreaPhase, true>> = {
  ...{ joining: true, loading: true, building: true, warming: true, ready: true },
  ...{ quiet: true, quarantined: true, withdrawn: true, leaving: true },
}

export interface MetricsPorts {
  readonly frames: Pick<FrameMetrics, 'metrics'>
  readonly areas: () => readonly AreaHealth[]
  /** How many workers the work in hand is worth. */
  readonly workersWanted: () => number
  readonly sessions: () => number
  /** Frames of all sessions that are made now, and that wait for their turn. */
  readonly queues: () => { readonly making: number; readonly waiting: number }
  readonly connections: () => number
  readonly refused: () => Readonly<Record<string, number>>
  readonly traffic: () => Traffic
  readonly lateAnswers: () => number
  readonly process: () => ProcessUse
}

/** What the master's process uses. */
export interface ProcessUse {
  /** s */
  readonly cpu: number
  /** Bytes in memory, and of these those of JavaScript's heap and of buffers outside of it. */
  readonly resident: number
  readonly heap: number
  readonly buffers: number
  /** For how long its event loop has had something to do, s. */
  readonly loopActive: number
  /** How late timers were, at most and the median, since this was last asked, s. */
  readonly loopLag: { readonly most: number; readonly median: number }
  /** Since when it runs, s since 1970. */
  readonly startedAt: number
}

/** The most engines that are told apart: workers name theirs as they like. */
const MOST_ENGINES = 16

function byEngine(areas: readonly AreaHealth[]): Labelled[] {
  const counts = new Map<string, { readonly labels: Labelled[0]; count: number }>()
  for (const { engine, device } of areas) {
    const on = device === undefined ? 'cpu' : device.endsWith(SOFTWARE) ? 'software' : 'device'
    const key = `${engine} ${on}`
    const known = counts.get(key)
    if (known) known.count++
    else if (counts.size < MOST_ENGINES) counts.set(key, { labels: { engine, on }, count: 1 })
  }
  return [...counts.values()].map(({ labels, count }) => [labels, count])
}

export function metricsText(ports: MetricsPorts): string {
  const areas = ports.areas()
  const { making, waiting } = ports.queues()
  const traffic = ports.traffic()
  const { cpu, resident, heap, buffers, loopActive, loopLag, startedAt } = ports.process()
  const inState = (state: string) => areas.filter(area => area.state === state).length
  return exposition([
    ...ports.frames.metrics(),
    gauge('sortfirst_sessions', 'Sessions that are open, those that wait for workers included.', ports.sessions()),
    gauge('sortfirst_queued_frames', 'Frames of all sessions, by what happens to them.', [
      [{ state: 'making' }, making],
      [{ state: 'waiting' }, waiting],
    ]),
    gauge(
      'sortfirst_workers',
      'Workers that are connected.',
      new Set(areas.map(({ id, workerId = id }) => workerId)).size,
    ),
    gauge(
      'sortfirst_workers_wanted',
      'Workers that the work in hand is worth, by the time that it may take. 0 without any.',
      ports.workersWanted(),
    ),
    gauge(
      'sortfirst_areas',
      'Areas of connected workers, by what they are doing.',
      Object.keys(PHASES).map(state => [{ state }, inState(state)]),
    ),
    gauge(
      'sortfirst_engine_areas',
      'Areas of connected workers, by engine, and by what it runs on: software is a device that is none.',
      byEngine(areas),
    ),
    gauge(
      'sortfirst_worker_cores',
      'Cores that trace, as far as workers say.',
      areas.reduce((sum, { threads, cores = threads }) => sum + Math.min(threads, cores), 0),
    ),
    gauge('sortfirst_connections', 'Connections of all kinds.', ports.connections()),
    counter(
      'sortfirst_refused_peers_total',
      'Peers that were refused, by reason.',
      Object.entries(ports.refused()).map(([reason, count]) => [{ reason }, count]),
    ),
    counter('sortfirst_worker_messages_total', 'Messages exchanged with workers, both ways.', traffic.messages),
    counter('sortfirst_worker_bytes_total', 'Bytes exchanged with workers, both ways.', traffic.bytes),
    counter(
      'sortfirst_late_answers_total',
      'Answers of workers that came when they were no longer awaited.',
      ports.lateAnswers(),
    ),
    counter(
      'sortfirst_loop_active_seconds_total',
      'Time for which the event loop of the master has been busy.',
      loopActive,
    ),
    gauge('sortfirst_loop_lag_seconds', 'How late timers of the master were since it was last asked.', [
      [{ statistic: 'max' }, loopLag.most],
      [{ statistic: 'median' }, loopLag.median],
    ]),
    gauge('sortfirst_heap_bytes', 'JavaScript objects of the master.', heap),
    gauge('sortfirst_buffer_bytes', 'Buffers of the master, of scenes and frames.', buffers),
    gauge('process_resident_memory_bytes', 'Memory of the master.', resident),
    counter('process_cpu_seconds_total', 'CPU time of the master.', cpu),
    gauge('process_start_time_seconds', 'When the master was started, since 1970.', startedAt),
  ])
}
