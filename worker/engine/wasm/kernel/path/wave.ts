/**
 * Wavefront path tracing: all rays of a queue are traced together, their hits are shaded in turn, which fills the other queue and
 * that of shadow rays, and the other queue is filled up with camera rays. So queues stay full until a block ends.
 */
import { Aim, Drawn, Hit, Ray } from '../records'
import { meet } from '../surface/hit-point'
import { placeHits } from '../surface/placed-hits'
import { vary } from '../surface/vary'
import { placed, surfaces } from '../surface/workspace'
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

/** Shades the hit list up to its end, in fours. */
function shade(end: u32, next: u32): void {
  for (let first = hits; first < end; first += 4 * Hit.BYTES) {
    const beyond = min<u32>(first + 4 * Hit.BYTES, end)
    placeHits(first, beyond - Hit.BYTES, placed)
    meet(surfaces, first, beyond - Hit.BYTES)
    vary(surfaces, first, beyond - Hit.BYTES, true)
    drawHits(first, beyond - Hit.BYTES)
    aimHits(first, beyond - Hit.BYTES)
    let surface = surfaces
    let numbers = drawn
    let aim = aims
    for (let hit = first; hit < beyond; hit += Hit.BYTES, surface += 4, numbers += Drawn.BYTES, aim += Aim.BYTES)
      shadeHit(surface, hit, numbers, aim, next)
  }
}
