/**
 * Whether rays of a batch are closer together, where they hit something, than its triangles: only then is there much that a bundle's rays share. A
 * small picture of a fine mesh has rays in every bundle that hit other triangles each; without bundles it is traced twice as fast.
 */
import { Corner, Ray, Triangle4 } from '../records'
import { traceStream } from './stream'

/** Places of a batch where a ray is traced alone, and the fewest rays of a batch for which that pays. */
const PROBES: u32 = 8
const LEAST_RAYS: u32 = 256
/** A batch does without bundles if more of them than this find rays too far apart: where they are not, bundles save less than they cost where they are. */
const MOST_FAR: u32 = 1
/** Rays on whose distance from one another it depends: those of half a bundle. */
const APART: u32 = 8
/** Rays so many triangles apart have little in common. */
const MOST_TRIANGLES: f32 = 6

/** What rays hit does not depend on it. */
export function hitsAreClose(rays: u32, count: u32): bool {
  if (count < LEAST_RAYS) return true
  let far: u32 = 0
  for (let probe: u32 = 0; probe < PROBES; probe++) {
    if (isFar(rays + <u32>((<u64>(count - APART) * probe) / PROBES) * Ray.BYTES)) far++
  }
  return far <= MOST_FAR
}

function isFar(ray: u32): bool {
  const words = Ray.words(ray)
  const tMax = Ray.tMax(ray)
  traceStream(ray, 1, false, false)
  const hit = Ray.hit(ray)
  const distance = Ray.tMax(ray)
  Ray.setWords(ray, words)
  Ray.setTMax(ray, tMax)
  if (hit == 0) return false
  const other = ray + APART * Ray.BYTES
  const between = f32x4.sub(Ray.direction(other), Ray.direction(ray))
  const aside = f32x4.sub(Ray.origin(other), Ray.origin(ray))
  const apart = f32x4.abs(f32x4.add(aside, f32x4.mul(between, f32x4.splat(distance))))
  const most = max(max(f32x4.extract_lane(apart, 0), f32x4.extract_lane(apart, 1)), f32x4.extract_lane(apart, 2))
  return most > MOST_TRIANGLES * longestSide(hit)
}

/** Of the triangle in a slot, along an axis. */
function longestSide(slot: u32): f32 {
  let side: f32 = 0
  for (let axis: u32 = 0; axis < Corner.BYTES; axis += 16) {
    const a = load<f32>(slot + axis)
    const b = load<f32>(slot + Corner.BYTES + axis)
    const c = load<f32>(slot + 2 * Corner.BYTES + axis)
    side = max(side, max(max(a, b), c) - min(min(a, b), c))
  }
  return side
}
