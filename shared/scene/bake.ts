/**
 * Bakes a scene to triangles in one coordinate system, that of its centre: every instance gets vertices and triangles of its own.
 * Engines without instancing trace the result; those with it make the same triangles when a ray comes near. Deterministic: same scene, same
 * bytes.
 *
 * A triangle's number counts those before it that could have area somewhere: whose corners are at three places of their mesh. One that has none where
 * it stands, because rounding or its transform made it a line, keeps its number and becomes a point: so numbers do not depend on places. Only
 * where a transform flattens space it is left out: such an instance is always baked, and most are hidden, by a scale of 0.
 */
import type { Vec3 } from '../frame/view.ts'
import { bakeExtras, extrasFor, extrasOf, type Geometry, type VertexExtras } from './bake-extras.ts'
import {
  elementsOf,
  offsetOf,
  type SceneDescription,
  type SceneMesh,
  strideOf,
  type Transform,
  vertexCount,
} from './description.ts'
import { materialIn, putTriangle, type TriangleBits, vertexIn, WHOLE_WORDS } from './triangle-bits.ts'

/** What a hit needs of a triangle: a record for each vertex, and words for the triangle that number its vertices. */
export interface Triangles {
  /** VERTEX_FLOATS per vertex. */
  readonly vertices: Float32Array
  /** `bits.words` per triangle: its vertices, and its index into the scene's materials. */
  readonly corners: Uint32Array
  readonly bits: TriangleBits
  /** What only some scenes need. */
  readonly extras?: VertexExtras
}

/**
 * Floats of a vertex: position xyz, in scene units relative to the scene's centre; unit shading normal xyz, zeros if there is
 * none: the triangle's own is used.
 */
export const VERTEX_FLOATS = 6
/** Where the normal begins in a vertex. */
export const NORMAL_AT = 3

export const triangleCount = ({ corners, bits }: Triangles): number => corners.length / bits.words

/** Number of the vertex at corner 0, 1 or 2 of a triangle. */
export const vertexNumber = ({ corners, bits }: Triangles, triangle: number, corner: number): number =>
  vertexIn(corners, bits, triangle, corner)

/** Where that vertex begins in `vertices`. */
export const vertexAt = (triangles: Triangles, triangle: number, corner: number): number =>
  vertexNumber(triangles, triangle, corner) * VERTEX_FLOATS

/** Position of corner 0, 1 or 2 of a triangle. */
export function cornerOf(triangles: Triangles, triangle: number, corner: number): Vec3 {
  const { vertices } = triangles
  const at = vertexAt(triangles, triangle, corner)
  return [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!]
}

/** Index into the scene's materials. */
export const materialOf = ({ corners, bits }: Triangles, triangle: number): number =>
  materialIn(corners, bits, triangle)

/** Numbers of vertices and triangles before those that can have no area are left out. */
export function bakedSize({ meshes, instances }: Geometry): { readonly vertices: number; readonly triangles: number } {
  const counts = meshes.map(mesh => ({ vertices: vertexCount(mesh), triangles: mesh.indices.length / 3 }))
  let vertices = 0
  let triangles = 0
  for (const { mesh } of instances) {
    vertices += counts[mesh]!.vertices
    triangles += counts[mesh]!.triangles
  }
  return { vertices, triangles }
}

/** Bakes to new arrays. */
export function bake(scene: Geometry): Triangles {
  const size = bakedSize(scene)
  const vertices = new Float32Array(size.vertices * VERTEX_FLOATS)
  const bits = WHOLE_WORDS
  const corners = new Uint32Array(size.triangles * bits.words)
  const extras = extrasFor(extrasOf(scene), size.vertices)
  const kept = bakeInto(scene, { vertices, corners, bits, extras }).at(-1) ?? 0
  return { vertices, corners: corners.subarray(0, kept * bits.words), bits, extras }
}

/**
 * Bakes into zeroed arrays of the baked size. Triangles that can have no area are left out; the end of `corners` is then unused. Those that have
 * none where they stand have three corners at one point, which no ray hits.
 * @returns for each instance, how many triangles there are with it and those before it
 */
export function bakeInto({ meshes, instances }: Geometry, into: Triangles): Uint32Array {
  const ends = new Uint32Array(instances.length)
  let [firstVertex, firstTriangle] = [0, 0]
  for (const [i, instance] of instances.entries()) {
    const mesh = meshes[instance.mesh]!
    const whole = bakeVertices(mesh, instance.transform, into, firstVertex)
    firstTriangle = bakeTriangles(mesh, instance, into, { firstVertex, firstTriangle, whole })
    firstVertex += vertexCount(mesh)
    ends[i] = firstTriangle
  }
  return ends
}

