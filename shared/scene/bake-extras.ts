/** What only some scenes need of each vertex, baked to arrays that all meshes share: colours, tangents, texture coordinates. */
import {
  elementsOf,
  offsetOf,
  type SceneDescription,
  type SceneMesh,
  strideOf,
  type Transform,
  vertexCount,
} from './description.ts'

export interface VertexExtras {
  /** COLOR_NUMBERS per vertex: linear red, green, blue and opacity as fractions of COLOR_UNIT; white where a mesh has none. */
  readonly color?: Uint16Array
  /** TANGENT_NUMBERS per vertex: a unit vector and the side of its bitangent as fractions of TANGENT_UNIT; zeros where a mesh has none. */
  readonly tangent?: Int16Array
  /** The first set of coordinates, UV_NUMBERS per vertex; zeros where a mesh has none. */
  readonly uv?: Float32Array
  /** The second set. */
  readonly uv2?: Float32Array
}
export type ExtraName = keyof VertexExtras

export const COLOR_NUMBERS = 4
export const COLOR_UNIT = 65535
export const TANGENT_NUMBERS = 4
export const TANGENT_UNIT = 32767
export const UV_NUMBERS = 2

/** Those that any mesh that is seen has, and the first set of coordinates where there are textures. */
export function extrasOf({ meshes, instances, textures = [] }: Geometry): readonly ExtraName[] {
  const seen = new Set(instances.flatMap(({ mesh }) => meshes[mesh]!.attributes))
  return (['color', 'tangent', 'uv', 'uv2'] as const).filter(name =>
    name === 'uv' ? textures.length > 0 : seen.has(name),
  )
}

/** Arrays for some extras of a number of vertices. */
export const extrasFor = (names: readonly ExtraName[], vertices: number): VertexExtras => ({
  ...(names.includes('color') && { color: new Uint16Array(vertices * COLOR_NUMBERS) }),
  ...(names.includes('tangent') && { tangent: new Int16Array(vertices * TANGENT_NUMBERS) }),
  ...(names.includes('uv') && { uv: new Float32Array(vertices * UV_NUMBERS) }),
  ...(names.includes('uv2') && { uv2: new Float32Array(vertices * UV_NUMBERS) }),
})

/** What is baked of a scene. Coordinates are needed only where there are textures. */
export type Geometry = Pick<SceneDescription, 'meshes' | 'instances'> & Partial<Pick<SceneDescription, 'textures'>>

interface Place {
  readonly transform: Transform
  readonly mirrored: boolean
}

/** Bakes an instance's vertices, of which the first has the number `first`, into zeroed arrays. */
export function bakeExtras(
  mesh: SceneMesh,
  place: Place,
  { color, tangent, uv, uv2 }: VertexExtras,
  first: number,
): void {
  if (color) bakeColors(mesh, color, first)
  if (tangent) bakeTangents(mesh, place, tangent, first)
  if (uv) bakeCoordinates(mesh, 'uv', uv, first)
  if (uv2) bakeCoordinates(mesh, 'uv2', uv2, first)
}

export function bakeColors(mesh: SceneMesh, colors: Uint16Array, first: number): void {
  const { vertices, attributes } = mesh
  const offset = offsetOf(mesh, 'color')
  const step = strideOf(attributes)
  const [start, end] = [first * COLOR_NUMBERS, (first + vertexCount(mesh)) * COLOR_NUMBERS]
  if (offset === undefined) {
    colors.fill(COLOR_UNIT, start, end)
    return
  }
  for (let from = offset, to = start; to < end; from += step, to += COLOR_NUMBERS)
    for (let channel = 0; channel < COLOR_NUMBERS; channel++)
      colors[to + channel] = Math.floor(vertices[from + channel]! * COLOR_UNIT + 0.5)
}

/** A tangent lies in the surface, and goes with it; where it is mirrored, the bitangent changes sides. */
function bakeTangents(mesh: SceneMesh, { transform, mirrored }: Place, tangents: Int16Array, first: number): void {
  const offset = offsetOf(mesh, 'tangent')
  if (offset === undefined) return
  const { vertices, attributes } = mesh
  const step = strideOf(attributes)
  const [xx, xy, xz, , yx, yy, yz, , zx, zy, zz] = elementsOf(transform)
  let to = first * TANGENT_NUMBERS
  for (let from = offset; from < vertices.length; from += step, to += TANGENT_NUMBERS) {
    const [tx, ty, tz] = [vertices[from]!, vertices[from + 1]!, vertices[from + 2]!]
    const x = xx * tx + xy * ty + xz * tz
    const y = yx * tx + yy * ty + yz * tz
    const z = zx * tx + zy * ty + zz * tz
    const length = Math.sqrt(x * x + y * y + z * z)
    if (!(length > 0 && length < Number.POSITIVE_INFINITY)) continue
    const scale = TANGENT_UNIT / length
    tangents[to] = Math.floor(x * scale + 0.5)
    tangents[to + 1] = Math.floor(y * scale + 0.5)
    tangents[to + 2] = Math.floor(z * scale + 0.5)
    tangents[to + 3] = vertices[from + 3]! < 0 === mirrored ? TANGENT_UNIT : -TANGENT_UNIT
  }
}

export function bakeCoordinates(mesh: SceneMesh, set: 'uv' | 'uv2', into: Float32Array, first: number): void {
  const offset = offsetOf(mesh, set)
  if (offset === undefined) return
  const { vertices, attributes } = mesh
  const step = strideOf(attributes)
  let to = first * UV_NUMBERS
  for (let from = offset; from < vertices.length; from += step, to += UV_NUMBERS) {
    into[to] = vertices[from]!
    into[to + 1] = vertices[from + 1]!
  }
}
