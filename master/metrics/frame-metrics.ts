/** What complete frames add up to, since the master was started. */
import { haveCpuClocks } from '../../shared/frame/cpu-clocks.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { SPAN_KINDS } from '../../shared/frame/span-kinds.ts'
import { counter, Histogram, type Metric } from './exposition.ts'

/** Of frames, s: those of a moving view, and stills of an hour. */
const SECONDS = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600]
/** Of ε. */
const RATIOS = [0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1, 2]

type Kind = 'film' | 'viewer'

export class FrameMetrics {
  readonly #frames: Record<Kind, number> = { film: 0, viewer: 0 }
  readonly #seconds = new Histogram(SECONDS)
  readonly #epsilon = new Histogram(RATIOS)
  /** By phase, of all workers together. */
  readonly #phaseMs = Object.fromEntries(SPAN_KINDS.map(kind => [kind, 0])) as Record<
    (typeof SPAN_KINDS)[number],
    number
  >
  readonly #sums = { pixels: 0, cpuMs: 0, tiles: 0, rescued: 0, stolen: 0, duplicated: 0, redundantPx: 0 }

  /** A frame of a session of this kind is complete. */
  add(kind: Kind, report: FrameReport): void {
    const { frameMs, epsilonCpu, ledger, tiles, rescued, stolen, duplicated, redundantPx, size, workers } = report
    this.#frames[kind]++
    this.#seconds.observe(frameMs / 1000)
    if (haveCpuClocks(workers)) this.#epsilon.observe(epsilonCpu)
    for (const row of ledger) for (const phase of SPAN_KINDS) this.#phaseMs[phase] += row[phase]
    const sums = this.#sums
    sums.pixels += size[0] * size[1]
    sums.tiles += tiles.length
    for (const { cpuMs } of tiles) sums.cpuMs += cpuMs
    sums.rescued += rescued
    sums.stolen += stolen
    sums.duplicated += duplicated
    sums.redundantPx += redundantPx
  }

  metrics(): Metric[] {
    const { pixels, tiles, cpuMs, rescued, stolen, duplicated, redundantPx } = this.#sums
    return [
      counter(
        'sortfirst_frames_total',
        'Complete frames, by the kind of their session.',
        Object.entries(this.#frames).map(([kind, count]) => [{ kind }, count]),
      ),
      this.#seconds.metric(
        'sortfirst_frame_seconds',
        'From camera to last pixel of a frame, statistics and decision included.',
      ),
      this.#epsilon.metric(
        'sortfirst_frame_imbalance_ratio',
        'Epsilon by the CPU clock, of frames whose areas all have one: how much longer than the mean the slowest worker took.',
      ),
      counter(
        'sortfirst_worker_seconds_total',
        'Wall time of workers during frames, by phase. The share of idle is what balance could still gain.',
        SPAN_KINDS.map(phase => [{ phase }, this.#phaseMs[phase] / 1000]),
      ),
      counter(
        'sortfirst_tracing_cpu_seconds_total',
        'CPU time of the tiles of complete frames. Its rate over sortfirst_worker_cores is the utilisation.',
        cpuMs / 1000,
      ),
      counter('sortfirst_pixels_total', 'Pixels of complete frames.', pixels),
      counter('sortfirst_tiles_total', 'Tiles of complete frames, as they were traced.', tiles),
      counter(
        'sortfirst_rescued_tiles_total',
        'Tiles that were traced again because their worker was lost, late, or failed.',
        rescued,
      ),
      counter('sortfirst_stolen_tiles_total', 'How often an idle worker took work from another.', stolen),
      counter(
        'sortfirst_duplicated_tiles_total',
        'How often rows of a late tile were given to a second worker, too.',
        duplicated,
      ),
      counter(
        'sortfirst_redundant_pixels_total',
        'Pixels that were traced twice, with one result discarded.',
        redundantPx,
      ),
    ]
  }
}
