/** Turns a three geometry into a mesh: attributes of any layout and type become interleaved floats. */
import { BufferAttribute, BufferGeometry, type InterleavedBufferAttribute } from 'three'
import {
  type SceneMesh,
  strideOf,
  VERTEX_ATTRIBUTES,
  type VertexAttribute,
  vertexCount,
} from '../../../shared/scene/description.ts'
import { isUnit } from '../../../shared/scene/look-schema.ts'
import { SceneMeshError } from '../../errors.ts'
import { SKIN_ATTRIBUTES } from '../motion/skin-weights.ts'
import { creased } from './crease.ts'
import { withColors } from './vertex-colors.ts'

/** Corners of a geometry (of its index, if it has one) that share a material. */
export interface CornerRange {
  /** Any corner: groups need not start at a multiple of 3. */
  readonly start: number
  /** A multiple of 3. */
  readonly count: number
  readonly slot: number
}

/** What a mesh takes from its geometry. */
export interface Drawn {
  readonly ranges: readonly CornerRange[]
  readonly slotCount: number
  /** Whether each triangle gets vertices of its own and is flat. */
  readonly facetted: boolean
  /** Whether only back sides are shown: the winding order is reversed. */
  readonly reversed: boolean
  /** Whether its vertices have colours that are used. */
  readonly tinted: boolean
  /** Attributes besides positions, normals and colours, in the order of VERTEX_ATTRIBUTES; those that the geometry lacks are left out. */
  readonly wanted: readonly VertexAttribute[]
}

type Attribute = BufferAttribute | InterleavedBufferAttribute

/** Where the vertices of what is made of a geometry come from. */
const SOURCE = 'sortfirst_source'

/** The same geometry, whose vertices remember their numbers, without what would move them. */
export function numbered(geometry: BufferGeometry): BufferGeometry {
  const made = new BufferGeometry()
  for (const [name, attribute] of Object.entries(geometry.attributes))
    if (!SKIN_ATTRIBUTES.includes(name)) made.setAttribute(name, attribute)
  const numbers = Uint32Array.from({ length: geometry.getAttribute('position').count }, (_, vertex) => vertex)
  made.setAttribute(SOURCE, new BufferAttribute(numbers, 1))
  made.setIndex(geometry.index)
  made.groups.push(...geometry.groups)
  made.drawRange = geometry.drawRange
  return made
}

/**
 * Without normals, shared vertices are split at creases, unless they have other attributes than colours, too.
 *
 * @param name for messages
 * @returns also, of a `numbered` geometry whose vertices were split or put in another order, where they come from
 * @throws SceneMeshError
 */
export function meshOfGeometry(
  geometry: BufferGeometry,
  drawn: Drawn,
  name: string,
): { readonly mesh: SceneMesh; readonly sources: Uint32Array | undefined } {
  const { ranges, slotCount, facetted, reversed, tinted, wanted } = drawn
  const own = facetted ? withoutSharing(geometry) : geometry
  const position = own.getAttribute('position')
  const normal = facetted ? undefined : normalOf(own, position.count)
  const others = othersOf(own, wanted)
  const attributes: VertexAttribute[] = [
    'position',
    ...(normal ? ['normal' as const] : []),
    ...others.map(({ name }) => name),
  ]
  const stride = strideOf(attributes)
  const vertices = interleaved(position, normal, stride)
  let offset = normal ? 6 : 3
  for (const { name, from } of others) {
    put[name](from, vertices, offset, stride)
    offset += VERTEX_ATTRIBUTES[name]
  }
  for (let vertex = 0; vertex < position.count; vertex++) {
    const at = vertex * stride
    // Tested after rounding: overflow in single precision is infinite. ∞ − ∞ and NaN − NaN are not 0.
    const sum = Math.abs(vertices[at]!) + Math.abs(vertices[at + 1]!) + Math.abs(vertices[at + 2]!)
    if (sum - sum === 0) continue
    const got = `${position.getX(vertex)} ${position.getY(vertex)} ${position.getZ(vertex)}`
    throw new SceneMeshError(name, `vertex ${vertex}: expected a finite position, got ${got}`)
  }
  const { indices, slots } = trianglesOf(own, ranges, reversed, name)
  const split = attributes.length === 1 && own.index ? creased(vertices, indices) : undefined
  const mesh: SceneMesh = split
    ? { attributes: ['position', 'normal'], ...split, slots, slotCount }
    : { attributes, vertices, indices, slots, slotCount }
  return {
    mesh: tinted ? withColors(mesh, own.getAttribute('color'), indices) : mesh,
    sources: own.hasAttribute(SOURCE)
      ? sourcesOf(own.getAttribute(SOURCE), vertexCount(mesh), indices, split)
      : undefined,
  }
}

function sourcesOf(
  numbers: Attribute,
  vertices: number,
  corners: Uint32Array,
  split: { readonly indices: Uint32Array } | undefined,
): Uint32Array | undefined {
  const sources = new Uint32Array(vertices)
  if (split)
    split.indices.forEach((vertex, corner) => {
      sources[vertex] = numbers.getX(corners[corner]!)
    })
  else for (let vertex = 0; vertex < vertices; vertex++) sources[vertex] = numbers.getX(vertex)
  return sources.every((source, vertex) => source === vertex) ? undefined : sources
}