/** Bakes vertices of a mesh, of which the first becomes that with the number `first`; returns whether all of them have a normal. */
export function bakeVertices(mesh: SceneMesh, transform: Transform, into: Triangles, first: number): boolean {
  placeVertices(mesh, transform, into.vertices, VERTEX_FLOATS, first)
  const whole = bakeNormals(mesh, transform, into.vertices, first)
  if (into.extras) bakeExtras(mesh, { transform, mirrored: mirrors(transform) }, into.extras, first)
  return whole
}

/** Where triangles of an instance go. */
export interface TrianglePlace {
  /** Number of the instance's first vertex. */
  readonly firstVertex: number
  /** Number that the first triangle gets. */
  readonly firstTriangle: number
  /** Whether all of the instance's vertices have a normal; if not, these are all of its triangles, by which it gets them. */
  readonly whole: boolean
}

/** Bakes triangles of a mesh whose vertices are baked; returns the number after that of the last one. */
export function bakeTriangles(
  mesh: SceneMesh,
  { transform, materials }: Pick<SceneDescription['instances'][number], 'transform' | 'materials'>,
  into: Triangles,
  { firstVertex, firstTriangle, whole }: TrianglePlace,
): number {
  // In doubles: the area of a very small or large triangle does not fit in single precision.
  const sums = whole ? undefined : new Float64Array(vertexCount(mesh) * 3)
  const flattens = inverseTransposed(transform).every(element => element === 0)
  const place = { firstVertex, firstTriangle, mirrored: mirrors(transform), flattens }
  const end = placeTriangles(mesh, materials, into, place, sums)
  if (sums) fillMissingNormals(sums, into.vertices, firstVertex)
  return end
}

/** Writes the positions of an instance's vertices to every `stride`-th float of `into`, and the two after it, from vertex `first` on. */
export function placeVertices(mesh: SceneMesh, transform: Transform, into: Float32Array, stride = 3, first = 0): void {
  const { vertices, attributes } = mesh
  const step = strideOf(attributes)
  const [xx, xy, xz, tx, yx, yy, yz, ty, zx, zy, zz, tz] = elementsOf(transform)
  for (let from = 0, to = first * stride; from < vertices.length; from += step, to += stride) {
    const x = vertices[from]!
    const y = vertices[from + 1]!
    const z = vertices[from + 2]!
    into[to] = xx * x + xy * y + xz * z + tx
    into[to + 1] = yx * x + yy * y + yz * z + ty
    into[to + 2] = zx * x + zy * y + zz * z + tz
  }
}

/** Whether a baked triangle has no area where it stands: its corners are one point. */
export const isPoint = (triangles: Triangles, triangle: number): boolean =>
  vertexNumber(triangles, triangle, 0) === vertexNumber(triangles, triangle, 1)

/** The number of an instance's triangles that have area, with its positions as `placeVertices` wrote them, xyz each. */
export function countWithArea({ indices }: SceneMesh, positions: Float32Array): number {
  let count = 0
  for (let at = 0; at < indices.length; at += 3)
    if (hasArea(positions, indices[at]! * 3, indices[at + 1]! * 3, indices[at + 2]! * 3)) count++
  return count
}

/** Whether three corners of a mesh, whose positions are at these places of `p`, are apart: if not, they make no area wherever they are placed. */
export const areApart = (p: Float32Array, a: number, b: number, c: number): boolean =>
  !isAt(p, a, b) && !isAt(p, b, c) && !isAt(p, c, a)

const isAt = (p: Float32Array, a: number, b: number): boolean =>
  p[a] === p[b] && p[a + 1] === p[b + 1] && p[a + 2] === p[b + 2]

/** Whether the positions at three places of `p` are the corners of a triangle with area. */
function hasArea(p: Float32Array, a: number, b: number, c: number): boolean {
  const ux = p[b]! - p[a]!
  const uy = p[b + 1]! - p[a + 1]!
  const uz = p[b + 2]! - p[a + 2]!
  const vx = p[c]! - p[a]!
  const vy = p[c + 1]! - p[a + 1]!
  const vz = p[c + 2]! - p[a + 2]!
  return uy * vz - uz * vy !== 0 || uz * vx - ux * vz !== 0 || ux * vy - uy * vx !== 0
}

type Nine = [number, number, number, number, number, number, number, number, number]

/** Whether a transform reverses the winding order. */
export function mirrors(transform: Transform): boolean {
  const [xx, xy, xz, , yx, yy, yz, , zx, zy, zz] = elementsOf(transform)
  return xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx) + xz * (yx * zy - yy * zx) < 0
}

