/** The one question strategies ask before they go on from the plan of the frame before. */
import type { AreaShare } from './strategy.ts'

/** Whether a plan for the ones can be repeated for the others: same workers, same order, same speeds. */
export const sameWorkers = (a: readonly AreaShare[], b: readonly AreaShare[]): boolean =>
  a.length === b.length && a.every((worker, i) => worker.id === b[i]?.id && worker.speed === b[i]?.speed)
