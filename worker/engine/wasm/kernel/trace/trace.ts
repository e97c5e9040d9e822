/** Tracing rays: the closest hit of each, or whether anything is in its way. Records of rays are described in `layout.ts`. */
import { areaBytes, makeArea } from './area'
import { bindBundles, traceBundles } from './bundles'
import { traceStream } from './stream'

/** Bytes of a thread's area for the scene in the header. */
export function traceBytes(): u32 {
  return areaBytes()
}

/** Takes up the scene in the header and `start`, traceBytes() bytes of this thread's own at a multiple of 128. */
export function bindTrace(start: u32): void {
  makeArea(start)
  bindBundles()
}

/**
 * Finds the closest hit of `count` rays within [tMin, tMax]. `coherent`: rays that follow each other begin near each other and
 * go much the same way; this is a matter of speed only.
 */
export function traceClosest(rays: u32, count: u32, coherent: bool): void {
  if (coherent) traceBundles(rays, count)
  else traceStream(rays, count, false, false)
}

/** Finds for `count` rays whether something is in the way within [tMin, tMax]. */
export function traceShadow(rays: u32, count: u32, coherent: bool): void {
  traceStream(rays, count, coherent, true)
}
