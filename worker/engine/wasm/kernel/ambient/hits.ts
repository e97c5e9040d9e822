/**
 * The hit list of a traced queue: the data that shading needs for each hit, fetched for all of them beforehand. The loops that
 * do so are short, so that the processor has many memory accesses in flight at once; during shading it would wait for one after
 * the other.
 */
import { Hit, Ray, Scene, Sum } from '../records'
import { hasInstances, hitParts } from '../placed-triangle'
import { countSteps } from '../surface/steps'
import { touchTriangles, touchVertices } from '../surface/touch'
import { sums, transparent } from '../surface/workspace'
import { firstParts } from '../triangle-parts'
import { pathCount, pathRays, pathWeights, pixelOfTag, WEIGHT_BYTES } from './paths'
import { addSurroundings } from './surroundings'
import { hits } from './workspace'

/**
 * Writes the hit list of a depth's traced rays, and returns its end. Counts the steps of all rays, and adds the surroundings for
 * those that hit nothing.
 */
export function listHits(depth: u32): u32 {
  let hit = hits(depth)
  let ray = pathRays(depth)
  const end = ray + pathCount(depth) * Ray.BYTES
  let weight = pathWeights(depth)
  // All camera rays share one weight.
  const weightStep = depth == 0 ? 0 : WEIGHT_BYTES
  const triangles = Scene.triangles()
  const first = firstParts()
  const instances = hasInstances()
  touchTriangles(ray, end)
  for (; ray < end; ray += Ray.BYTES, weight += weightStep) {
    const pixel = pixelOfTag(Ray.tag(ray))
    countSteps(pixel, ray)
    const slot = Ray.hit(ray)
    if (slot == 0) {
      if (depth > 0 || !transparent) addMissed(sums + pixel * Sum.BYTES, ray, weight)
      continue
    }
    const parts = hitParts(ray, slot, triangles, first, instances)
    Hit.setRay(hit, ray)
    if (instances) Hit.setInstance(hit, Ray.instance(ray))
    Hit.setParts(hit, parts)
    Hit.setWeight(hit, weight)
    hit += Hit.BYTES
  }
  touchVertices(hits(depth), hit)
  return hit
}

/** Adds the surroundings for a ray that hit nothing. */
function addMissed(sum: u32, ray: u32, weight: u32): void {
  const dx = Ray.directionX(ray)
  const dy = Ray.directionY(ray)
  const dz = Ray.directionZ(ray)
  const scale: f32 = <f32>1 / sqrt<f32>(dx * dx + dy * dy + dz * dz)
  addSurroundings(sum, dx * scale, dy * scale, dz * scale, v128.load(weight))
}
