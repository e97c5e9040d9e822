/**
 * Moves the vertices of a mesh as its morph targets and joints say, as three.js shows it: target by target, then by the mean of its
 * joints' matrices (linear blend skinning). Normals follow the cofactors of that matrix, so that joints may have any scale.
 */
import { type BufferAttribute, type BufferGeometry, type InterleavedBufferAttribute, Mesh, SkinnedMesh } from 'three'
import { centreOf } from '../shared/scene/centre.ts'
import { offsetOf, type SceneMesh, strideOf, vertexCount } from '../shared/scene/description.ts'
import { isUnit } from '../shared/scene/look-schema.ts'
import type { Vec3 } from '../shared/view.ts'
import { SceneMeshError } from './errors.ts'

/** Floats of a joint's matrix: three rows of four. */
export const JOINT_FLOATS = 12

export interface Posed {
  /** As those of the mesh at rest, in single precision and therefore relative to `offset`. */
  readonly vertices: Float32Array
  /** What was subtracted from the positions; zeros unless joints are far away. */
  readonly offset: Vec3
}

/** Whether joints place it. */
export const isSkinned = (object: unknown): object is SkinnedMesh =>
  object instanceof SkinnedMesh &&
  Boolean(object.skeleton) &&
  object.geometry.hasAttribute('skinIndex') &&
  object.geometry.hasAttribute('skinWeight')

/** Whether anything may move its vertices. */
export const isPosable = (object: unknown): object is Mesh =>
  object instanceof Mesh && (isSkinned(object) || (isMorphed(object.geometry) && Boolean(object.morphTargetInfluences)))

const isMorphed = ({ morphAttributes: { position = [], normal = [] } }: BufferGeometry): boolean =>
  position.length + normal.length > 0

type Attribute = BufferAttribute | InterleavedBufferAttribute

/** What moves the vertices of a mesh that was made of a geometry. */
export class Rig {
  readonly #sources: Uint32Array | undefined
  readonly #relative: boolean
  /** xyz for each vertex of the geometry, by target. */
  readonly #positions: readonly Float32Array[]
  readonly #normals: readonly Float32Array[]
  /** Four for each vertex of the mesh. */
  readonly #joints: Uint32Array | undefined
  readonly #weights: Float32Array | undefined
  readonly #mostJoint: number

