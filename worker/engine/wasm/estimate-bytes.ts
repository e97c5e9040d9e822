/**
 * How much memory a worker will need for a scene, before it is built. Everything but the structure is computed as for a build; how
 * large that becomes depends on how well its nodes and triangle4s are filled.
 */
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { placesFor, workspacesOf } from './building.ts'
import { instantiate } from './kernel.ts'
import { inPages, KernelMemory } from './memory.ts'
import { putHeader } from './records/access.ts'
import { FIRST_FREE } from './records/scene.ts'

/** Bytes of the structure per triangle: 54.5 to 56.8 in the built-in scenes and in scans, 51.6 to 55.1 in grids and in random triangles. */
const STRUCTURE_BYTES = 55

/** Assumed levels of the structure. Each adds 7 KiB to a thread's workspace of some MiB: a guess is good enough. */
const LEVELS = 16

/** @param triangles those with area, which alone are in the structure */
export function estimateBytes(
  module: WebAssembly.Module,
  scene: SceneDescription,
  triangles: number,
  threads: number,
): number {
  const header = KernelMemory.of(FIRST_FREE)
  putHeader(header, { depth: LEVELS })
  const { traceBytes, shadeBytes } = workspacesOf(instantiate(module, header.memory))
  const places = placesFor(scene)
  // Of meshes that are instanced, triangles are in memory once.
  const once = Math.min(triangles, places.triangles)
  return inPages(places.end + once * STRUCTURE_BYTES) + inPages(threads * (traceBytes + shadeBytes))
}
