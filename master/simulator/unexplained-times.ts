/**
 * How far the times of a live run are from what a simulator knows: workers that were delayed by something else, and costs that do not follow
 * the work. Pure.
 */
import type { TileReport, WorkerInfo } from '../../shared/frame/frame-report.ts'

/** Limit for wall time over the time that CPU time and pacing explain; above it, simulated frames are that much shorter. */
export const TOLERATED_DELAY = 1.15
/** Limit for the share of CPU time that is not proportional to the work; engines' counts alone are off by about a tenth. */
export const TOLERATED_NOISE = 0.2

interface TimedRun {
  readonly tiles: readonly TileReport[]
  readonly workers: readonly Pick<WorkerInfo, 'id' | 'threads' | 'speed' | 'cores'>[]
}

/** Wall time over the time that CPU time and pacing explain. */
export function delayOf({ tiles, workers }: TimedRun): number {
  const pace = new Map(workers.map(({ id, threads, cores }) => [id, Math.min(cores ?? threads, threads)]))
  const wall = sum(tiles.map(tile => tile.wallMs))
  const accounted = sum(tiles.map(tile => tile.cpuMs / (pace.get(tile.worker) ?? 1)))
  return accounted > 0 ? wall / accounted : 1
}

/** Σ|cost − work| / Σ cost over the tiles, both scaled to equal sums among workers of one speed; 0 if no work was counted. */
export function noiseOf({ tiles, workers }: TimedRun): number {
  const speeds = new Map(workers.map(({ id, speed }) => [id, speed]))
  const alike = new Map<number, { readonly cpuMs: number; readonly work: number }[]>()
  for (const { worker, cpuMs, work } of tiles) {
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
