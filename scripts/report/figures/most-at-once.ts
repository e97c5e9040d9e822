/** How many workers a run had, where some came and went. */
import type { Summary } from '../../../shared/frame/summary.ts'

/** The workers of the frame that had the most: of those that came and went, not all were there at the same time. */
export function mostAtOnce({ workers, strategies }: Pick<Summary, 'workers' | 'strategies'>): Summary['workers'] {
  const known = new Map(workers.map(worker => [worker.id, worker]))
  let most: Summary['workers'] = []
  for (const { ledger } of strategies.flatMap(({ frames }) => frames)) {
    const had = ledger.flatMap(({ worker }) => known.get(worker) ?? [])
    if (had.length > most.length) most = had
  }
  // Of very long films it is not kept.
  return most.length > 0 ? most : workers
}
