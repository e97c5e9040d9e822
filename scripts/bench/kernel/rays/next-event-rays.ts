/** Rays to lights as the path tracer sends them: from each hit one, to a random point of a random light, if that can light the surface. */
import { hash32, unitOf } from '../../../../shared/math/random.ts'
import { type Light, targetOn } from './lights.ts'
import type { Ray } from './ray-kinds.ts'
import type { RayStart } from './start-of.ts'

/** Rays end so much before their light, as the kernel's do. */
const SHORT = 1 - 1 / 4096

/**
 * Undefined if the light is behind the surface, or the surface behind the light.
 * @param depth of the ray that has hit: 0 for a camera ray
 */
export function nextEventRay(
  { point, normal }: RayStart,
  lights: readonly Light[],
  pixel: number,
  depth: number,
): Ray | undefined {
  const random = (use: number) => unitOf(hash32(pixel, depth, use))
  const light = lights[Math.floor(random(1) * lights.length)]!
  const target = targetOn(light, point, random(2), random(3))
  if (!target) return undefined
  const [x, y, z] = target.vector
  if (!(x * normal[0] + y * normal[1] + z * normal[2] > 0)) return undefined
  const length = Math.sqrt(x * x + y * y + z * z)
  return [...point, 0, x / length, y / length, z / length, target.ends ? length * SHORT : Number.POSITIVE_INFINITY]
}
