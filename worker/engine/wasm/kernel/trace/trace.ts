/** Tracing rays: the closest hit of each, or whether it is occluded. The records of rays are described in `worker/engine/wasm/records`. */
import { workspaceBytes, makeWorkspace, wide } from './workspace'
import { bindBundles, bundlesPayOff, traceBundles } from './bundles'
import { hitsAreClose } from './hit-spacing'
import { traceStream } from './stream'

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
  // Bundles do not handle instances.
  if (coherent && !wide) traceBundles(rays, count)
  else traceStream(rays, count, coherent, false)
}

/** The same for camera rays, which may be coherent and still too far apart for bundles. */
export function traceCameraRays(rays: u32, count: u32, coherent: bool): void {
  if (coherent && !wide && !(bundlesPayOff(rays, count) && hitsAreClose(rays, count))) traceStream(rays, count, true, false)
  else traceClosest(rays, count, coherent)
}

/** Finds for `count` rays whether they are occluded within [tMin, tMax]. */
export function traceShadow(rays: u32, count: u32, coherent: bool): void {
  traceStream(rays, count, coherent, true)
}
