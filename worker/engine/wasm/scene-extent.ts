/** How large a scene is, for what has to be compared with that. A function of the scene alone, not of what is instanced. */
import type { Vec3 } from '../../../shared/frame/view.ts'
import { type SceneDescription, strideOf } from '../../../shared/scene/description.ts'
import { boxOf } from '../../../shared/scene/mesh-box.ts'

/** The box around the boxes of all instances: its middle, relative to the scene's centre, and its diagonal. */
export interface SceneExtent {
  readonly middle: Vec3
  readonly diagonal: number
}

/** The least reach, as a share of the diagonal: for cameras in the middle. */
const LEAST_REACH = 1 / 16

export function extentOf({ meshes, instances }: Pick<SceneDescription, 'meshes' | 'instances'>): SceneExtent {
  const boxes = meshes.map(({ vertices, attributes }) => boxOf(vertices, strideOf(attributes)))
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (const { mesh, transform } of instances) {
    const box = boxes[mesh]!
    if (box[0]! > box[3]!) continue
    for (let axis = 0; axis < 3; axis++) {
      let middle = transform[axis * 4 + 3]!
      let half = 0
      for (let k = 0; k < 3; k++) {
        const factor = transform[axis * 4 + k]!
        middle += (factor * (box[k]! + box[k + 3]!)) / 2
        half += (Math.abs(factor) * (box[k + 3]! - box[k]!)) / 2
      }
      low[axis] = Math.min(low[axis]!, middle - half)
      high[axis] = Math.max(high[axis]!, middle + half)
    }
  }
  const along = (axis: number) => (low[axis]! + high[axis]!) / 2
  const sides = [0, 1, 2].map(axis => high[axis]! - low[axis]!)
  return { middle: [along(0), along(1), along(2)], diagonal: lengthOf(sides) }
}

/** How far away things are that a camera is meant to show: in the middle of the scene, seen from outside. */
export const reachOf = ({ middle, diagonal }: SceneExtent, eye: Vec3): number =>
  Math.max(lengthOf(middle.map((m, axis) => m - eye[axis]!)), diagonal * LEAST_REACH)

/** `Math.hypot` need not be the same everywhere. */
const lengthOf = (v: readonly number[]): number => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))
