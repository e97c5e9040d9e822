/** Handles a ray that leaves a smooth surface, or goes on through one that is there in part. */
import { Sum, Surface } from '../../records'
import { splat } from '../../surface/math/floats'
import { sums } from '../../surface/workspace'
import { appendBehind, appendPath, depthOfTag, pixelOfTag } from '../paths'
import { addSurroundings } from '../surroundings'
import { leastWeight, maxDepth } from '../workspace'

/** Queues a ray if it matters enough; otherwise it sees sky and sun in its direction. */
export function sendOn(
  ox: f32,
  oy: f32,
  oz: f32,
  dx: f32,
  dy: f32,
  dz: f32,
  weight: v128,
  tag: u32,
  sequence: u32,
): void {
  if (!goesOn(weight, tag))
    addSurroundings(sums + pixelOfTag(tag) * Sum.BYTES, dx, dy, dz, weight)
  else appendPath(ox, oy, oz, dx, dy, dz, weight, tag, sequence)
}

/** The same for a ray that goes straight on from its hit, with its share of the light. */
export function sendThrough(ray: u32, surface: u32, weight: v128, tag: u32, sequence: u32): void {
  if (goesOn(weight, tag)) appendBehind(ray, weight, tag, sequence)
  else
    addSurroundings(
      sums + pixelOfTag(tag) * Sum.BYTES,
      Surface.dx(surface),
      Surface.dy(surface),
      Surface.dz(surface),
      weight,
    )
}

@inline
function goesOn(weight: v128, tag: u32): bool {
  return depthOfTag(tag) <= maxDepth && v128.any_true(f32x4.ge(weight, splat(leastWeight)))
}
