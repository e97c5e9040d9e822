/** Morph targets of a geometry: what they add to the attributes of a mesh that was made of it, target by target. */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three'
import {
  offsetOf,
  type SceneMesh,
  strideOf,
  VERTEX_ATTRIBUTES,
  type VertexAttribute,
} from '../../../shared/scene/description.ts'
import { SceneMeshError } from '../../errors.ts'

/**
 * Names in `morphAttributes`. three.js knows positions, normals and colours; `files/gltf-morphs.ts` adds the others. Directions of
 * tangents move, their handedness does not.
 */
const NAMES = {
  position: 'position',
  normal: 'normal',
  tangent: 'tangent',
  uv: 'uv',
  uv2: 'uv1',
  color: 'color',
} as const
const numbersOf = (attribute: VertexAttribute): number => (attribute === 'tangent' ? 3 : VERTEX_ATTRIBUTES[attribute])

type Attribute = BufferAttribute | InterleavedBufferAttribute

const targetsOf = ({ morphAttributes }: BufferGeometry, attribute: VertexAttribute): readonly Attribute[] =>
  (morphAttributes as Partial<Record<string, Attribute[]>>)[NAMES[attribute]] ?? []

const ATTRIBUTES = Object.keys(NAMES) as VertexAttribute[]

export const isMorphed = (geometry: BufferGeometry): boolean =>
  ATTRIBUTES.some(attribute => targetsOf(geometry, attribute).length > 0)

export class MorphTargets {
  readonly #relative: boolean
  readonly #sources: Uint32Array | undefined
  /** Numbers for each vertex of the geometry, by target. */
  readonly #targets: ReadonlyMap<VertexAttribute, readonly Float32Array[]>

  /**
   * @param sources the geometry's vertex for each of the mesh. @default the same
   * @param name for messages
   * @throws SceneMeshError for targets with too few elements
   */
  constructor(geometry: BufferGeometry, sources: Uint32Array | undefined, name: string) {
    const { count } = geometry.getAttribute('position')
    this.#relative = geometry.morphTargetsRelative
    this.#sources = sources
    this.#targets = new Map(
      ATTRIBUTES.map(attribute => [
        attribute,
        targetsOf(geometry, attribute).map(target => {
          if (target.count < count)
            throw new SceneMeshError(name, `expected morph targets of ${count} vertices, got ${target.count}`)
          // An opacity that is not said is whole, and one that is not moved stays.
          return floatsOf(target, numbersOf(attribute), geometry.morphTargetsRelative ? 0 : 1)
        }),
      ]),
    )
  }

  has(attribute: VertexAttribute): boolean {
    return this.#targets.get(attribute)!.length > 0
  }

  /** An attribute of a mesh at rest, with what active targets add to it; undefined if it lacks that. Three numbers of tangents. */
  morphed(rest: SceneMesh, attribute: VertexAttribute, influences: readonly number[]): Float64Array | undefined {
    const offset = offsetOf(rest, attribute)
    if (offset === undefined) return undefined
    const { vertices } = rest
    const stride = strideOf(rest.attributes)
    const size = numbersOf(attribute)
    const values = new Float64Array((vertices.length / stride) * size)
    for (let i = 0; i < size; i++)
      for (let from = offset + i, to = i; to < values.length; from += stride, to += size) values[to] = vertices[from]!
    const add = size === 3 ? addThree : addAny
    this.#targets.get(attribute)!.forEach((target, number) => {
      const share = influences[number] ?? 0
      if (share === 0) return
      add(values, share, target, this.#sources, size)
      if (this.#relative) return
      for (let from = offset, to = 0; to < values.length; from += stride, to += size)
        for (let i = 0; i < size; i++) values[to + i]! -= share * vertices[from + i]!
    })
    return values
  }
}

type Add = (
  values: Float64Array,
  share: number,
  target: Float32Array,
  sources: Uint32Array | undefined,
  size: number,
) => void

const addAny: Add = (values, share, target, sources, size) => {
  for (let vertex = 0, to = 0; to < values.length; vertex++, to += size) {
    const from = (sources ? sources[vertex]! : vertex) * size
    for (let i = 0; i < size; i++) values[to + i]! += share * target[from + i]!
  }
}

/** The same for positions and directions, of which there are the most: twice as fast without the inner loop. */
const addThree: Add = (values, share, target, sources) => {
  const end = values.length
  if (!sources) {
    for (let at = 0; at < end; at++) values[at]! += share * target[at]!
    return
  }
  for (let vertex = 0, to = 0; to < end; vertex++, to += 3) {
    const from = sources[vertex]! * 3
    values[to]! += share * target[from]!
    values[to + 1]! += share * target[from + 1]!
    values[to + 2]! += share * target[from + 2]!
  }
}

/** So many numbers of each element; its own array if that is just what is needed. @param missing in place of a fourth that it lacks */
export function floatsOf(attribute: Attribute, size: number, missing = 0): Float32Array {
  const { array, count, itemSize } = attribute
  if (!('data' in attribute) && array instanceof Float32Array && itemSize === size) return array
  const floats = new Float32Array(count * size)
  for (let i = 0, to = 0; i < count; i++, to += size)
    for (let part = 0; part < size; part++)
      floats[to + part] = part < itemSize ? attribute.getComponent(i, part) : missing
  return floats
}
