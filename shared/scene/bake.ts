/**
 * Bakes a scene to triangles in one coordinate system, that of its centre: every instance gets vertices and triangles of its own.
 * Engines without instancing trace the result. Deterministic: same scene, same bytes.
 */
import {
  offsetOf,
  type SceneDescription,
  type SceneMesh,
  strideOf,
  type Transform,
  vertexCount,
} from './description.ts'

export interface Triangles {
  /** xyz per vertex, scene units, relative to the scene's centre. */
  readonly positions: Float32Array
  /** xyz per vertex, unit shading normals; zeros if there is none: the triangle's own normal is used. */
  readonly normals: Float32Array
  /** Three vertex numbers per triangle, counter-clockwise seen from outside. */
  readonly indices: Uint32Array
  /** Index into the scene's materials per triangle. */
  readonly materialIds: Uint16Array
}

export const triangleCount = ({ indices }: Triangles): number => indices.length / 3

type Geometry = Pick<SceneDescription, 'meshes' | 'instances'>

/** Numbers of vertices and triangles before those without area are left out. */
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
  const { vertices, triangles } = bakedSize(scene)
  const room = {
    positions: new Float32Array(vertices * 3),
    normals: new Float32Array(vertices * 3),
    indices: new Uint32Array(triangles * 3),
    materialIds: new Uint16Array(triangles),
  }
  const kept = bakeInto(scene, room)
  return { ...room, indices: room.indices.subarray(0, kept * 3), materialIds: room.materialIds.subarray(0, kept) }
}

/**
 * Bakes into zeroed arrays of the baked size. Triangles without area, which nothing can hit, are left out; the arrays' ends are
 * then unused.
 * @returns the number of triangles
 */
export function bakeInto({ meshes, instances }: Geometry, into: Triangles): number {
  const baked: Baked = { ...into, vertices: 0, triangles: 0 }
  for (const { mesh: number, transform, materials } of instances) {
    const mesh = meshes[number]!
    const [firstVertex, firstTriangle] = [baked.vertices, baked.triangles]
    placeVertices(mesh, transform, baked.positions, firstVertex)
    const whole = bakeNormals(mesh, transform, baked)
    baked.vertices += vertexCount(mesh)
    bakeTriangles(mesh, mirrors(transform), materials, firstVertex, baked)
    if (!whole) fillMissingNormals(firstVertex, firstTriangle, baked)
  }
  return baked.triangles
}

/** Writes the positions of an instance's vertices to `positions`, xyz each, from vertex `first` on. */
export function placeVertices(mesh: SceneMesh, transform: Transform, positions: Float32Array, first = 0): void {
  const { vertices, attributes } = mesh
  const stride = strideOf(attributes)
  const [xx, xy, xz, tx, yx, yy, yz, ty, zx, zy, zz, tz] = transform as unknown as Twelve
  for (let from = 0, to = first * 3; from < vertices.length; from += stride, to += 3) {
    const x = vertices[from]!
    const y = vertices[from + 1]!
    const z = vertices[from + 2]!
    positions[to] = xx * x + xy * y + xz * z + tx
    positions[to + 1] = yx * x + yy * y + yz * z + ty
    positions[to + 2] = zx * x + zy * y + zz * z + tz
  }
}

/** The number of an instance's triangles that have area, with its vertices as `placeVertices` wrote them. */
export function countWithArea({ indices }: SceneMesh, positions: Float32Array): number {
  let count = 0
  for (let at = 0; at < indices.length; at += 3) if (hasArea(positions, indices, at)) count++
  return count
}

/** Filled from the front: `vertices` and `triangles` are the fill levels. */
interface Baked extends Triangles {
  vertices: number
  triangles: number
}

type Nine = [number, number, number, number, number, number, number, number, number]
type Twelve = [...Nine, number, number, number]

/** Whether a transform reverses the winding order. */
function mirrors(transform: Transform): boolean {
  const [xx, xy, xz, , yx, yy, yz, , zx, zy, zz] = transform as unknown as Twelve
  return xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx) + xz * (yx * zy - yy * zx) < 0
}

