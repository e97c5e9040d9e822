/**
 * A THREE.Scene as plain arrays in world space, ready to be packed and sent to the workers. Everything is counted first,
 * so each array is allocated once, and a mesh of a million triangles creates no object per triangle.
 */
import type { Matrix4, Scene } from 'three'
import { Matrix3 } from 'three'
import type { SceneData } from '../shared/scene/packed-layout.ts'
import { collectParts, type Part } from './collect-parts.ts'
import { EmptySceneError, SceneMeshError } from './errors.ts'
import { mapLighting } from './map-light.ts'
import { MaterialTable } from './map-material.ts'

export interface Flattened {
  readonly data: SceneData
  /** Triangles without area, which nothing can hit; left out. */
  readonly degenerate: number
  /** What the scene asks for but does not get, one sentence each. */
  readonly problems: readonly string[]
}

/**
 * Bakes every visible mesh of the scene. Changes only the scene's world matrices.
 * @throws SceneMeshError for a vertex that is not finite or an index without a vertex, EmptySceneError
 */
export function flatten(scene: Scene): Flattened {
  scene.updateMatrixWorld(true)
  const problems: string[] = []
  const table = new MaterialTable(problems)
  const parts = collectParts(scene, table, problems)
  let vertices = 0
  let triangles = 0
  for (const part of parts) {
    vertices += part.geometry.getAttribute('position').count
    for (const range of part.ranges) triangles += range.count / 3
  }

  const baked: Baked = {
    positions: new Float32Array(vertices * 3),
    normals: new Float32Array(vertices * 3),
    indices: new Uint32Array(triangles * 3),
    materialIds: new Uint16Array(triangles),
    vertices: 0,
    triangles: 0,
  }
  for (const part of parts) {
    const [firstVertex, firstTriangle] = [baked.vertices, baked.triangles]
    bakePositions(part, baked)
    const whole = bakeNormals(part, baked)
    baked.vertices += part.geometry.getAttribute('position').count
    bakeTriangles(part, firstVertex, baked)
    if (!whole) fillMissingNormals(firstVertex, firstTriangle, baked)
  }
  if (baked.triangles === 0) throw new EmptySceneError('scene', triangles ? ': all have zero area' : '')
  return {
    data: {
      positions: baked.positions,
      normals: baked.normals,
      indices: baked.indices.subarray(0, baked.triangles * 3),
      materialIds: baked.materialIds.subarray(0, baked.triangles),
      materials: table.materials,
      ...mapLighting(scene, problems),
    },
    degenerate: triangles - baked.triangles,
    problems,
  }
}

/** Filled from the front: `vertices` and `triangles` are the fill levels. */
interface Baked {
  readonly positions: Float32Array
  readonly normals: Float32Array
  readonly indices: Uint32Array
  readonly materialIds: Uint16Array
  vertices: number
  triangles: number
}

function bakePositions({ geometry, matrix, name }: Part, { positions, vertices }: Baked): void {
  const source = geometry.getAttribute('position')
  const [m0, m1, m2, , m4, m5, m6, , m8, m9, m10, , m12, m13, m14] = matrix.elements
  for (let vertex = 0; vertex < source.count; vertex++) {
    const x = source.getX(vertex)
    const y = source.getY(vertex)
    const z = source.getZ(vertex)
    const at = (vertices + vertex) * 3
    positions[at] = m0 * x + m4 * y + m8 * z + m12
    positions[at + 1] = m1 * x + m5 * y + m9 * z + m13
    positions[at + 2] = m2 * x + m6 * y + m10 * z + m14
    // Tested after rounding: overflow in single precision is infinite. ∞ − ∞ and NaN − NaN are not 0.
    const sum = Math.abs(positions[at]!) + Math.abs(positions[at + 1]!) + Math.abs(positions[at + 2]!)
    if (sum - sum !== 0)
      throw new SceneMeshError(name, `vertex ${vertex}: expected a finite position, got ${x} ${y} ${z}`)
  }
}

/** Writes unit normals, or zeros where there are none; returns whether all vertices got one. */
function bakeNormals({ geometry, matrix }: Part, { normals, vertices }: Baked): boolean {
  const count = geometry.getAttribute('position').count
  if (!geometry.hasAttribute('normal') || geometry.getAttribute('normal').count < count) return false
  const source = geometry.getAttribute('normal')
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = normalMatrix(matrix).elements
  let whole = true
  for (let vertex = 0; vertex < count; vertex++) {
    const nx = source.getX(vertex)
    const ny = source.getY(vertex)
    const nz = source.getZ(vertex)
    const x = m0 * nx + m3 * ny + m6 * nz
    const y = m1 * nx + m4 * ny + m7 * nz
    const z = m2 * nx + m5 * ny + m8 * nz
    const length = Math.sqrt(x * x + y * y + z * z)
    if (!(length > 0 && length < Number.POSITIVE_INFINITY)) {
      whole = false
      continue
    }
    const at = (vertices + vertex) * 3
    normals[at] = x / length
    normals[at + 1] = y / length
    normals[at + 2] = z / length
  }
  return whole
}

/** All zeros for a matrix that flattens space; the normals then come from the flat triangles. */
const normalMatrix = (matrix: Matrix4): Matrix3 => new Matrix3().getNormalMatrix(matrix)

function bakeTriangles({ geometry, ranges, flipped, name }: Part, firstVertex: number, baked: Baked): void {
  const { positions, indices, materialIds } = baked
  const index = geometry.index
  const count = geometry.getAttribute('position').count
  let triangle = baked.triangles
  for (const range of ranges)
    for (let corner = range.start; corner < range.start + range.count; corner += 3) {
      const a = index ? index.getX(corner) : corner
      const second = index ? index.getX(corner + 1) : corner + 1
      const third = index ? index.getX(corner + 2) : corner + 2
      if (!(a < count && second < count && third < count))
        throw new SceneMeshError(
          name,
          `triangle ${Math.floor(corner / 3)}: expected vertices below ${count}, got ${a} ${second} ${third}`,
        )
      const at = triangle * 3
      indices[at] = firstVertex + a
      indices[at + 1] = firstVertex + (flipped ? third : second)
      indices[at + 2] = firstVertex + (flipped ? second : third)
      if (!hasArea(positions, indices, at)) continue
      materialIds[triangle++] = range.material
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
