/**
 * Shading normals for triangles that share no vertices (STL, OBJ without normals): faces that meet at less than the
 * crease angle shade as one smooth surface, the rest keep their edges.
 */

/** Cosine of 35°: a 12-sided cylinder is smooth, a 45° bevel is an edge. */
const CREASE_COSINE = 0.8191520442889918

/**
 * Where more faces meet (the tip of a fine cone), each keeps its own normal: comparing all pairs would take quadratic
 * time.
 */
const MAX_FACES = 512

/** Unit normals, xyz per vertex, for `positions`: nine numbers per triangle. Zero for triangles without area. */
export function creasedNormals(positions: Float32Array): Float32Array {
  const corners = positions.length / 3
  const faces = faceNormals(positions)
  const { ids, count } = weld(positions)

  // List the corners at each position, grouped by position.
  const starts = new Uint32Array(count + 1)
  for (let corner = 0; corner < corners; corner++) starts[ids[corner]! + 1]!++
  for (let place = 0; place < count; place++) starts[place + 1]! += starts[place]!
  const fill = starts.slice()
  const cornersAt = new Uint32Array(corners)
  for (let corner = 0; corner < corners; corner++) cornersAt[fill[ids[corner]!]!++] = corner

  const normals = new Float32Array(positions.length)
  for (let corner = 0; corner < corners; corner++) {
    const own = Math.floor(corner / 3) * 4
    const [first, end] = [starts[ids[corner]!]!, starts[ids[corner]! + 1]!]
    let x = 0
    let y = 0
    let z = 0
    for (let i = first; i < end && end - first <= MAX_FACES; i++) {
      const other = Math.floor(cornersAt[i]! / 3) * 4
      const cosine =
        faces[own]! * faces[other]! + faces[own + 1]! * faces[other + 1]! + faces[own + 2]! * faces[other + 2]!
      if (cosine < CREASE_COSINE) continue
      const area = faces[other + 3]!
      x += faces[other]! * area
      y += faces[other + 1]! * area
      z += faces[other + 2]! * area
    }
    const length = Math.sqrt(x * x + y * y + z * z)
    normals[corner * 3] = length > 0 ? x / length : faces[own]!
    normals[corner * 3 + 1] = length > 0 ? y / length : faces[own + 1]!
    normals[corner * 3 + 2] = length > 0 ? z / length : faces[own + 2]!
  }
  return normals
}

/** Per triangle: unit normal and twice the area; zeros where there is no area. */
function faceNormals(positions: Float32Array): Float64Array {
  const triangles = positions.length / 9
  const faces = new Float64Array(triangles * 4)
  for (let triangle = 0; triangle < triangles; triangle++) {
    const p = triangle * 9
    const ux = positions[p + 3]! - positions[p]!
    const uy = positions[p + 4]! - positions[p + 1]!
    const uz = positions[p + 5]! - positions[p + 2]!
    const vx = positions[p + 6]! - positions[p]!
    const vy = positions[p + 7]! - positions[p + 1]!
    const vz = positions[p + 8]! - positions[p + 2]!
    const x = uy * vz - uz * vy
    const y = uz * vx - ux * vz
    const z = ux * vy - uy * vx
    const area = Math.sqrt(x * x + y * y + z * z)
    if (!(area > 0)) continue
    faces[triangle * 4] = x / area
    faces[triangle * 4 + 1] = y / area
    faces[triangle * 4 + 2] = z / area
    faces[triangle * 4 + 3] = area
  }
  return faces
}

/** Numbers the distinct positions among the vertices; equal means equal bits, with −0 treated as 0. */
function weld(positions: Float32Array): { ids: Uint32Array; count: number } {
  const vertices = positions.length / 3
  const clean = new Float32Array(positions.length)
  for (let i = 0; i < positions.length; i++) clean[i] = positions[i]! + 0
  const bits = new Uint32Array(clean.buffer)
  let slots = 4
  while (slots < vertices * 2) slots *= 2
  const table = new Uint32Array(slots) // vertex + 1 of the first vertex at a position; 0 = free
  const ids = new Uint32Array(vertices)
  let count = 0
  for (let vertex = 0; vertex < vertices; vertex++) {
    const [x, y, z] = [bits[vertex * 3]!, bits[vertex * 3 + 1]!, bits[vertex * 3 + 2]!]
    let hash = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(z, 0xc2b2ae3d)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    let slot = (hash ^ (hash >>> 13)) & (slots - 1)
    for (;;) {
      const found = table[slot]!
      if (found === 0) {
        table[slot] = vertex + 1
        ids[vertex] = count++
        break
      }
      const at = (found - 1) * 3
      if (bits[at] === x && bits[at + 1] === y && bits[at + 2] === z) {
        ids[vertex] = ids[found - 1]!
        break
      }
      slot = (slot + 1) & (slots - 1)
    }
  }
  return { ids, count }
}
