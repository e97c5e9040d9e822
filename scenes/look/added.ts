/** Tells what sortfirst adds to a file's own content, such as floor, sun and sky, from that content. */
import type { Object3D } from 'three'

/** A symbol, because `userData` may come from a file. */
const ADDED = Symbol('added')

/** Marks an object and everything below it. */
export function markAdded(object: Object3D): void {
  object.userData.added = ADDED
}

export const isAdded = (object: Object3D): boolean =>
  object.userData.added === ADDED || (object.parent !== null && isAdded(object.parent))
