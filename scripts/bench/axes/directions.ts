/** Directions of which one component or two are exactly zero, as in axis-aligned orthographic views, and directions beside them. */

import type { Vec3 } from '../../../shared/frame/view.ts'
import { hash32, unitOf } from '../../../shared/math/random.ts'

export interface ExactDirections {
  readonly name: string
  readonly directions: readonly Vec3[]
}

/** Of nonzero components: no two are equally long. */
const LENGTHS: Vec3 = [1, 0.8, 0.6]
const SIGNED = [1, -1, 0, -0] as const
const AXES = ['x', 'y', 'z'] as const

/** Along each axis, and at right angles to each: both ways, with zeros of either sign. */
export const EXACT_DIRECTIONS: readonly ExactDirections[] = [
  ...AXES.map((name, axis) => ({ name: `along ${name}`, directions: exact(k => k === axis) })),
  ...AXES.map((name, axis) => ({ name: `across ${name}`, directions: exact(k => k !== axis) })),
]

/** How far a direction beside an exact one is from it, along each axis. */
const ASIDE = 1e-3

/** A random direction beside one, the same for the same number. */
export function beside(direction: Vec3, number: number): Vec3 {
  const aside = (axis: 0 | 1 | 2) => direction[axis] + (2 * unitOf(hash32(number, axis, 0)) - 1) * ASIDE
  return [aside(0), aside(1), aside(2)]
}

/** All directions of which just the components with `isLong` are not zero. */
function exact(isLong: (axis: number) => boolean): Vec3[] {
  const component = (axis: 0 | 1 | 2) =>
    SIGNED.filter(sign => isLong(axis) === (sign !== 0)).map(sign => sign * LENGTHS[axis])
  return component(0).flatMap(x => component(1).flatMap(y => component(2).map((z): Vec3 => [x, y, z])))
}
