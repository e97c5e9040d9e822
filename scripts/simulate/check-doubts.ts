/**
 * Reasons why a recording cannot validate the simulator: its live frames were rendered under conditions that no simulator
 * knows. As sentences. Pure.
 */
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { LiveFrame } from '../../shared/frame/recording.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import type { HostLoad } from '../../shared/time/host-load.ts'
import { busyWords, isBusy } from '../report/figures/doubts.ts'
import { formatShare, formatTime } from '../report/figures/numbers.ts'
import { SHORTEST_FRAME_MS } from '../report/figures/short-frames.ts'
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

/** Limit for wall time over the time that CPU time and pacing explain; above it, simulated frames are that much shorter. */
const TOLERATED_DELAY = 1.15
/** Limit for the share of CPU time that is not proportional to the work; engines' counts alone are off by about a tenth. */
const TOLERATED_NOISE = 0.2

/** Limit for the difference between decision times here and live, as a share of a live frame. */
const TOLERATED_DECISIONS = 0.1

export function checkDoubts(run: LiveRun): string[] {
  const frameMs = mean(run.frames.map(frame => frame.frameMs))
  const decidedMs = mean(run.frames.map(frame => frame.statsMs + frame.decideMs))
  const delay = delayOf(run)
  const noise = noiseOf(run)
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

function delayOf({ frames, workers }: LiveRun): number {
  const pace = new Map(workers.map(({ id, threads, cores }) => [id, Math.min(cores ?? threads, threads)]))
  const tiles = frames.flatMap(frame => frame.tiles)
  const wall = sum(tiles.map(tile => tile.wallMs))
  const accounted = sum(tiles.map(tile => tile.cpuMs / (pace.get(tile.worker) ?? 1)))
  return accounted > 0 ? wall / accounted : 1
}

/** Σ|cost − work| / Σ cost over the tiles, both scaled to equal sums among workers of one speed; 0 if no work was counted. */
function noiseOf({ frames, workers }: LiveRun): number {
  const speeds = new Map(workers.map(({ id, speed }) => [id, speed]))
  const alike = new Map<number, { readonly cpuMs: number; readonly work: number }[]>()
  for (const { worker, cpuMs, work } of frames.flatMap(frame => frame.tiles)) {
    if (!work) continue
    const speed = speeds.get(worker) ?? 1
    const tiles = alike.get(speed)
    if (tiles) tiles.push({ cpuMs, work })
    else alike.set(speed, [{ cpuMs, work }])
  }
  let off = 0
  let all = 0
  for (const tiles of alike.values()) {
    const cpuMs = sum(tiles.map(tile => tile.cpuMs))
    const perWork = cpuMs / sum(tiles.map(tile => tile.work))
    off += sum(tiles.map(tile => Math.abs(tile.cpuMs - tile.work * perWork)))
    all += cpuMs
  }
  return all > 0 ? off / all : 0
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
