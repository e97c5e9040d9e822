/** Cached reprojections: the blend asks again for those of the previous frame. */
import type { Camera } from '../../shared/view.ts'
import type { MeasuredFrame } from './cost-history.ts'
import { type Reprojection, reproject } from './reprojection.ts'

/** A frame that saw less than this share of a view's costs says little about that view. */
export const SEEN_ENOUGH = 0.75

/** The newest reprojection of each frame, kept as long as the frame is referenced. Affects speed only, never results. */
const made = new WeakMap<MeasuredFrame, { readonly camera: Camera; readonly reprojection: Reprojection }>()

/** A frame's costs as `camera` sees them; unchanged if it has not moved. The result must not be modified. */
export function reprojectedCosts(frame: MeasuredFrame, camera: Camera): Reprojection {
  if (sameView(frame.camera, camera)) return { costs: frame.costs, seen: 1 }
  const known = made.get(frame)
  if (known && sameView(known.camera, camera)) return known.reprojection
  const reprojection = reproject(frame, camera)
  made.set(frame, { camera, reprojection })
  return reprojection
}

const sameView = (a: Camera, b: Camera): boolean => a === b || numbers(a).every((value, i) => value === numbers(b)[i])

const numbers = ({ origin, right, up, back, tanHalfX, tanHalfY, orthographic }: Camera): number[] => [
  ...[origin, right, up, back].flat(),
  ...[tanHalfX, tanHalfY, orthographic ? 1 : 0],
]
