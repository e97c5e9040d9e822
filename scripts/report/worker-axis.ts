/** Workers along an axis: by id, so that two of one name stay apart, and labelled by name as far as there is room. */
import type { Summary } from '../../shared/summary.ts'
import { ellipsize, printable } from './text-width.ts'

export interface WorkerAxis {
  /** Ids in the order of the summary; ids that only a frame mentions (a worker that came late) follow. */
  readonly ids: readonly string[]
  /** The ids that get a tick label. */
  readonly ticks: readonly string[]
  label(id: string): string
}

/** @param room px for each worker along the axis @param line px a label takes along the axis @param maxPx longest label */
export function workerAxis(summary: Summary, room: number, line: number, maxPx: number, fontPx: number): WorkerAxis {
  const names = workerNames(summary)
  const ids = [...names.keys()]
  const step = Math.max(1, Math.ceil(line / room))
  return {
    ids,
    ticks: ids.filter((_, index) => index % step === 0),
    label: id => ellipsize(printable(names.get(id) ?? id), maxPx, fontPx),
  }
}

/** Name of every worker that took part, by id. */
export function workerNames(summary: Summary): ReadonlyMap<string, string> {
  const names = new Map(summary.workers.map(worker => [worker.id, worker.name]))
  for (const { frames } of summary.strategies) {
    for (const { ledger, tiles } of frames) {
      for (const { worker } of [...ledger, ...tiles]) if (!names.has(worker)) names.set(worker, worker)
    }
  }
  return names
}
