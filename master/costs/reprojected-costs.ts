/** Cached reprojections: the blend asks again for those of the previous frame. */

import { planePart } from '../../shared/frame/region.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import type { MeasuredFrame } from './cost-history.ts'
import { type Reprojection, reproject } from './reprojection.ts'

/** A frame that saw less than this share of a view's costs says little about that view. */
export const SEEN_ENOUGH = 0.75

/** The newest reprojection of each frame, kept as long as the frame is referenced. Affects speed only, never results. */
const made = new WeakMap<MeasuredFrame, Sight & { readonly reprojection: Reprojection }>()

/** What a frame shows: from where, and where things are; without `bodies` nothing moves. */
export type Sight = Pick<MeasuredFrame, 'camera' | 'bodies'>

export const sight = (camera: Camera, bodies: Bodies | undefined): Sight => ({ camera, ...(bodies ? { bodies } : {}) })

/** A frame's costs as another sight has them; unchanged if nothing has moved. The result must not be modified. */
export function reprojectedCosts(frame: MeasuredFrame, { camera, bodies }: Sight): Reprojection {
  if (sameView(frame.camera, camera) && sameBodies(frame.bodies, bodies)) return { costs: frame.costs, seen: 1 }
  const known = made.get(frame)
  if (known && sameView(known.camera, camera) && known.bodies === bodies) return known.reprojection
  const reprojection = reproject(frame, camera, bodies)
  made.set(frame, { camera, ...(bodies ? { bodies } : {}), reprojection })
  return reprojection
}

const sameBodies = (a: Bodies | undefined, b: Bodies | undefined): boolean =>
  a === b || !a || !b || (a.length === b.length && a.every((number, i) => number === b[i]))

const sameView = (a: Camera, b: Camera): boolean => a === b || numbers(a).every((value, i) => value === numbers(b)[i])

const numbers = (camera: Camera): number[] => {
  const { origin, right, up, back, tanHalfX, tanHalfY, orthographic } = camera
  const { u, v } = planePart(camera)
  return [
    ...[origin, right, up, back].flat(),
    ...[tanHalfX, tanHalfY, orthographic ? 1 : 0],
    ...[u.scale, u.shift, v.scale, v.shift],
  ]
}
