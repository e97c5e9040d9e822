/** Handles a ray that leaves a smooth surface. */
import { SUM_BYTES } from '../../layout'
import { leastWeight, maxDepth, sums } from '../workspace'
import { appendPath, depthOfTag, pixelOfTag } from '../paths'
import { addSurroundings } from '../sky'

/** Queues a ray if it matters enough; otherwise it sees sky and sun in its direction. */
export function sendOn(
  ox: f64,
  oy: f64,
  oz: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  red: f64,
  green: f64,
  blue: f64,
  tag: u32,
  sequence: u32,
): void {
  if (depthOfTag(tag) > maxDepth || max(max(red, green), blue) < leastWeight)
    addSurroundings(sums + pixelOfTag(tag) * SUM_BYTES, dx, dy, dz, red, green, blue)
  else appendPath(ox, oy, oz, dx, dy, dz, red, green, blue, tag, sequence)
}
