/**
 * Moves the vertices of a mesh as its morph targets and joints say, as three.js shows it: target by target, then by the mean of its
 * joints' matrices (linear blend skinning). Normals follow the cofactors of that matrix, so that joints may have any scale.
 */
import { type BufferGeometry, Mesh, type SkinnedMesh } from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { centreOf } from '../../../shared/scene/centre.ts'
import {
  offsetOf,
  type SceneMesh,
  strideOf,
  type VertexAttribute,
  vertexCount,
} from '../../../shared/scene/description.ts'
import { isUnit } from '../../../shared/scene/look-schema.ts'
import { floatsOf, isMorphed, MorphTargets } from './morph-targets.ts'
import { type SkinWeights, skinWeightsOf } from './skin-weights.ts'

/** Floats of a joint's matrix: three rows of four. */
export const JOINT_FLOATS = 12

export interface Posed {
  /** As those of the mesh at rest, in single precision and therefore relative to `offset`. */
  readonly vertices: Float32Array
  /** What was subtracted from the positions; zeros unless joints are far away. */
  readonly offset: Vec3
}

/** Whether joints place it. Instances may be skinned, too (`files/gltf-objects.ts`), of which three.js has no class. */
export const isSkinned = (object: unknown): object is SkinnedMesh =>
  object instanceof Mesh &&
  'skeleton' in object &&
  Boolean(object.skeleton) &&
  object.geometry.hasAttribute('skinIndex') &&
  object.geometry.hasAttribute('skinWeight')

/** Whether anything may move its vertices. */
export const isPosable = (object: unknown): object is Mesh =>
  object instanceof Mesh && (isSkinned(object) || (isMorphed(object.geometry) && Boolean(object.morphTargetInfluences)))

/** What moves the vertices of a mesh that was made of a geometry. */
export class Rig {
  readonly #targets: MorphTargets
  readonly #skin: SkinWeights | undefined

  /**
   * @param sources the geometry's vertex for each of the mesh. @default the same
   * @param vertices number of the mesh's vertices
   * @param name for messages
   * @throws SceneMeshError for attributes with too few elements
   */
  constructor(geometry: BufferGeometry, sources: Uint32Array | undefined, vertices: number, name: string) {
    this.#targets = new MorphTargets(geometry, sources, name)
    this.#skin = skinWeightsOf(geometry, sources, vertices, name)
  }

  /** A vertex that is moved by a joint that is not there, if there is one. */
  strayJoint(joints: number): { readonly vertex: number; readonly joint: number } | undefined {
    if (!this.#skin || this.#skin.mostJoint < joints) return undefined
    const at = this.#skin.joints.findIndex(joint => joint >= joints)
    return { vertex: Math.floor(at / this.#skin.width), joint: this.#skin.joints[at]! }
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
    this.#morphOthers(rest, influences, vertices)
    const positions = this.#targets.morphed(rest, 'position', influences)!
    const normalAt = offsetOf(rest, 'normal')
    const normals = this.#targets.morphed(rest, 'normal', influences)
    let offset: Vec3 = [0, 0, 0]
    if (joints) {
      this.#moveByJoints(positions, normals, vertices, offsetOf(rest, 'tangent'), stride, joints)
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

  /** Writes what targets make of tangents, texture coordinates and colours to `vertices`, a copy of those at rest. */
  #morphOthers(rest: SceneMesh, influences: readonly number[], vertices: Float32Array): void {
    const stride = strideOf(rest.attributes)
    for (const [attribute, write] of OTHERS) {
      if (!this.#targets.has(attribute)) continue
      const values = this.#targets.morphed(rest, attribute, influences)
      if (!values) continue
      const size = (values.length * stride) / vertices.length
      for (let from = 0, to = offsetOf(rest, attribute)!; from < values.length; from += size, to += stride)
        write(values, from, vertices, to)
    }
  }

  /** Replaces positions and normals, and the tangents in `vertices`. */
  #moveByJoints(
    positions: Float64Array,
    normals: Float64Array | undefined,
    vertices: Float32Array,
    tangentAt: number | undefined,
    stride: number,
    m: Float64Array,
  ): void {
    const { width, joints, weights } = this.#skin!
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
      for (let i = vertex * width; i < vertex * width + width; i++) {
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

type Write = (from: Float64Array, at: number, to: Float32Array, into: number) => void

const coordinates: Write = (from, at, to, into) => {
  for (let i = 0; i < 2; i++) to[into + i] = Number.isFinite(Math.fround(from[at + i]!)) ? from[at + i]! : 0
}

/** What targets may move besides positions and normals, which joints move, too. */
const OTHERS: readonly (readonly [VertexAttribute, Write])[] = [
  ['tangent', (from, at, to, into) => putUnit(from[at]!, from[at + 1]!, from[at + 2]!, to, into)],
  ['uv', coordinates],
  ['uv2', coordinates],
  [
    'color',
    (from, at, to, into) => {
      // glTF 2.0, 3.7.2.2: clamped after all targets are added up. Written so that NaN becomes 0.
      for (let i = 0; i < 4; i++) to[into + i] = from[at + i]! > 0 ? Math.min(from[at + i]!, 1) : 0
    },
  ],
]

/** The mesh at rest with the positions of a geometry alone, for its box. */
export function bareMesh(geometry: BufferGeometry): SceneMesh {
  const vertices = floatsOf(geometry.getAttribute('position'), 3)
  return { attributes: ['position'], vertices, indices: new Uint32Array(), slots: new Uint16Array(), slotCount: 1 }
}

export const rigOf = (geometry: BufferGeometry, mesh: SceneMesh, sources: Uint32Array | undefined, name: string): Rig =>
  new Rig(geometry, sources, vertexCount(mesh), name)

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
  // As it will be stored: rounding may take a vector across the tolerance.
  const isNearly = isUnit(Math.fround(x), Math.fround(y), Math.fround(z))
  const length = isNearly ? 1 : Math.sqrt(x * x + y * y + z * z)
  const has = length > 0 && length < Number.POSITIVE_INFINITY
  to[at] = has ? x / length : 0
  to[at + 1] = has ? y / length : 0
  to[at + 2] = has ? z / length : 0
}
