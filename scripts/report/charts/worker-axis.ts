/**
 * Workers along an axis: by id, to separate workers of the same name, and labelled by name if there is room. If there are
 * too many to distinguish, neighbours are drawn in groups, each at the place of its first worker.
 */
import type { Summary } from '../../../shared/frame/summary.ts'
import { ellipsize, printable } from './text-width.ts'

/** More workers than this are drawn in groups. */
export const MAX_WORKERS = 64

export interface WorkerAxis {
  /** Ids in summary order, only the first of each group; ids that occur only in frames follow. */
  readonly ids: readonly string[]
  /** The ids with a tick label. */
  readonly ticks: readonly string[]
  label(id: string): string
  /** The id under which a worker is drawn: its own, or its group's first. */
  placeOf(id: string): string
  /** Workers per group; 1 without grouping. */
  readonly groupSize: number
}

/** @param room px per worker along the axis @param line px per label along the axis @param maxPx longest label */
export function workerAxis(summary: Summary, room: number, line: number, maxPx: number, fontPx: number): WorkerAxis {
  const names = workerNames(summary)
  const { groupSize, placeOf } = workerGroups([...names.keys()])
  const ids = [...new Set([...names.keys()].map(placeOf))]
  const step = Math.max(1, Math.ceil(line / room))
  return {
    ids,
    ticks: ids.filter((_, index) => index % step === 0),
    label: id => ellipsize(printable(names.get(id) ?? id), maxPx, fontPx),
    placeOf,
    groupSize,
  }
}

/** Number of places along an axis. */
export const placeCount = (workers: number): number => Math.ceil(workers / groupSizeFor(workers))

/** A note for figures whose places stand for several workers; empty if each worker has its own. */
export function groupNote(workers: number, of: string): string {
  const size = groupSizeFor(workers)
  return size > 1 ? ` ${workers} workers in groups of ${size}: ${of}.` : ''
}

function workerGroups(ids: readonly string[]): Pick<WorkerAxis, 'groupSize' | 'placeOf'> {
  const groupSize = groupSizeFor(ids.length)
  const places = new Map(ids.map((id, index) => [id, ids[index - (index % groupSize)]!]))
  return { groupSize, placeOf: id => places.get(id) ?? id }
}

const groupSizeFor = (workers: number): number => Math.max(1, Math.ceil(workers / MAX_WORKERS))

/** Names of all workers that took part, by id. */
export function workerNames(summary: Summary): ReadonlyMap<string, string> {
  const names = new Map(summary.workers.map(worker => [worker.id, worker.name]))
  for (const { frames } of summary.strategies) {
    for (const { loads } of frames) {
      for (const { worker } of loads) if (!names.has(worker)) names.set(worker, worker)
    }
  }
  return names
}
