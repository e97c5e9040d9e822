/**
 * Fetches what shading will read of hits: short loops without other work, so that the processor has many memory accesses in flight at
 * once. During shading it would wait for one after the other.
 */
import { Hit, Id, Ray, Scene, Triangle4, Vertex } from '../records'
import { wordsOf } from '../triangle-parts'
import { touched } from './workspace'

/** Brings the words of the triangles that rays have hit into the cache. */
export function touchTriangles(first: u32, end: u32): void {
  const triangles = Scene.triangles()
  let sum: u32 = 0
  for (let ray = first; ray < end; ray += Ray.BYTES) {
    const slot = Ray.hit(ray)
    // Of a ray that hit nothing, whatever is at the beginning of memory.
    const id = Triangle4.id(slot) & Id.MASK
    sum += load<u32>(slot != 0 ? wordsOf(id, triangles) : <u32>0)
  }
  store<u32>(touched, sum)
}

/** One vertex in four lies in two cache lines. */
@inline
function bothEnds(vertex: u32): f32 {
  return Vertex.positionX(vertex) + Vertex.normalZ(vertex)
}

/** Brings the vertices of the listed hits into the cache. */
export function touchVertices(first: u32, end: u32): void {
  let sum: f32 = 0
  for (let hit = first; hit < end; hit += Hit.BYTES) {
    sum += bothEnds(Hit.vertexA(hit)) + bothEnds(Hit.vertexB(hit)) + bothEnds(Hit.vertexC(hit))
  }
  // Without a use of the values, compilers would drop the loads.
  store<f32>(touched, sum)
}