type Other = 'tangent' | 'uv' | 'uv2'

/** three's names. */
const NAMES = { tangent: 'tangent', uv: 'uv', uv2: 'uv1' } as const

function othersOf(geometry: BufferGeometry, wanted: readonly VertexAttribute[]): { name: Other; from: Attribute }[] {
  const { count } = geometry.getAttribute('position')
  return (['tangent', 'uv', 'uv2'] as const).flatMap(name => {
    if (!wanted.includes(name) || !geometry.hasAttribute(NAMES[name])) return []
    const from = geometry.getAttribute(NAMES[name])
    return from.count < count ? [] : [{ name, from }]
  })
}

type Put = (from: Attribute, to: Float32Array, offset: number, stride: number) => void

const finite = (value: number): number => (Number.isFinite(Math.fround(value)) ? value : 0)

const coordinates: Put = (from, to, offset, stride) => {
  for (let vertex = 0, at = offset; at < to.length; vertex++, at += stride) {
    to[at] = finite(from.getX(vertex))
    to[at + 1] = finite(from.getY(vertex))
  }
}

/** Writes every vertex's value into the interleaved floats. What is not finite becomes 0. */
const put: Readonly<Record<Other, Put>> = {
  uv: coordinates,
  uv2: coordinates,
  tangent: (from, to, offset, stride) => {
    for (let vertex = 0, at = offset; at < to.length; vertex++, at += stride) {
      putNormal(from, vertex, to, at)
      to[at + 3] = from.getW(vertex) < 0 ? -1 : 1
    }
  },
}

const withoutSharing = (geometry: BufferGeometry): BufferGeometry =>
  geometry.index ? geometry.toNonIndexed() : geometry

function normalOf(geometry: BufferGeometry, vertices: number): Attribute | undefined {
  if (!geometry.hasAttribute('normal')) return undefined
  const normal = geometry.getAttribute('normal')
  return normal.count < vertices ? undefined : normal
}

/** Positions and normals, with room for what else there is. */
function interleaved(position: Attribute, normal: Attribute | undefined, stride: number): Float32Array {
  const { count } = position
  const plain = stride === 3 ? plainFloats(position) : undefined
  if (plain) return plain
  const vertices = new Float32Array(count * stride)
  for (let vertex = 0, at = 0; vertex < count; vertex++, at += stride) {
    putXyz(position, vertex, vertices, at)
    if (normal) putNormal(normal, vertex, vertices, at + 3)
  }
  return vertices
}

/** An attribute's own array, if it is just what is needed. */
function plainFloats(attribute: Attribute): Float32Array | undefined {
  const { array, itemSize, count } = attribute
  const isPlain = !('data' in attribute) && itemSize === 3 && array instanceof Float32Array
  return isPlain && array.length === count * 3 ? array : undefined
}

function putXyz(from: Attribute, vertex: number, to: Float32Array, at: number): void {
  to[at] = from.getX(vertex)
  to[at + 1] = from.getY(vertex)
  to[at + 2] = from.getZ(vertex)
}

/** Zeros for a vector without a direction. One that is nearly of unit length is left as it is. */
function putNormal(from: Attribute, vertex: number, to: Float32Array, at: number): void {
  const x = from.getX(vertex)
  const y = from.getY(vertex)
  const z = from.getZ(vertex)
  // As it will be stored: rounding may take a vector across the tolerance.
  const isNearly = isUnit(Math.fround(x), Math.fround(y), Math.fround(z))
  const length = isNearly ? 1 : Math.sqrt(x * x + y * y + z * z)
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) return
  to[at] = x / length
  to[at + 1] = y / length
  to[at + 2] = z / length
}

function trianglesOf(
  geometry: BufferGeometry,
  ranges: readonly CornerRange[],
  reversed: boolean,
  name: string,
): { indices: Uint32Array; slots: Uint16Array } {
  const { index } = geometry
  const count = geometry.getAttribute('position').count
  const corners = ranges.reduce((sum, range) => sum + range.count, 0)
  const indices = new Uint32Array(corners)
  const slots = new Uint16Array(corners / 3)
  let at = 0
  for (const { start, count: corners, slot } of ranges)
    for (let corner = start; corner < start + corners; corner += 3) {
      const first = index ? index.getX(corner) : corner
      const second = index ? index.getX(corner + 1) : corner + 1
      const third = index ? index.getX(corner + 2) : corner + 2
      if (!(first < count && second < count && third < count))
        throw new SceneMeshError(
          name,
          `triangle ${Math.floor(corner / 3)}: expected vertices below ${count}, got ${first} ${second} ${third}`,
        )
      slots[at / 3] = slot
      indices[at] = first
      indices[at + 1] = reversed ? third : second
      indices[at + 2] = reversed ? second : third
      at += 3
    }
  return { indices, slots }
}
