/** Tracing rays: the closest hit of each, or whether it is occluded. The records of rays are described in `worker/engine/wasm/records`. */
import { Ray } from '../records'
import { workspaceBytes, makeWorkspace, wide } from './workspace'
import { bindBundles, bundlesPayOff, traceBundles } from './bundles'
import { hitsAreClose } from './hit-spacing'
import { traceStream } from './stream'

/** Has a device of the host trace rays: those of which it counts no steps it leaves as they are. */
@external('env', 'traceElsewhere')
declare function traceElsewhere(rays: u32, count: u32, shadow: bool): void

/** Batches of fewer rays are traced here; 0: all are. */
let leastElsewhere: u32 = 0

/** Has batches of at least so many rays traced elsewhere; 0: none. */
export function sendElsewhere(least: u32): void {
  leastElsewhere = least
}

/** Bytes of a thread's workspace for the scene in the header. */
export function traceBytes(): u32 {
  return workspaceBytes()
}

/** Binds this instance to the scene in the header and `start`, traceBytes() bytes for this thread alone, a multiple of 128. */
export function bindTrace(start: u32): void {
  makeWorkspace(start)
  bindBundles()
}

/**
 * Finds the closest hit of `count` rays within [tMin, tMax]. `coherent`: consecutive rays have similar origins and directions;
 * this affects only the speed.
 */
export function traceClosest(rays: u32, count: u32, coherent: bool): void {
  if (isSent(count)) send(rays, count, false)
  else traceClosestHere(rays, count, coherent)
}

/** The same, for rays that a device leaves anyway. */
export function traceClosestHere(rays: u32, count: u32, coherent: bool): void {
  // Bundles do not handle instances.
  if (coherent && !wide) traceBundles(rays, count)
  else traceStream(rays, count, coherent, false)
}

/** The same for camera rays, which may be coherent and still too far apart for bundles. */
export function traceCameraRays(rays: u32, count: u32, coherent: bool): void {
  const here = coherent && !wide && !isSent(count)
  if (here && !(bundlesPayOff(rays, count) && hitsAreClose(rays, count))) traceStream(rays, count, true, false)
  else traceClosest(rays, count, coherent)
}

/** Finds for `count` rays whether they are occluded within [tMin, tMax]. */
export function traceShadow(rays: u32, count: u32, coherent: bool): void {
  if (isSent(count)) send(rays, count, true)
  else traceStream(rays, count, coherent, true)
}

@inline
function isSent(count: u32): bool {
  return leastElsewhere != 0 && count >= leastElsewhere
}

/** Has rays traced elsewhere, and those here that are left. */
function send(rays: u32, count: u32, shadow: bool): void {
  traceElsewhere(rays, count, shadow)
  const end = rays + count * Ray.BYTES
  let beyond = rays
  for (let ray = rays; ray < end; ray = beyond + Ray.BYTES) {
    for (; ray < end && Ray.steps(ray) != 0; ) ray += Ray.BYTES
    for (beyond = ray; beyond < end && Ray.steps(beyond) == 0; ) beyond += Ray.BYTES
    if (ray < end) traceStream(ray, (beyond - ray) / Ray.BYTES, false, shadow)
  }
}
