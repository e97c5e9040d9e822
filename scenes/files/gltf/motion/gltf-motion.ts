/**
 * Animations of a glTF file, applied to the objects that were made of it. Every time sets all that any time sets, so that nothing is
 * left of the time before.
 */
import { evenly } from '../../../cameras/first-sight.ts'
import type { GltfAccessors } from '../gltf-accessors.ts'
import type { GltfObjects } from '../gltf-objects.ts'
import { GltfPointers, type Moved, moveNode, weigh } from '../gltf-pointers.ts'
import type { Gltf } from '../gltf-schema.ts'
import { type Curve, GltfCurves } from './gltf-curves.ts'
import { pointerOf, type Target } from './gltf-targets.ts'

export interface GltfMotion {
  /** Length of the longest animation that plays, above 0. */
  readonly seconds: number
  /** Changes the objects to what they are at a time, s, which begins again after the length. World matrices are not updated. */
  setTime(seconds: number): void
  /** At most so many times, s: of keys, and between them. */
  times(most: number): readonly number[]
}

interface Channel {
  readonly curve: Curve
  readonly moved: Moved
}

/**
 * Puts the objects in the pose of time 0.
 * @param playing numbers of the animations; of two that move the same, the later one does
 * @returns no motion for what has no length, and pointers to what cannot be moved
 * @throws BadMeshError, TruncatedMeshError
 */
export async function motionOf(
  document: Gltf,
  playing: readonly number[],
  objects: GltfObjects,
  accessors: GltfAccessors,
  path: string,
): Promise<{ readonly motion: GltfMotion | undefined; readonly unknown: readonly string[] }> {
  const pointers = new GltfPointers(document, objects)
  const unknown = new Set<string>()
  const curves = new GltfCurves(document, accessors, path)
  const channels: Channel[] = []
  for (const { number, i } of lastOfEach(document, playing)) {
    const animation = document.animations[number]!
    const { sampler, target } = animation.channels[i]!
    const moved = movedBy(target, document, objects, pointers)
    if (moved === 'unknown') unknown.add(pointerOf(target)!)
    if (moved === undefined || moved === 'unknown') continue
    const curve = await curves.read(animation, sampler, moved, `animation ${number}, channel ${i}`)
    channels.push({ curve, moved })
  }
  const seconds = channels.reduce((latest, { curve: { keys } }) => Math.max(latest, keys[keys.length - 1]!), 0)
  const scratch = new Float64Array(channels.reduce((most, { curve }) => Math.max(most, curve.size), 0))
  const setTime = (time: number) => {
    const within = seconds > 0 ? ((time % seconds) + seconds) % seconds : 0
    for (const { curve, moved } of channels) {
      curve.valueAt(within, scratch)
      moved.set(scratch)
    }
  }
  setTime(0)
  const times = (most: number) => evenly(keysAndBetween(channels.map(({ curve }) => curve.keys)), most)
  return { motion: seconds > 0 ? { seconds, setTime, times } : undefined, unknown: [...unknown] }
}

/** Times of all keys, and those in the middle between two: what a curve is scaled to at its keys may be nothing but there. */
function keysAndBetween(curves: readonly Float32Array[]): Float64Array {
  const keys = new Set([0])
  for (const times of new Set(curves)) for (const time of times) keys.add(time)
  const sorted = Float64Array.from(keys).sort()
  return Float64Array.from({ length: sorted.length * 2 - 1 }, (_, i) => (sorted[i >> 1]! + sorted[(i + 1) >> 1]!) / 2)
}

/** Channels by animation and number, in their order: of those that move the same, the last. */
function lastOfEach({ animations }: Gltf, playing: readonly number[]) {
  const last = new Map<string, { readonly number: number; readonly i: number }>()
  for (const number of playing)
    animations[number]!.channels.forEach(({ target }, i) => {
      const key = pointerOf(target) ?? `${target.node} ${target.path}`
      last.delete(key)
      last.set(key, { number, i })
    })
  return last.values()
}

/** Undefined for what is not in the scene. */
function movedBy(
  target: Target,
  document: Gltf,
  objects: GltfObjects,
  pointers: GltfPointers,
): Moved | 'unknown' | undefined {
  const pointer = pointerOf(target)
  if (pointer !== undefined) return pointers.resolve(pointer)
  const { node, path } = target
  if (node === undefined || !objects.node(node)) return undefined
  const { mesh } = document.nodes[node]!
  if (path === 'weights') return mesh === undefined ? undefined : weigh(document, objects, mesh, [node])
  return path === 'translation' || path === 'rotation' || path === 'scale' ? moveNode(objects, node, path) : undefined
}
