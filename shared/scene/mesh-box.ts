/** The box of a mesh's vertices, in its own coordinates. */

/** Least x y z, greatest x y z; infinitely far inside out if there are no vertices. */
export type MeshBox = readonly number[]

/** @param vertices of which every `stride` numbers begin with a position */
export function boxOf(vertices: Float32Array, stride: number): MeshBox {
  // In variables, not in arrays, and without a jump for each comparison: every vertex of every frame of a film passes here.
  let [lowX, lowY, lowZ] = [Infinity, Infinity, Infinity]
  let [highX, highY, highZ] = [-Infinity, -Infinity, -Infinity]
  for (let at = 0; at < vertices.length; at += stride) {
    const x = vertices[at]!
    const y = vertices[at + 1]!
    const z = vertices[at + 2]!
    lowX = Math.min(lowX, x)
    lowY = Math.min(lowY, y)
    lowZ = Math.min(lowZ, z)
    highX = Math.max(highX, x)
    highY = Math.max(highY, y)
    highZ = Math.max(highZ, z)
  }
  return [lowX, lowY, lowZ, highX, highY, highZ]
}
