/** Tests whether strategies can continue from the previous frame's plan. */
import type { AreaShare } from './strategy.ts'

/** Whether a plan for `a` can be repeated for `b`: same workers, same order, same speeds. */
export const sameWorkers = (a: readonly AreaShare[], b: readonly AreaShare[]): boolean =>
  a.length === b.length && a.every((worker, i) => worker.id === b[i]?.id && worker.speed === b[i]?.speed)
