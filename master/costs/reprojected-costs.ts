/** Reprojections, each made once: the blend asks again for those of the frame before. */
import type { Camera } from '../../shared/view.ts'
import type { MeasuredFrame } from './cost-history.ts'
import { type Reprojection, reproject } from './reprojection.ts'

/** Where less than this share of a view's costs lies in what another frame saw, that frame says little about it. */
export const SEEN_ENOUGH = 0.75

/** The newest one of each frame, for as long as somebody holds the frame. Changes no answer, only how long it takes. */
const made = new WeakMap<MeasuredFrame, { readonly camera: Camera; readonly reprojection: Reprojection }>()

/** What `camera` sees of a frame's costs. A camera that has not moved sees them as they are. The answer is not to be changed. */
export function reprojectedCosts(frame: MeasuredFrame, camera: Camera): Reprojection {
  if (sameView(frame.camera, camera)) return { costs: frame.costs, seen: 1 }
  const known = made.get(frame)
  if (known && sameView(known.camera, camera)) return known.reprojection
  const reprojection = reproject(frame, camera)
  made.set(frame, { camera, reprojection })
  return reprojection
}

const sameView = (a: Camera, b: Camera): boolean => a === b || numbers(a).every((value, i) => value === numbers(b)[i])

const numbers = ({ origin, right, up, back, tanHalfX, tanHalfY }: Camera): number[] => [
  ...[origin, right, up, back].flat(),
  ...[tanHalfX, tanHalfY],
]
