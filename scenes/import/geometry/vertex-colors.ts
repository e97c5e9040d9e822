/** Colours of vertices on their way from a three geometry to a mesh, where they are linear RGB and opacity, 0 to 1. */
import type { BufferAttribute, InterleavedBufferAttribute, Material, Mesh } from 'three'
import { type SceneMesh, strideOf, vertexCount } from '../../../shared/scene/description.ts'

/**
 * Whether a mesh is coloured by its vertices, as in three: its geometry has colours and its materials ask for them. Colours
 * that only some materials ask for are not used, since a mesh has them for all.
 */
export function isTinted(
  { geometry }: Mesh,
  materials: readonly Material[],
  name: string,
  problems: string[],
): boolean {
  const askers = materials.filter(({ vertexColors }) => vertexColors).length
  if (askers === 0 || !geometry.hasAttribute('color')) return false
  const [colors, vertices] = [geometry.getAttribute('color').count, geometry.getAttribute('position').count]
  if (colors < vertices) problems.push(`${name}: vertex colours were ignored: ${colors} for ${vertices} vertices`)
  else if (askers < materials.length)
    problems.push(`${name}: vertex colours were ignored: only ${askers} of its ${materials.length} materials use them`)
  return colors >= vertices && askers === materials.length
}

/**
 * The mesh with colours. @param colors of a geometry's vertices, linear RGB and possibly opacity
 * @param corners the geometry's vertex for each corner of the mesh
 */
export function withColors(
  mesh: SceneMesh,
  colors: BufferAttribute | InterleavedBufferAttribute,
  corners: Uint32Array,
): SceneMesh {
  const before = strideOf(mesh.attributes)
  const stride = before + 4
  const count = vertexCount(mesh)
  const vertices = new Float32Array(count * stride)
  for (let vertex = 0, from = 0, to = 0; vertex < count; vertex++, to += stride)
    for (let i = 0; i < before; i++) vertices[to + i] = mesh.vertices[from++]!
  const hasOpacity = colors.itemSize === 4
  for (let corner = 0; corner < corners.length; corner++) {
    const from = corners[corner]!
    const to = mesh.indices[corner]! * stride + before
    vertices[to] = share(colors.getX(from))
    vertices[to + 1] = share(colors.getY(from))
    vertices[to + 2] = share(colors.getZ(from))
    vertices[to + 3] = hasOpacity ? share(colors.getW(from)) : 1
  }
  return { ...mesh, attributes: [...mesh.attributes, 'color'], vertices }
}

/** Written so that NaN becomes 0. */
const share = (value: number): number => (value > 0 ? Math.min(value, 1) : 0)
