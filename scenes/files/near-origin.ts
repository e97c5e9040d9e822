/**
 * Rounds coordinates to single precision without losing what is small in them: survey coordinates such as 500000.123 have no
 * millimetres left in a float. Those far from the origin are stored relative to an offset, which becomes the mesh's position.
 */

import type { Vec3 } from '../../shared/frame/view.ts'
import { centreOf } from '../../shared/scene/centre.ts'
import type { FileMesh } from './mesh-file.ts'

/** @param coordinates xyz per vertex, finite */
export function nearOrigin(coordinates: ArrayLike<number>): Pick<FileMesh, 'positions' | 'offset'> {
  const offset = offsetFor(coordinates)
  const positions = new Float32Array(coordinates.length)
  for (let i = 0; i < positions.length; i++) positions[i] = coordinates[i]! - offset[i % 3]!
  return isZero(offset) ? { positions } : { positions, offset }
}

/** Zeros unless the coordinates are farther from the origin than from each other. */
export function offsetFor(coordinates: ArrayLike<number>): Vec3 {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < coordinates.length; i++) {
    const value = coordinates[i]!
    const axis = i % 3
    if (value < min[axis]!) min[axis] = value
    if (value > max[axis]!) max[axis] = value
  }
  return centreOf(min, max)
}

export const isZero = (offset: Vec3): boolean => offset.every(each => each === 0)