/** Writes unit normals, or zeros where there are none; returns whether all vertices got one. */
function bakeNormals(mesh: SceneMesh, transform: Transform, into: Float32Array, first: number): boolean {
  const offset = offsetOf(mesh, 'normal')
  if (offset === undefined) return false
  const { vertices, attributes } = mesh
  const step = strideOf(attributes)
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = inverseTransposed(transform)
  let whole = true
  let to = first * VERTEX_FLOATS + NORMAL_AT
  for (let from = offset; from < vertices.length; from += step, to += VERTEX_FLOATS) {
    const nx = vertices[from]!
    const ny = vertices[from + 1]!
    const nz = vertices[from + 2]!
    const x = xx * nx + xy * ny + xz * nz
    const y = yx * nx + yy * ny + yz * nz
    const z = zx * nx + zy * ny + zz * nz
    const length = Math.sqrt(x * x + y * y + z * z)
    if (!(length > 0 && length < Number.POSITIVE_INFINITY)) {
      whole = false
      continue
    }
    into[to] = x / length
    into[to + 1] = y / length
    into[to + 2] = z / length
  }
  return whole
}

/** The matrix of normals, by rows: all zeros for a transform that flattens space; the normals then come from the flat triangles. */
export function inverseTransposed(transform: Transform): Nine {
  const [xx, xy, xz, , yx, yy, yz, , zx, zy, zz] = elementsOf(transform)
  const a = zz * yy - zy * yz
  const b = zy * xz - zz * xy
  const c = yz * xy - yy * xz
  const determinant = xx * a + yx * b + zx * c
  if (determinant === 0) return [0, 0, 0, 0, 0, 0, 0, 0, 0]
  const by = 1 / determinant
  return [
    ...[a * by, (zx * yz - zz * yx) * by, (zy * yx - zx * yy) * by],
    ...[b * by, (zz * xx - zx * xz) * by, (zx * xy - zy * xx) * by],
    ...[c * by, (yx * xz - yz * xx) * by, (yy * xx - yx * xy) * by],
  ] as Nine
}

/** Adds the normal of each triangle, twice its area long, to the `sums` of its vertices, xyz each. */
function placeTriangles(
  { vertices, attributes, indices, slots }: SceneMesh,
  materials: readonly number[],
  { vertices: p, corners, bits }: Triangles,
  {
    firstVertex,
    firstTriangle,
    mirrored,
    flattens,
  }: Omit<TrianglePlace, 'whole'> & { readonly mirrored: boolean; readonly flattens: boolean },
  sums: Float64Array | undefined,
): number {
  const step = strideOf(attributes)
  let to = firstTriangle
  for (let from = 0, slot = 0; from < indices.length; from += 3, slot++) {
    const first = indices[from]!
    const second = indices[from + (mirrored ? 2 : 1)]!
    const third = indices[from + (mirrored ? 1 : 2)]!
    const a = (firstVertex + first) * VERTEX_FLOATS
    const b = (firstVertex + second) * VERTEX_FLOATS
    const c = (firstVertex + third) * VERTEX_FLOATS
    const ux = p[b]! - p[a]!
    const uy = p[b + 1]! - p[a + 1]!
    const uz = p[b + 2]! - p[a + 2]!
    const vx = p[c]! - p[a]!
    const vy = p[c + 1]! - p[a + 1]!
    const vz = p[c + 2]! - p[a + 2]!
    const x = uy * vz - uz * vy
    const y = uz * vx - ux * vz
    const z = ux * vy - uy * vx
    const isLine = x === 0 && y === 0 && z === 0
    if (isLine && (flattens || !areApart(vertices, first * step, second * step, third * step))) continue
    const other = firstVertex + (isLine ? first : second)
    const last = firstVertex + (isLine ? first : third)
    putTriangle(corners, bits, to++, firstVertex + first, other, last, materials[slots[slot]!]!)
    if (!sums || isLine) continue
    addTo(sums, first, x, y, z)
    addTo(sums, second, x, y, z)
    addTo(sums, third, x, y, z)
  }
  return to
}

function addTo(sums: Float64Array, vertex: number, x: number, y: number, z: number): void {
  sums[vertex * 3]! += x
  sums[vertex * 3 + 1]! += y
  sums[vertex * 3 + 2]! += z
}

/** Gives each vertex without a normal the area-weighted mean of its triangles' normals, or up if there is none. */
function fillMissingNormals(sums: Float64Array, into: Float32Array, first: number): void {
  let at = first * VERTEX_FLOATS + NORMAL_AT
  for (let sum = 0; sum < sums.length; sum += 3, at += VERTEX_FLOATS) {
    if (into[at] !== 0 || into[at + 1] !== 0 || into[at + 2] !== 0) continue
    const x = sums[sum]!
    const y = sums[sum + 1]!
    const z = sums[sum + 2]!
    const length = Math.sqrt(x * x + y * y + z * z)
    into[at] = length > 0 ? x / length : 0
    into[at + 1] = length > 0 ? y / length : 1
    into[at + 2] = length > 0 ? z / length : 0
  }
}
