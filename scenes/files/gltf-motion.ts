/**
 * Animations of a glTF file, applied to the objects that were made of it. Every time sets all that any time sets, so that nothing is
 * left of the time before.
 */
import type { GltfAccessors } from './gltf-accessors.ts'
import { type Curve, type CurveUse, GltfCurves } from './gltf-curves.ts'
import type { GltfObjects } from './gltf-objects.ts'
import type { Gltf } from './gltf-schema.ts'

export interface GltfMotion {
  /** Length of the longest animation that plays, above 0. */
  readonly seconds: number
  /** Changes the objects to what they are at a time, s, which begins again after the length. World matrices are not updated. */
  setTime(seconds: number): void
}

/** Something that an animation moves. */
interface Moved extends CurveUse {
  set(value: Float64Array): void
}

interface Channel {
  readonly curve: Curve
  readonly moved: Moved
}

/**
 * Puts the objects in the pose of time 0.
 * @param playing numbers of the animations; of two that move the same, the later one does
 * @returns undefined for what has no length
 * @throws BadMeshError, TruncatedMeshError
 */
export async function motionOf(
  document: Gltf,
  playing: readonly number[],
  objects: GltfObjects,
  accessors: GltfAccessors,
  path: string,
): Promise<GltfMotion | undefined> {
  const curves = new GltfCurves(document, accessors, path)
  const channels: Channel[] = []
  for (const number of playing) {
    const animation = document.animations[number]!
    for (const [i, { sampler, target }] of animation.channels.entries()) {
      const moved = movedBy(target, document, objects)
      if (!moved) continue
      const curve = await curves.read(animation, sampler, moved, `animation ${number}, channel ${i}`)
      channels.push({ curve, moved })
    }
  }
  const seconds = channels.reduce((latest, { curve }) => Math.max(latest, curve.end), 0)
  const scratch = new Float64Array(channels.reduce((most, { curve }) => Math.max(most, curve.size), 0))
  const setTime = (time: number) => {
    const within = seconds > 0 ? ((time % seconds) + seconds) % seconds : 0
    for (const { curve, moved } of channels) {
      curve.valueAt(within, scratch)
      moved.set(scratch)
    }
  }
  setTime(0)
  return seconds > 0 ? { seconds, setTime } : undefined
}

type Target = Gltf['animations'][number]['channels'][number]['target']

/** Undefined for what is not shown. */
function movedBy({ node: number, path }: Target, document: Gltf, objects: GltfObjects): Moved | undefined {
  const node = number === undefined ? undefined : objects.node(number)
  if (number === undefined || !node) return undefined
  switch (path) {
    case 'translation':
      return { ...vector(3), set: ([x, y, z]) => void node.position.set(x!, y!, z!) }
    case 'scale':
      return { ...vector(3), set: ([x, y, z]) => void node.scale.set(x!, y!, z!) }
    case 'rotation':
      return { ...vector(4), isRotation: true, set: ([x, y, z, w]) => void node.quaternion.set(x!, y!, z!, w!) }
    case 'weights':
      return weightsOf(number, document, objects)
    default:
      return undefined
  }
}

const vector = (size: 3 | 4): CurveUse => ({ size, type: `VEC${size}`, isRotation: false })

function weightsOf(node: number, { nodes, meshes }: Gltf, objects: GltfObjects): Moved | undefined {
  const { mesh } = nodes[node]!
  const size = mesh === undefined ? 0 : (meshes[mesh]!.primitives[0]!.targets?.length ?? 0)
  const moved = objects.morphedOf(node)
  if (size === 0 || moved.length === 0) return undefined
  const set = (weights: Float64Array) => {
    for (const { morphTargetInfluences } of moved)
      for (let i = 0; i < size; i++) morphTargetInfluences![i] = weights[i]!
  }
  return { size, type: 'SCALAR', isRotation: false, set }
}
