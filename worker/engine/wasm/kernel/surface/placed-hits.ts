/** Hits on instances, before they are shaded: their triangles are placed in the scene, four at a time. */
import { PLACED_TRIANGLE_BYTES } from '../instance-layout'
import { hasInstances, placeTriangle } from '../placed-triangle'
import { HIT_BYTES, HIT_INSTANCE, HIT_PARTS } from './records'

/** Places the triangles of up to four hits, of which the last is at `last`; they stay in `scratch` while the hits are shaded. */
@inline
export function placeHits(hit: u32, last: u32, scratch: u32): void {
  if (hasInstances()) place(hit, last, scratch)
}

function place(hit: u32, last: u32, scratch: u32): void {
  for (; hit <= last; hit += HIT_BYTES, scratch += PLACED_TRIANGLE_BYTES) {
    const instance = load<u32>(hit, HIT_INSTANCE)
    if (instance == 0) continue
    v128.store(hit, placeTriangle(v128.load(hit, HIT_PARTS), instance, scratch), HIT_PARTS)
    store<u32>(hit, 0, HIT_INSTANCE)
  }
}