/** Writes unit normals, or zeros where there are none; returns whether all vertices got one. */
function bakeNormals(mesh: SceneMesh, transform: Transform, { normals, vertices: first }: Baked): boolean {
  const offset = offsetOf(mesh, 'normal')
  if (offset === undefined) return false
  const { vertices, attributes } = mesh
  const stride = strideOf(attributes)
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = inverseTransposed(transform)
  let whole = true
  for (let from = offset, to = first * 3; from < vertices.length; from += stride, to += 3) {
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
    normals[to] = x / length
    normals[to + 1] = y / length
    normals[to + 2] = z / length
  }
  return whole
}

/** The matrix of normals, by rows: all zeros for a transform that flattens space; the normals then come from the flat triangles. */
function inverseTransposed(transform: Transform): Nine {
  const [xx, xy, xz, , yx, yy, yz, , zx, zy, zz] = transform as unknown as Twelve
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

function bakeTriangles(
  mesh: SceneMesh,
  mirrored: boolean,
  materials: readonly number[],
  firstVertex: number,
  baked: Baked,
): void {
  const { positions, indices, materialIds } = baked
  let triangle = baked.triangles
  for (let from = 0; from < mesh.indices.length; from += 3) {
    const second = mesh.indices[from + 1]!
    const third = mesh.indices[from + 2]!
    const at = triangle * 3
    indices[at] = firstVertex + mesh.indices[from]!
    indices[at + 1] = firstVertex + (mirrored ? third : second)
    indices[at + 2] = firstVertex + (mirrored ? second : third)
    if (!hasArea(positions, indices, at)) continue
    materialIds[triangle++] = materials[mesh.slots[from / 3]!]!
  }
  baked.triangles = triangle
}

function hasArea(p: Float32Array, indices: Uint32Array, at: number): boolean {
  const a = indices[at]! * 3
  const b = indices[at + 1]! * 3
  const c = indices[at + 2]! * 3
  const ux = p[b]! - p[a]!
  const uy = p[b + 1]! - p[a + 1]!
  const uz = p[b + 2]! - p[a + 2]!
  const vx = p[c]! - p[a]!
  const vy = p[c + 1]! - p[a + 1]!
  const vz = p[c + 2]! - p[a + 2]!
  return uy * vz - uz * vy !== 0 || uz * vx - ux * vz !== 0 || ux * vy - uy * vx !== 0
}

/** Gives each vertex without a normal the area-weighted mean of its triangles' normals, or up if there is none. */
function fillMissingNormals(firstVertex: number, firstTriangle: number, baked: Baked): void {
  const { positions: p, normals, indices, vertices, triangles } = baked
  // In doubles: the area of a very small or large triangle does not fit in single precision.
  const sums = new Float64Array((vertices - firstVertex) * 3)
  for (let at = firstTriangle * 3; at < triangles * 3; at += 3) {
    const a = indices[at]! * 3
    const b = indices[at + 1]! * 3
    const c = indices[at + 2]! * 3
    const ux = p[b]! - p[a]!
    const uy = p[b + 1]! - p[a + 1]!
    const uz = p[b + 2]! - p[a + 2]!
    const vx = p[c]! - p[a]!
    const vy = p[c + 1]! - p[a + 1]!
    const vz = p[c + 2]! - p[a + 2]!
    const x = uy * vz - uz * vy
    const y = uz * vx - ux * vz
    const z = ux * vy - uy * vx
    for (let corner = 0; corner < 3; corner++) {
      const sum = (indices[at + corner]! - firstVertex) * 3
      sums[sum]! += x
      sums[sum + 1]! += y
      sums[sum + 2]! += z
    }
  }
  for (let vertex = firstVertex; vertex < vertices; vertex++) {
    const at = vertex * 3
    if (normals[at] !== 0 || normals[at + 1] !== 0 || normals[at + 2] !== 0) continue
    const sum = (vertex - firstVertex) * 3
    const [x, y, z] = [sums[sum]!, sums[sum + 1]!, sums[sum + 2]!]
    const length = Math.sqrt(x * x + y * y + z * z)
    normals[at] = length > 0 ? x / length : 0
    normals[at + 1] = length > 0 ? y / length : 1
    normals[at + 2] = length > 0 ? z / length : 0
  }
}
