/**
 * Reasons why a recording cannot validate the simulator: its live frames were rendered under conditions that no simulator
 * knows. As sentences. Pure.
 */
import { delayOf, noiseOf, TOLERATED_DELAY, TOLERATED_NOISE } from '../../master/simulator/unexplained-times.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { LiveFrame } from '../../shared/frame/recording.ts'
import { SHORTEST_FRAME_MS } from '../../shared/metrics/short-frames.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import type { HostLoad } from '../../shared/time/host-load.ts'
import { busyWords, isBusy } from '../report/figures/doubts.ts'
import { formatShare, formatTime } from '../report/figures/numbers.ts'
import { otherCores } from '../run/host-load.ts'

/** Live frames of one strategy, with their workers and host load. */
export interface LiveRun {
  readonly frames: readonly LiveFrame[]
  readonly workers: readonly Pick<WorkerInfo, 'id' | 'threads' | 'speed' | 'cores'>[]
  /** Absent in recordings of earlier releases, and for remote workers. */
  readonly load: HostLoad | undefined
  /** Mean time that statistics and decisions of the simulated frames took on this machine, ms. */
  readonly decidedHereMs: number
}

export const HOST_UNKNOWN =
  'whether the host was busy is unknown: an earlier release made the recording, or its workers were elsewhere, or it was too short to tell'

/** Limit for the difference between decision times here and live, as a share of a live frame. */
const TOLERATED_DECISIONS = 0.1

export function checkDoubts(run: LiveRun): string[] {
  const frameMs = mean(run.frames.map(frame => frame.frameMs))
  const decidedMs = mean(run.frames.map(frame => frame.statsMs + frame.decideMs))
  const timed = { tiles: run.frames.flatMap(frame => frame.tiles), workers: run.workers }
  const delay = delayOf(timed)
  const noise = noiseOf(timed)
  return [
    ...hostDoubts(run.load),
    ...(frameMs < SHORTEST_FRAME_MS
      ? [
          `frames are short (${formatTime(frameMs)}): below ${SHORTEST_FRAME_MS} ms, timers and time slices matter as much`,
        ]
      : []),
    ...(delay > TOLERATED_DELAY
      ? [
          `tiles took ${delay.toFixed(2)} times the wall time that their CPU time and pacing explain: workers were delayed`,
        ]
      : []),
    ...(noise > TOLERATED_NOISE
      ? [
          `${formatShare(noise)} of the CPU time does not follow the counted work: costs and speeds were learned from noise`,
        ]
      : []),
    ...(Math.abs(run.decidedHereMs - decidedMs) > TOLERATED_DECISIONS * frameMs
      ? [
          `statistics and decisions took ${formatTime(run.decidedHereMs)} here and ${formatTime(decidedMs)} when it was recorded`,
        ]
      : []),
  ]
}

function hostDoubts(load: HostLoad | undefined): string[] {
  const other = otherCores(load)
  if (!load || other === undefined) return [HOST_UNKNOWN]
  const whole = { cores: load.cores, otherCores: other }
  return isBusy(whole) ? [`its host was busy with other work: ${busyWords(whole)}`] : []
}
