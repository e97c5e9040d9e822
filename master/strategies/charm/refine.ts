/**
 * RefineLB: only overloaded processors give, and only to those that stay near the average ("Understanding GreedyLB and
 * RefineLB", RefineLB). Few objects move: balanced processors stay as they are.
 */
import type { Assignment, Objects, Processors } from './objects.ts'
import { repair } from './repair.ts'

/** Load relative to the average above which a processor is overloaded. */
export const OVERLOAD_TOLERANCE = 1.02

export const refine = (objects: Objects, processors: Processors, tolerance = OVERLOAD_TOLERANCE): Assignment =>
  repair(objects, processors, tolerance)
