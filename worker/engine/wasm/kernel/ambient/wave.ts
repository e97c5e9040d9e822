/**
 * Wavefront tracing: all rays of a queue are traced together, then their hits are shaded in turn. Shading traces nothing:
 * it appends to the queue of the next depth and to the queues of shadow rays.
 *
 * A queue cannot overflow, however many rays a pixel spawns: before a hit is shaded, every queue that it may append to
 * is emptied if it lacks room for the most it may append. Emptying the next depth's queue may empty that of the depth
 * after it, but never returns to this one, so recursion ends at the deepest queue, and no ray deeper than the view's
 * maxDepth is ever appended. The order in which light is added does not matter (`surface/accumulate.ts`).
 *
 * The scalar driver, `alone`, runs the same code depth first: it traces one camera ray at a time, and after every hit all that the
 * hit has queued. It shades each hit by itself. So nothing that it computes depends on other rays, and the wave has to agree with it.
 */
import { Hit, Material, MaterialKind, Passing, Ray, Sum, Surface } from '../records'
import { accumulateFloats } from '../surface/accumulate'
import { countCoverage } from '../surface/coverage'
import { countFirstHit } from '../surface/first-hits'
import { meet } from '../surface/hit-point'
import { mul } from '../surface/math/floats'
import { passSurely } from '../surface/pass-surely'
import { placeHits } from '../surface/placed-hits'
import { vary } from '../surface/vary'
import { alone, depths, placed, QUEUE_RAYS, share, sums, surfaces, takenSamples, variants } from '../surface/workspace'
import { traceCameraRays, traceClosest } from '../trace/trace'
import { fillCamera, startCamera, startedBefore } from './camera'
import { listHits } from './hits'
import { kindAt } from './kinds'
import { ambientRaysAt } from './lights/ambient'
import { depthOfTag, pathCount, pathRays, pixelOfTag, setPathCount, startPaths } from './paths'
import { blend } from './scattering/blend'
import { scatterCoated } from './scattering/coated'
import { scatterGlass } from './scattering/glass'
import { scatterMatte } from './scattering/matte'
import { scatterMirror } from './scattering/mirror'
import { clearShadows, flushAmbient, flushSun, makeRoomForAmbient, makeRoomForSun } from './shadows'
import { beginAmbient, hits, maxDepth } from './workspace'

/** The most rays that one hit appends to the next depth's queue: the reflected and the refracted one, and one that passes. */
const MAX_CHILDREN: u32 = 3

/**
 * Traces the rays of the block's pixels, `room` camera rays at a time.
 * @param workspace for the sections of `workspace.ts` @param isNew whether what was there has been lost
 */
export function traceAmbient(workspace: u32, isNew: bool, coherent: bool, room: u32): void {
  beginAmbient(workspace, isNew)
  startCamera()
  startPaths(<f32>share)
  clearShadows(coherent)
  while (fillCamera(room) != 0) traceCamera(coherent)
  traceRest(1)
}

/** Traces and shades the camera rays in their queue, and records the depths of first samples. `coherent`: see `trace/trace.ts`. */
function traceCamera(coherent: bool): void {
  const rays = pathRays(0)
  const end = rays + pathCount(0) * Ray.BYTES
  traceCameraRays(rays, pathCount(0), coherent)
  passSurely(rays, pathCount(0), true)
  for (let ray = rays + startedBefore * Ray.BYTES; ray < end; ray += takenSamples * Ray.BYTES) {
    const depth = Ray.hit(ray) != 0 ? Ray.tMax(ray) : Infinity
    store<f32>(depths + pixelOfTag(Ray.tag(ray)) * 4, <f32>depth)
  }
  shade(0)
}

/** Traces all rays that are still queued, paths from a depth on. */
function traceRest(from: u32): void {
  for (let depth = from; depth <= maxDepth; depth++) tracePaths(depth)
  flushSun()
  flushAmbient()
}

function tracePaths(depth: u32): void {
  if (pathCount(depth) == 0) return
  traceClosest(pathRays(depth), pathCount(depth), false)
  passSurely(pathRays(depth), pathCount(depth), false)
  shade(depth)
}

/** Shades the traced rays of a depth, and empties their queue. */
function shade(depth: u32): void {
  const end = listHits(depth)
  const room = ambientRaysAt(depth)
  // One after the other in the scalar driver.
  const together: u32 = alone ? Hit.BYTES : 4 * Hit.BYTES
  for (let first = hits(depth); first < end; first += together) {
    if (depth < maxDepth && pathCount(depth + 1) + 4 * MAX_CHILDREN > QUEUE_RAYS) tracePaths(depth + 1)
    const next = min<u32>(first + together, end)
    placeHits(first, next - Hit.BYTES, placed)
    meet(surfaces, first, next - Hit.BYTES)
    vary(surfaces, first, next - Hit.BYTES, variants, false)
    for (let hit = first, surface = surfaces; hit < next; hit += Hit.BYTES, surface += 4) scatter(surface, hit, room)
    if (alone) traceRest(depth + 1)
  }
  setPathCount(depth, 0)
}

/** Collects the light that a surface reflects along the ray that hit it. */
@inline
function scatter(surface: u32, hit: u32, ambientRays: u32): void {
  makeRoomForSun()
  makeRoomForAmbient(ambientRays)
  const ray = Hit.ray(hit)
  const tag = Ray.tag(ray)
  const sequence = Ray.sequence(ray)
  const material = Surface.material(surface)
  if (depthOfTag(tag) == 0) {
    countFirstHit(pixelOfTag(tag), material)
    countCoverage(pixelOfTag(tag), ray, material)
  }
  let weight = v128.load(Hit.weight(hit))
  if ((Material.passing(material) & Passing.BLEND) != 0) weight = blend(ray, surface, weight, tag, sequence)
  const kind = kindAt(material)
  if (kind == MaterialKind.UNLIT) accumulateFloats(sums + pixelOfTag(tag) * Sum.BYTES, mul(weight, Material.color(material)))
  else if (kind == MaterialKind.MATTE) scatterMatte(surface, weight, tag, sequence)
  else if (kind == MaterialKind.COATED) scatterCoated(surface, weight, tag, sequence)
  else if (kind == MaterialKind.GLASS) scatterGlass(surface, weight, tag, sequence)
  else scatterMirror(surface, weight, tag, sequence)
}
