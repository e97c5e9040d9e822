/**
 * Splits the vertices of an indexed mesh at its edges: a cube with eight vertices would otherwise be shaded like a ball.
 *
 * Scans must not be split: their noise exceeds any crease angle, and they would be shredded into flat triangles. What tells the two
 * apart is not how many edges are sharp, which depends on how finely a part is tessellated (67 % for a cube of 12 triangles, 0.3 %
 * for a cylinder of 200,000), but the gap in between: a modelled part has smooth edges and sharp ones and hardly any around the
 * crease angle, whereas the angles of a scan have no gap. Edges from 31° to 39° per edge sharper than that, measured: 0 for boxes,
 * cylinders, extrusions and polyhedra of all sizes; 0.28 to 1.1 for five scans (buddha 100k and 640k, bunny, dragon 640k and 871k), 0.03 to 0.38 for a ball with noise of up to
 * six times the length of its edges. That takes about 40 ms for 871,414 triangles.
 */
import { creasedNormals } from './creased-normals.ts'

/** Cosines of 31° and 39°, about the crease angle of 35°. */
const SMOOTHER = 0.8571673007021123
const SHARPER = 0.7771459614569709
/** Most edges around the crease angle per sharper one. */
const MOST_BETWEEN = 0.02
/** Triangles beyond which only a part of the edges is looked at: the share needs no more. */
const SAMPLED = 4096

export interface CreasedMesh {
  /** Position and normal of each vertex. */
  readonly vertices: Float32Array
  readonly indices: Uint32Array
}

/**
 * The mesh with unit normals and vertices that are shared only within smooth surfaces, its triangles in the same order.
 * Undefined for a mesh without creases, and for a scan.
 *
 * @param positions xyz per vertex, finite
 */
export function creased(positions: Float32Array, indices: Uint32Array): CreasedMesh | undefined {
  return hasCreases(positions, indices) ? split(positions, indices) : undefined
}

/** Looks at the edges between two triangles, in large meshes only at those whose lower vertex is one of every 2ⁿ. */
function hasCreases(positions: Float32Array, indices: Uint32Array): boolean {
  let mask = 0
  while (indices.length / 3 / (mask + 1) > 2 * SAMPLED) mask = mask * 2 + 1
  const vertices = positions.length / 3
  /** By edge: the triangle that has it, or -1 if it has been counted. */
  const open = new Map<number, number>()
  let between = 0
  let sharp = 0
  const meet = (a: number, b: number, triangle: number) => {
    const edge = a < b ? a * vertices + b : b * vertices + a
    const other = open.get(edge)
    open.set(edge, other === undefined ? triangle : -1)
    if (other === undefined || other < 0) return
    const cosine = cosineBetween(positions, indices, triangle, other)
    if (cosine < SHARPER) sharp++
    else if (cosine < SMOOTHER) between++
  }
  for (let at = 0; at < indices.length; at += 3) {
    const a = indices[at]!
    const b = indices[at + 1]!
    const c = indices[at + 2]!
    if (((a < b ? a : b) & mask) === 0) meet(a, b, at / 3)
    if (((b < c ? b : c) & mask) === 0) meet(b, c, at / 3)
    if (((c < a ? c : a) & mask) === 0) meet(c, a, at / 3)
  }
  return sharp > 0 && between <= sharp * MOST_BETWEEN
}

/** 1 if a triangle has no area. */
function cosineBetween(positions: Float32Array, indices: Uint32Array, one: number, other: number): number {
  const [a, b] = [normalOf(positions, indices, one), normalOf(positions, indices, other)]
  const length = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b))
  return length > 0 ? dot(a, b) / length : 1
}

type Vector = readonly [number, number, number]

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

function normalOf(p: Float32Array, indices: Uint32Array, triangle: number): Vector {
  const a = indices[triangle * 3]! * 3
  const b = indices[triangle * 3 + 1]! * 3
  const c = indices[triangle * 3 + 2]! * 3
  const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!]
  const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!]
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
}

/** Computes a normal for every corner, and joins the corners of a vertex whose normals are equal. */
function split(positions: Float32Array, indices: Uint32Array): CreasedMesh {
  const corners = new Float32Array(indices.length * 3)
  for (let corner = 0; corner < indices.length; corner++) {
    const from = indices[corner]! * 3
    for (let axis = 0; axis < 3; axis++) corners[corner * 3 + axis] = positions[from + axis]!
  }
  const normals = creasedNormals(corners)
  const vertices = new Float32Array(indices.length * 6)
  const joined = new Uint32Array(indices.length)
  // New vertices of an old one are a linked list: the newest, and from each the one before it; 0 is the end.
  const newest = new Uint32Array(positions.length / 3)
  const before = new Uint32Array(indices.length + 1)
  let count = 0
  for (let corner = 0; corner < indices.length; corner++) {
    const from = corner * 3
    let vertex = newest[indices[corner]!]!
    while (vertex > 0 && !hasNormal(vertices, vertex - 1, normals, from)) vertex = before[vertex]!
    if (vertex === 0) {
      vertex = ++count
      before[vertex] = newest[indices[corner]!]!
      newest[indices[corner]!] = vertex
      vertices.set(corners.subarray(from, from + 3), (vertex - 1) * 6)
      vertices.set(normals.subarray(from, from + 3), (vertex - 1) * 6 + 3)
    }
    joined[corner] = vertex - 1
  }
  return { vertices: vertices.slice(0, count * 6), indices: joined }
}

const hasNormal = (vertices: Float32Array, vertex: number, normals: Float32Array, from: number): boolean =>
  vertices[vertex * 6 + 3] === normals[from] &&
  vertices[vertex * 6 + 4] === normals[from + 1] &&
  vertices[vertex * 6 + 5] === normals[from + 2]
