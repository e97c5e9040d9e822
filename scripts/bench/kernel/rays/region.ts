/** Where most of what the camera sees is: a floor that goes on to the horizon must not move lights there. */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Region } from './lights.ts'

/** Share of the points that is left out at either end of each axis. */
const OUTSIDE = 0.1

/** @param points xyz each; reordered */
export function regionOf(points: readonly [x: Float32Array, y: Float32Array, z: Float32Array]): Region {
  const ranges = points.map(coordinates => {
    coordinates.sort()
    const last = coordinates.length - 1
    const at = (share: number) => coordinates[Math.round(share * last)] ?? 0
    return [at(OUTSIDE), at(1 - OUTSIDE)] as const
  })
  const centre = ranges.map(([low, high]) => (low + high) / 2) as unknown as Vec3
  const square = ranges.reduce((sum, [low, high]) => sum + ((high - low) / 2) ** 2, 0)
  // A single point, or none, still has room for lights around it.
  return { centre, radius: Math.sqrt(square) || 1 }
}
