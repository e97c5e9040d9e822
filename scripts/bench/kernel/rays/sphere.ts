import type { Vec3 } from '../../../../shared/frame/view.ts'
import { cosTurns, sinTurns } from '../../../../shared/math/trig.ts'

/** A point of the unit sphere, all equally probable. @param u in [0, 1), as is v */
export function onSphere(u: number, v: number): Vec3 {
  const height = 1 - 2 * u
  const radius = Math.sqrt(1 - height * height)
  return [radius * cosTurns(v), height, radius * sinTurns(v)]
}
