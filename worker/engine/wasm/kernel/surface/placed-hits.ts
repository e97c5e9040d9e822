/** Hits on instances, before they are shaded: their triangles are placed in the scene, four at a time. */
import { Hit, PlacedTriangle } from '../records'
import { hasInstances, placeTriangle } from '../placed-triangle'

/** Places the triangles of up to four hits, of which the last is at `last`; they stay in `scratch` while the hits are shaded. */
@inline
export function placeHits(hit: u32, last: u32, scratch: u32): void {
  if (hasInstances()) place(hit, last, scratch)
}

function place(hit: u32, last: u32, scratch: u32): void {
  for (; hit <= last; hit += Hit.BYTES, scratch += PlacedTriangle.BYTES) {
    const instance = Hit.instance(hit)
    if (instance == 0) continue
    Hit.setParts(hit, placeTriangle(Hit.parts(hit), instance, scratch))
    Hit.setInstance(hit, 0)
  }
}
