/**
 * RefineLB: only processors that carry too much give, and only to those that stay near the average ("Understanding GreedyLB
 * and RefineLB", RefineLB). Few objects move: what is balanced stays as it is.
 */
import type { Assignment, Objects, Processors } from './objects.ts'
import { repair } from './repair.ts'

/** How much above the average is not too much yet. */
export const OVERLOAD_TOLERANCE = 1.02

export const refine = (objects: Objects, processors: Processors, tolerance = OVERLOAD_TOLERANCE): Assignment =>
  repair(objects, processors, tolerance)