  /**
   * @param sources the geometry's vertex for each of the mesh. @default the same
   * @param vertices number of the mesh's vertices
   * @param name for messages
   * @throws SceneMeshError for attributes with too few elements
   */
  constructor(geometry: BufferGeometry, sources: Uint32Array | undefined, vertices: number, name: string) {
    const { morphAttributes, morphTargetsRelative } = geometry
    const { count } = geometry.getAttribute('position')
    const floats = (attribute: Attribute) => {
      if (attribute.count < count)
        throw new SceneMeshError(name, `expected morph targets of ${count} vertices, got ${attribute.count}`)
      return floatsOf(attribute)
    }
    this.#sources = sources
    this.#relative = morphTargetsRelative
    this.#positions = (morphAttributes.position ?? []).map(floats)
    this.#normals = (morphAttributes.normal ?? []).map(floats)
    if (!geometry.hasAttribute('skinIndex') || !geometry.hasAttribute('skinWeight')) {
      this.#mostJoint = -1
      return
    }
    const [index, weight] = [geometry.getAttribute('skinIndex'), geometry.getAttribute('skinWeight')]
    if (index.count < count || weight.count < count)
      throw new SceneMeshError(name, `expected joints and weights of ${count} vertices, got fewer`)
    this.#joints = new Uint32Array(vertices * 4)
    this.#weights = new Float32Array(vertices * 4)
    let most = -1
    for (let vertex = 0; vertex < vertices; vertex++)
      for (let i = 0; i < 4; i++) {
        const from = sources ? sources[vertex]! : vertex
        const weighs = i < weight.itemSize ? weight.getComponent(from, i) : 0
        if (weighs === 0) continue
        const joint = i < index.itemSize ? index.getComponent(from, i) : 0
        this.#joints[vertex * 4 + i] = joint
        this.#weights[vertex * 4 + i] = weighs
        most = Math.max(most, this.#joints[vertex * 4 + i]!)
      }
    this.#mostJoint = most
  }

  /** A vertex that is moved by a joint that is not there, if there is one. */
  strayJoint(joints: number): { readonly vertex: number; readonly joint: number } | undefined {
    if (this.#mostJoint < joints) return undefined
    const at = this.#joints!.findIndex(joint => joint >= joints)
    return { vertex: Math.floor(at / 4), joint: this.#joints![at]! }
  }

  /**
   * A mesh in a pose: its vertices at the places where they are shown.
   * @param rest the mesh that this was made for
   * @param influences of the morph targets
   * @param joints matrices of its joints, JOINT_FLOATS each. @default it has no skin
   */
  pose(rest: SceneMesh, influences: readonly number[], joints?: Float64Array): Posed {
    const stride = strideOf(rest.attributes)
    const vertices = rest.vertices.slice()
    const positions = this.#morphed(vertices, 0, stride, this.#positions, influences)
    const normalAt = offsetOf(rest, 'normal')
    const normals =
      normalAt === undefined ? undefined : this.#morphed(vertices, normalAt, stride, this.#normals, influences)
    let offset: Vec3 = [0, 0, 0]
    if (joints) {
      this.#skin(positions, normals, vertices, offsetOf(rest, 'tangent'), stride, joints)
      offset = boxCentre(positions)
    }
    const [x, y, z] = offset
    for (let from = 0, to = 0; to < vertices.length; from += 3, to += stride) {
      vertices[to] = positions[from]! - x
      vertices[to + 1] = positions[from + 1]! - y
      vertices[to + 2] = positions[from + 2]! - z
    }
    if (normals)
      for (let from = 0, to = normalAt!; to < vertices.length; from += 3, to += stride)
        putUnit(normals[from]!, normals[from + 1]!, normals[from + 2]!, vertices, to)
    return { vertices, offset }
  }

  /** Vectors of the mesh, xyz each, with what active targets add to them. */
  #morphed(
    vertices: Float32Array,
    offset: number,
    stride: number,
    targets: readonly Float32Array[],
    influences: readonly number[],
  ): Float64Array {
    const values = new Float64Array((vertices.length / stride) * 3)
    for (let from = offset, to = 0; to < values.length; from += stride, to += 3) {
      values[to] = vertices[from]!
      values[to + 1] = vertices[from + 1]!
      values[to + 2] = vertices[from + 2]!
    }
    const sources = this.#sources
    targets.forEach((target, i) => {
      const share = influences[i] ?? 0
      if (share === 0) return
      for (let vertex = 0, to = 0; to < values.length; vertex++, to += 3) {
        const from = (sources ? sources[vertex]! : vertex) * 3
        values[to]! += share * target[from]!
        values[to + 1]! += share * target[from + 1]!
        values[to + 2]! += share * target[from + 2]!
      }
      if (this.#relative) return
      for (let from = offset, to = 0; to < values.length; from += stride, to += 3) {
        values[to]! -= share * vertices[from]!
        values[to + 1]! -= share * vertices[from + 1]!
        values[to + 2]! -= share * vertices[from + 2]!
      }
    })
    return values
  }

  /** Replaces positions and normals, and the tangents in `vertices`. */
  #skin(
    positions: Float64Array,
    normals: Float64Array | undefined,
    vertices: Float32Array,
    tangentAt: number | undefined,
    stride: number,
    m: Float64Array,
  ): void {
    const joints = this.#joints!
    const weights = this.#weights!
    for (let vertex = 0, at = 0; at < positions.length; vertex++, at += 3) {
      let xx = 0
      let xy = 0
      let xz = 0
      let xt = 0
      let yx = 0
      let yy = 0
      let yz = 0
      let yt = 0
      let zx = 0
      let zy = 0
      let zz = 0
      let zt = 0
      for (let i = vertex * 4; i < vertex * 4 + 4; i++) {
        const weight = weights[i]!
        if (weight === 0) continue
        const j = joints[i]! * JOINT_FLOATS
        xx += weight * m[j]!
        xy += weight * m[j + 1]!
        xz += weight * m[j + 2]!
        xt += weight * m[j + 3]!
        yx += weight * m[j + 4]!
        yy += weight * m[j + 5]!
        yz += weight * m[j + 6]!
        yt += weight * m[j + 7]!
        zx += weight * m[j + 8]!
        zy += weight * m[j + 9]!
        zz += weight * m[j + 10]!
        zt += weight * m[j + 11]!
      }
      const x = positions[at]!
      const y = positions[at + 1]!
      const z = positions[at + 2]!
      positions[at] = xx * x + xy * y + xz * z + xt
      positions[at + 1] = yx * x + yy * y + yz * z + yt
      positions[at + 2] = zx * x + zy * y + zz * z + zt
      const cx = yy * zz - yz * zy
      const cy = yz * zx - yx * zz
      const cz = yx * zy - yy * zx
      // A mirror does not turn surfaces inside out.
      const sign = xx * cx + xy * cy + xz * cz < 0 ? -1 : 1
      if (tangentAt !== undefined) {
        const to = vertex * stride + tangentAt
        const tx = vertices[to]!
        const ty = vertices[to + 1]!
        const tz = vertices[to + 2]!
        putUnit(xx * tx + xy * ty + xz * tz, yx * tx + yy * ty + yz * tz, zx * tx + zy * ty + zz * tz, vertices, to)
        // But the bitangent changes sides.
        vertices[to + 3]! *= sign
      }
      if (!normals) continue
      const nx = normals[at]! * sign
      const ny = normals[at + 1]! * sign
      const nz = normals[at + 2]! * sign
      normals[at] = cx * nx + cy * ny + cz * nz
      normals[at + 1] = (zy * xz - zz * xy) * nx + (zz * xx - zx * xz) * ny + (zx * xy - zy * xx) * nz
      normals[at + 2] = (xy * yz - xz * yy) * nx + (xz * yx - xx * yz) * ny + (xx * yy - xy * yx) * nz
    }
  }
}

/** The mesh at rest with the positions of a geometry alone, for its box. */
export function bareMesh(geometry: BufferGeometry): SceneMesh {
  const vertices = floatsOf(geometry.getAttribute('position'))
  return { attributes: ['position'], vertices, indices: new Uint32Array(), slots: new Uint16Array(), slotCount: 1 }
}

export const rigOf = (geometry: BufferGeometry, mesh: SceneMesh, sources: Uint32Array | undefined, name: string): Rig =>
  new Rig(geometry, sources, vertexCount(mesh), name)

/** xyz of each element; its own array if that is just what is needed. */
function floatsOf(attribute: Attribute): Float32Array {
  const { array, count, itemSize } = attribute
  if (!('data' in attribute) && array instanceof Float32Array && itemSize === 3) return array
  const floats = new Float32Array(count * 3)
  for (let i = 0, to = 0; i < count; i++, to += 3) {
    floats[to] = attribute.getX(i)
    floats[to + 1] = attribute.getY(i)
    floats[to + 2] = attribute.getZ(i)
  }
  return floats
}

/** The origin for these positions: zero unless they are far away. */
function boxCentre(positions: Float64Array): Vec3 {
  let ax = Infinity
  let ay = Infinity
  let az = Infinity
  let bx = -Infinity
  let by = -Infinity
  let bz = -Infinity
  for (let at = 0; at < positions.length; at += 3) {
    const x = positions[at]!
    const y = positions[at + 1]!
    const z = positions[at + 2]!
    if (x < ax) ax = x
    if (x > bx) bx = x
    if (y < ay) ay = y
    if (y > by) by = y
    if (z < az) az = z
    if (z > bz) bz = z
  }
  return centreOf([ax, ay, az], [bx, by, bz])
}

/** Zeros for a vector without a direction. One that is nearly of unit length is left as it is. */
function putUnit(x: number, y: number, z: number, to: Float32Array, at: number): void {
  const length = isUnit(x, y, z) ? 1 : Math.sqrt(x * x + y * y + z * z)
  const has = length > 0 && length < Number.POSITIVE_INFINITY
  to[at] = has ? x / length : 0
  to[at + 1] = has ? y / length : 0
  to[at + 2] = has ? z / length : 0
}
