/**
 * Fetches what shading will read of hits: short loops without other work, so that the processor has many memory accesses in flight at
 * once. During shading it would wait for one after the other.
 */
import { ID_MASK, RAY_BYTES, RAY_HIT, SCENE, SCENE_TRIANGLES_AT, TRIANGLE4_IDS, TRIANGLE_BYTES } from '../layout'
import { HIT_BYTES, HIT_VERTEX_A, HIT_VERTEX_B, HIT_VERTEX_C } from './records'
import { touched } from './workspace'

/** Brings the records of the triangles that rays have hit into the cache. */
export function touchTriangles(first: u32, end: u32): void {
  const triangles = load<u32>(SCENE, SCENE_TRIANGLES_AT)
  let sum: u32 = 0
  for (let ray = first; ray < end; ray += RAY_BYTES) {
    const slot = load<u32>(ray, RAY_HIT)
    // Of a ray that hit nothing, whatever is at the beginning of memory.
    const id = load<u32>(slot, TRIANGLE4_IDS) & ID_MASK
    const record: u32 = slot != 0 ? triangles + id * TRIANGLE_BYTES : 0
    sum += load<u32>(record)
  }
  store<u32>(touched, sum)
}

/** Brings the vertices of the listed hits into the cache. */
export function touchVertices(first: u32, end: u32): void {
  let sum: f32 = 0
  for (let hit = first; hit < end; hit += HIT_BYTES) {
    const a = load<f32>(load<u32>(hit, HIT_VERTEX_A))
    const b = load<f32>(load<u32>(hit, HIT_VERTEX_B))
    const c = load<f32>(load<u32>(hit, HIT_VERTEX_C))
    sum += a + b + c
  }
  // Without a use of the values, compilers would drop the loads.
  store<f32>(touched, sum)
}
