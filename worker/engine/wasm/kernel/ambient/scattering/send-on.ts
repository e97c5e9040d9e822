/** Handles a ray that leaves a smooth surface. */
import { Sum } from '../../records'
import { splat } from '../../surface/math/floats'
import { sums } from '../../surface/workspace'
import { appendPath, depthOfTag, pixelOfTag } from '../paths'
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
  const matters = v128.any_true(f32x4.ge(weight, splat(leastWeight)))
  if (depthOfTag(tag) > maxDepth || !matters)
    addSurroundings(sums + pixelOfTag(tag) * Sum.BYTES, dx, dy, dz, weight)
  else appendPath(ox, oy, oz, dx, dy, dz, weight, tag, sequence)
}
