/** Triangles of their own corners as triangles of shared vertices, which is what Blender traces fastest. */

export interface Welded {
  /** xyz of each vertex. */
  readonly vertices: Float32Array
  /** Of each vertex: the unit shading normal, or 0 where it is that of flat triangles. */
  readonly normals: Float32Array
  /** Three vertices per triangle. */
  readonly corners: Uint32Array
}

/** Corners are one vertex if they agree in position and shading normal to the last bit; those of flat triangles in position. */
export function weld(positions: Float64Array, normals: Float64Array): Welded {
  const count = positions.length / 3
  const keys = new Float32Array(count * 6)
  for (let triangle = 0; triangle < count / 3; triangle++) {
    const smooth = !isFlat(positions, normals, triangle)
    for (let corner = triangle * 3; corner < triangle * 3 + 3; corner++) {
      for (let axis = 0; axis < 3; axis++) {
        // 0 is added, because -0 has other bits.
        keys[corner * 6 + axis] = positions[corner * 3 + axis]! + 0
        keys[corner * 6 + 3 + axis] = smooth ? normals[corner * 3 + axis]! + 0 : 0
      }
    }
  }

  // Open addressing: a slot holds a vertex + 1. At most half of them are used.
  const bits = new Uint32Array(keys.buffer)
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(count * 2 + 1)))
  const firsts = new Uint32Array(count)
  const corners = new Uint32Array(count)
  let vertexCount = 0
  for (let corner = 0; corner < count; corner++) {
    let slot = hashOf(bits, corner) & (slots.length - 1)
    while (slots[slot] !== 0 && !equal(bits, firsts[slots[slot]! - 1]!, corner)) slot = (slot + 1) & (slots.length - 1)
    if (slots[slot] === 0) {
      firsts[vertexCount++] = corner
      slots[slot] = vertexCount
    }
    corners[corner] = slots[slot]! - 1
  }

  const part = (from: 0 | 3): Float32Array => {
    const values = new Float32Array(vertexCount * 3)
    for (let i = 0; i < values.length; i++) values[i] = keys[firsts[Math.floor(i / 3)]! * 6 + from + (i % 3)]!
    return values
  }
  return { vertices: part(0), normals: part(3), corners }
}

/** How far components of a shading normal may be from the triangle's own: rounding. */
const EQUAL = 1e-5

function isFlat(positions: Float64Array, normals: Float64Array, triangle: number): boolean {
  const at = (corner: number, axis: number): number => positions[triangle * 9 + corner * 3 + (axis % 3)]!
  const edge = (corner: number, axis: number): number => at(corner, axis) - at(0, axis)
  const flat = [0, 1, 2].map(axis => edge(1, axis + 1) * edge(2, axis + 2) - edge(1, axis + 2) * edge(2, axis + 1))
  const length = Math.hypot(...flat)
  for (let i = 0; i < 9; i++) if (Math.abs(normals[triangle * 9 + i]! - flat[i % 3]! / length) > EQUAL) return false
  return true
}

/** FNV-1a over words, and a last mix: low bits must depend on all. */
function hashOf(bits: Uint32Array, corner: number): number {
  let hash = 0x811c9dc5
  for (let i = corner * 6; i < corner * 6 + 6; i++) hash = Math.imul(hash ^ bits[i]!, 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

function equal(bits: Uint32Array, a: number, b: number): boolean {
  for (let i = 0; i < 6; i++) if (bits[a * 6 + i] !== bits[b * 6 + i]) return false
  return true
}
