/**
 * Wavefront path tracing: all rays of a queue are traced together, their hits are shaded in turn, which fills the other queue and
 * that of shadow rays, and the other queue is filled up with camera rays. So queues stay full until a block ends.
 */
import { Aim, Drawn, Hit, Material, PlacedTriangle, Ray, Surface } from '../records'
import { meet } from '../surface/hit-point'
import { placeHits } from '../surface/placed-hits'
import { vary } from '../surface/vary'
import { BATCH, placed, surfaces, variants } from '../surface/workspace'
import { traceCameraRays, traceClosest } from '../trace/trace'
import { aimHits } from './aim'
import { appendCamera, startCamera } from './camera'
import { findCoincident } from './coincident'
import { drawHits } from './drawn'
import { orderHits } from './hits'
import { passPaths } from './pass'
import { shadeHit } from './shade'
import { clearShadows, flushShadows } from './shadows'
import { countOf, raysOf, setCount } from './state'
import { aims, beginPaths, drawn, hits } from './workspace'

/**
 * Traces the paths of the block's pixels, `room` at a time; with 1 this is the scalar driver.
 * @param workspace for the sections of `workspace.ts`
 */
export function tracePaths(workspace: u32, coherent: bool, room: u32): void {
  beginPaths(workspace)
  startCamera()
  clearShadows()
  setCount(0, 0)
  for (let queue: u32 = 0; ; queue = 1 - queue) {
    const old = countOf(queue)
    appendCamera(queue, room)
    const count = countOf(queue)
    if (count == 0) return
    traceClosest(raysOf(queue), old, false)
    traceCameraRays(raysOf(queue) + old * Ray.BYTES, count - old, coherent)
    passPaths(queue, count)
    findCoincident(queue, count)
    const end = orderHits(queue)
    setCount(1 - queue, 0)
    shade(end, 1 - queue)
    flushShadows()
  }
}

/** Shades the hit list up to its end, in batches. */
function shade(end: u32, next: u32): void {
  for (let first = hits; first < end; first += BATCH * Hit.BYTES) {
    const beyond = min<u32>(first + BATCH * Hit.BYTES, end)
    prepare(first, beyond)
    aimHits(first, beyond)
    for (let hit = first, numbers = drawn, aim = aims; hit < beyond; hit += Hit.BYTES, numbers += Drawn.BYTES, aim += Aim.BYTES)
      shadeHit(Aim.surface(aim), hit, numbers, aim, next)
  }
}

/** Computes the surfaces and numbers of a batch of hits, in fours. */
function prepare(first: u32, beyond: u32): void {
  let surface = surfaces
  let variant = variants
  let triangles = placed
  let numbers = drawn
  for (let hit = first; hit < beyond; hit += 4 * Hit.BYTES) {
    const last = min<u32>(hit + 4 * Hit.BYTES, beyond) - Hit.BYTES
    placeHits(hit, last, triangles)
    meet(surface, hit, last)
    vary(surface, hit, last, variant, true)
    drawHits(hit, last, numbers)
    surface += Surface.BYTES
    variant += 4 * Material.BYTES
    triangles += 4 * PlacedTriangle.BYTES
    numbers += 4 * Drawn.BYTES
  }
}
