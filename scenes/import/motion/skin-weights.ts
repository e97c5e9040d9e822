/** Which joints move the vertices of a mesh, and how much: four of each vertex as in three.js, or several sets of four as in glTF. */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three'
import { SceneMeshError } from '../../errors.ts'

type Attribute = BufferAttribute | InterleavedBufferAttribute

/** Attributes of a geometry with the joints and weights of a set; the first is three's own. */
const setNames = (set: number): readonly [string, string] =>
  set === 0 ? ['skinIndex', 'skinWeight'] : [`joints_${set}`, `weights_${set}`]
/** Weights of the first set as they are in the file: three's loader makes their sum 1, as if there were no others. */
export const PLAIN_WEIGHTS = '_weights_0'
const MOST_SETS = 4

/** Names of all attributes of which these weights are made. */
export const SKIN_ATTRIBUTES: readonly string[] = [
  ...Array.from({ length: MOST_SETS }, (_, set) => setNames(set)).flat(),
  PLAIN_WEIGHTS,
]

export interface SkinWeights {
  /** Joints of a vertex. */
  readonly width: number
  /** `width` for each vertex of the mesh; weight 0 for those that are not used. */
  readonly joints: Uint32Array
  readonly weights: Float32Array
  /** The highest joint with a weight, -1 for none. */
  readonly mostJoint: number
}

/**
 * @param sources the geometry's vertex for each of the mesh. @default the same
 * @param vertices number of the mesh's vertices
 * @param name for messages
 * @returns undefined for a geometry without
 * @throws SceneMeshError for attributes with too few elements
 */
export function skinWeightsOf(
  geometry: BufferGeometry,
  sources: Uint32Array | undefined,
  vertices: number,
  name: string,
): SkinWeights | undefined {
  const sets = setsOf(geometry)
  if (sets.length === 0) return undefined
  const { count } = geometry.getAttribute('position')
  if (sets.flat().some(attribute => attribute.count < count))
    throw new SceneMeshError(name, `expected joints and weights of ${count} vertices, got fewer`)
  const width = sets.length * 4
  const joints = new Uint32Array(vertices * width)
  const weights = new Float32Array(vertices * width)
  let mostJoint = -1
  for (let vertex = 0; vertex < vertices; vertex++) {
    const from = sources ? sources[vertex]! : vertex
    sets.forEach(([index, weight], set) => {
      for (let i = 0, to = vertex * width + set * 4; i < 4; i++, to++) {
        const weighs = i < weight.itemSize ? weight.getComponent(from, i) : 0
        if (weighs === 0) continue
        joints[to] = i < index.itemSize ? index.getComponent(from, i) : 0
        weights[to] = weighs
        if (joints[to]! > mostJoint) mostJoint = joints[to]!
      }
    })
  }
  const skin = { width, joints, weights, mostJoint }
  return sets.length === 1 ? skin : normalised(skin)
}

function setsOf(geometry: BufferGeometry): (readonly [Attribute, Attribute])[] {
  const sets: (readonly [Attribute, Attribute])[] = []
  for (let set = 0; set < MOST_SETS; set++) {
    const [joints, weights] = setNames(set)
    if (!geometry.hasAttribute(joints) || !geometry.hasAttribute(weights)) break
    sets.push([geometry.getAttribute(joints), geometry.getAttribute(weights)])
  }
  if (sets.length > 1 && geometry.hasAttribute(PLAIN_WEIGHTS))
    sets[0] = [sets[0]![0], geometry.getAttribute(PLAIN_WEIGHTS)]
  return sets
}

/** As three does with four: their sum is 1, and a vertex without weights follows joint 0. */
function normalised({ width, joints, weights, mostJoint }: SkinWeights): SkinWeights {
  for (let at = 0; at < weights.length; at += width) {
    let sum = 0
    for (let i = at; i < at + width; i++) sum += Math.abs(weights[i]!)
    if (sum > 0) for (let i = at; i < at + width; i++) weights[i]! /= sum
    else {
      joints[at] = 0
      weights[at] = 1
    }
  }
  return { width, joints, weights, mostJoint: Math.max(mostJoint, 0) }
}
