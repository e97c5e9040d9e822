/**
 * Lights as things that rays run into: spheres, rectangles, and discs in the sky. Nothing is aimed at them. They shine and cast no
 * shadow: a ray goes on through them, and gathers every light on its way.
 */
import { invariant } from '../../../../shared/errors.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { DistantLight, Light, PointLight, RectangleLight, SpotLight } from '../../../../shared/scene/light.ts'
import { add, BLACK, cross, dot, length, normalize, scale, subtract } from '../model/vector.ts'
import type { Ray } from './bvh.ts'

/** Light that a ray meets on its way. */
interface Met {
  readonly distance: number
  readonly radiance: Vec3
}

/** The light's surface where the ray meets its shining side. @throws InvariantError for a light without a size */
export function meetLight(light: Exclude<Light, DistantLight>, ray: Ray): Met | undefined {
  return light.kind === 'rectangle' ? meetRectangle(light, ray) : meetSphere(light, ray)
}

/** A sphere shines outwards: towards rays that come from outside. */
function meetSphere(light: PointLight | SpotLight, { origin, direction }: Ray): Met | undefined {
  const { position, intensity, radius } = light
  invariant(radius > 0, `the naive tracer cannot find a ${light.kind} light of radius 0 by chance`)
  const toCenter = subtract(position, origin)
  const along = dot(toCenter, direction)
  const beside = dot(toCenter, toCenter) - along * along
  if (beside > radius * radius) return undefined
  const distance = along - Math.sqrt(radius * radius - beside)
  if (distance <= 0) return undefined
  // Every point shines equally in all directions, so the intensity is the radiance times the sphere's cross section.
  const radiance = scale(intensity, 1 / (Math.PI * radius * radius))
  return { distance, radiance: light.kind === 'spot' ? scale(radiance, coneShare(light, direction)) : radiance }
}

/** By the direction in which the light leaves, the same for all points of the sphere. three.js's smoothstep, or glTF's square. */
function coneShare({ direction: axis, innerCosine, outerCosine, falloff }: SpotLight, direction: Vec3): number {
  const cosine = -dot(direction, axis)
  if (cosine >= innerCosine) return 1
  if (cosine <= outerCosine) return 0
  const x = (cosine - outerCosine) / (innerCosine - outerCosine)
  return falloff === 'squared' ? x * x : x * x * (3 - 2 * x)
}

function meetRectangle(
  { position, across, up, radiance }: RectangleLight,
  { origin, direction }: Ray,
): Met | undefined {
  const normal = normalize(cross(across, up))
  const towards = dot(direction, normal)
  // From behind it is not there.
  if (towards >= 0) return undefined
  const distance = dot(subtract(position, origin), normal) / towards
  if (distance <= 0) return undefined
  const offset = subtract(add(origin, scale(direction, distance)), position)
  const inside = [across, up].every(side => Math.abs(dot(offset, side)) <= dot(side, side))
  return inside ? { distance, radiance } : undefined
}

/**
 * Radiance of the light's disc in this direction: with the half angle a, its irradiance over π sin² a.
 * @throws InvariantError for a light without a size
 */
export function distantRadiance({ direction: center, irradiance, angle }: DistantLight, direction: Vec3): Vec3 {
  invariant(angle > 0, 'the naive tracer cannot find a distant light of angle 0 by chance')
  const half = angle * Math.PI
  // Of a small angle the cosine is all but 1: compared by the sine.
  const sine = length(cross(center, direction))
  const inside = dot(center, direction) >= 0 && sine <= Math.sin(half)
  return inside ? scale(irradiance, 1 / (Math.PI * Math.sin(half) ** 2)) : BLACK
}
