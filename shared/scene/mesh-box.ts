/** The box of a mesh's vertices, in its own coordinates. */

/** Least x y z, greatest x y z; infinitely far inside out if there are no vertices. */
export type MeshBox = readonly number[]

/** @param vertices of which every `stride` numbers begin with a position */
export function boxOf(vertices: Float32Array, stride: number): MeshBox {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (let at = 0; at < vertices.length; at += stride)
    for (let axis = 0; axis < 3; axis++) {
      const value = vertices[at + axis]!
      if (value < box[axis]!) box[axis] = value
      if (value > box[axis + 3]!) box[axis + 3] = value
    }
  return box
}
