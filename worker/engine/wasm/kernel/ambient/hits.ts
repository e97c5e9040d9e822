/**
 * The hit list of a traced queue: the data that shading needs for each hit, fetched for all of them beforehand. The loops that
 * do so are short, so that the processor has many memory accesses in flight at once; during shading it would wait for one after
 * the other.
 */
import { RAY_BYTES, RAY_DIRECTION, RAY_HIT, RAY_INSTANCE, SCENE, SCENE_TRIANGLES_AT, SUM_BYTES } from '../layout'
import { hasInstances, hitParts } from '../placed-triangle'
import { HIT_BYTES, HIT_INSTANCE, HIT_PARTS, HIT_RAY, HIT_WEIGHT } from '../surface/records'
import { countSteps } from '../surface/steps'
import { touchTriangles, touchVertices } from '../surface/touch'
import { sums, transparent } from '../surface/workspace'
import { firstParts } from '../triangle-parts'
import { pathCount, pathRays, pathWeights, pixelOfTag, RAY_TAG, WEIGHT_BYTES } from './paths'
import { addSurroundings } from './surroundings'
import { hits } from './workspace'

/**
 * Writes the hit list of a depth's traced rays, and returns its end. Counts the steps of all rays, and adds the surroundings for
 * those that hit nothing.
 */
export function listHits(depth: u32): u32 {
  let hit = hits(depth)
  let ray = pathRays(depth)
  const end = ray + pathCount(depth) * RAY_BYTES
  let weight = pathWeights(depth)
  // All camera rays share one weight.
  const weightStep = depth == 0 ? 0 : WEIGHT_BYTES
  const triangles = load<u32>(SCENE, SCENE_TRIANGLES_AT)
  const first = firstParts()
  const instances = hasInstances()
  touchTriangles(ray, end)
  for (; ray < end; ray += RAY_BYTES, weight += weightStep) {
    const pixel = pixelOfTag(load<u32>(ray, RAY_TAG))
    countSteps(pixel, ray)
    const slot = load<u32>(ray, RAY_HIT)
    if (slot == 0) {
      if (depth > 0 || !transparent) addMissed(sums + pixel * SUM_BYTES, ray, weight)
      continue
    }
    const parts = hitParts(ray, slot, triangles, first, instances)
    store<u32>(hit, ray, HIT_RAY)
    if (instances) store<u32>(hit, load<u32>(ray, RAY_INSTANCE), HIT_INSTANCE)
    v128.store(hit, parts, HIT_PARTS)
    store<u32>(hit, weight, HIT_WEIGHT)
    hit += HIT_BYTES
  }
  touchVertices(hits(depth), hit)
  return hit
}

/** Adds the surroundings for a ray that hit nothing. */
function addMissed(sum: u32, ray: u32, weight: u32): void {
  const dx = load<f32>(ray, RAY_DIRECTION)
  const dy = load<f32>(ray, RAY_DIRECTION + 4)
  const dz = load<f32>(ray, RAY_DIRECTION + 8)
  const scale: f32 = <f32>1 / sqrt<f32>(dx * dx + dy * dy + dz * dz)
  addSurroundings(sum, dx * scale, dy * scale, dz * scale, v128.load(weight))
}
