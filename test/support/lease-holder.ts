/** Holders of leases that tests order themselves. */
import type { LeaseHolder } from '../../master/cluster/open-leases.ts'

/** Hears of answers, and by default does nothing about them. */
export const holding = (changes: Partial<LeaseHolder> = {}): LeaseHolder => ({
  tileDone: () => {},
  tileFailed: () => {},
  tileLost: () => {},
  tileProgress: () => {},
  ...changes,
})
