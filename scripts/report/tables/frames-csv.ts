/**
 * The frames of a run as a table for spreadsheets and plotting scripts: a header with units, then a row per strategy
 * and frame. Fields contain no comma, quote or line break, numbers no exponent, and no field begins like a formula, so
 * every reader splits the text the same way and no reader changes a value.
 */

import { SPAN_KINDS, type SpanKind } from '../../../shared/frame/span-kinds.ts'
import type { FrameSummary, StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { hasCpuClock } from '../figures/clocks.ts'

/** `frames.csv` of a summary, line by line, each terminated by a line feed. */
export function* framesCsv(summary: Summary): Generator<string> {
  const line = (fields: readonly string[]): string => `${fields.join(',')}\n`
  yield line(COLUMNS.map(column => column.name))
  for (const strategy of summary.strategies) {
    for (const [index, frame] of strategy.frames.entries())
      yield line(COLUMNS.map(column => field(column.of(frame, strategy, index))))
  }
}

interface Column {
  readonly name: string
  of(frame: FrameSummary, strategy: StrategySummary, index: number): string | number
}

const COLUMNS: readonly Column[] = [
  { name: 'strategy', of: (_frame, strategy) => strategy.name },
  { name: 'frame', of: frame => frame.frame },
  { name: 'frame_ms', of: frame => frame.frameMs },
  // Empty where an area has no CPU clock.
  { name: 'critical_cpu_ms', of: frame => (hasCpuClock(frame) ? frame.criticalMs : '') },
  { name: 'mean_cpu_ms', of: frame => (hasCpuClock(frame) ? frame.meanMs : '') },
  { name: 'epsilon_cpu_ratio', of: frame => (hasCpuClock(frame) ? frame.epsilonCpu : '') },
  { name: 'epsilon_wall_ratio', of: frame => frame.epsilonWall },
  ...SPAN_KINDS.map(kind => ({ name: `${kind}_ms_per_worker`, of: (frame: FrameSummary) => perWorker(frame, kind) })),
  { name: 'messages_count', of: frame => frame.messages },
  { name: 'traffic_bytes', of: frame => frame.bytes },
  { name: 'migration_share', of: frame => frame.migrationShare },
  { name: 'tiles_count', of: frame => frame.tileCount },
  { name: 'rescued_tiles_count', of: frame => frame.rescued },
  { name: 'stolen_count', of: frame => frame.stolen },
  { name: 'duplicated_count', of: frame => frame.duplicated },
  { name: 'repeated_px', of: frame => frame.redundantPx },
  { name: 'probe_ms', of: frame => frame.probeMs },
  { name: 'prediction_error_ratio', of: frame => frame.predictionError ?? '' },
  // The prefix prevents spreadsheets from reading a hash such as 12e4… as a number.
  { name: 'pixels_sha256', of: (_frame, strategy, index) => `sha256:${strategy.frameSha256[index] ?? ''}` },
  // Empty where nothing in the scene moves.
  { name: 'scene_bytes_per_worker', of: frame => frame.sceneChange?.bytesPerWorker ?? '' },
  { name: 'scene_build_ms', of: frame => frame.sceneChange?.buildMs ?? '' },
  { name: 'scene_slowest_build_ms', of: frame => frame.sceneChange?.slowestBuildMs ?? '' },
  { name: 'scene_wait_ms', of: frame => frame.sceneChange?.waitMs ?? '' },
  // Empty without a limit; the second also where it is met.
  { name: 'noisy_share', of: frame => frame.noise?.share ?? '' },
  { name: 'most_noise_ratio', of: frame => frame.noise?.most ?? '' },
  // Empty without a time limit.
  { name: 'ended_by', of: frame => frame.endedBy ?? '' },
  // Empty where the bytes are those of every machine.
  { name: 'traced_by', of: frame => frame.tracedBy ?? '' },
]

const perWorker = (frame: FrameSummary, kind: SpanKind): number => mean(frame.ledger.map(row => row[kind]))

function field(value: string | number): string {
  // Six decimals (ns, ppm) also prevent exponents for small values.
  if (typeof value === 'number') return `${Number(value.toFixed(6))}`
  const plain = value.replace(/[\s",;'\p{Cc}]+/gu, ' ').trim()
  // Spreadsheets evaluate fields that begin with one of these.
  return /^[=+\-@]/.test(plain) ? `_${plain}` : plain
}
