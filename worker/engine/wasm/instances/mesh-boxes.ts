/**
 * Where a mesh's vertices are: boxes of those in each cell of a grid. Transformed, they enclose an instance more closely than the one
 * box of the whole mesh, and there are few of them however many vertices it has.
 */
import { type SceneMesh, strideOf } from '../../../../shared/scene/description.ts'
import { boxOf } from '../../../../shared/scene/mesh-box.ts'

/** Six numbers a box: centre x y z, and half its sides. */
export type MeshBoxes = Float64Array

const BOX_NUMBERS = 6

/** @param cells along every axis */
export function boxesOf(mesh: SceneMesh, cells: number): MeshBoxes {
  const { vertices } = mesh
  const step = strideOf(mesh.attributes)
  const bounds = boxOf(vertices, step)
  const count = cells ** 3
  const least = new Float64Array(count * 3).fill(Number.POSITIVE_INFINITY)
  const most = new Float64Array(count * 3).fill(Number.NEGATIVE_INFINITY)
  for (let at = 0; at < vertices.length; at += step) {
    let cell = 0
    for (let axis = 0; axis < 3; axis++) {
      const side = bounds[axis + 3]! - bounds[axis]!
      const along = side > 0 ? ((vertices[at + axis]! - bounds[axis]!) / side) * cells : 0
      cell = cell * cells + Math.min(cells - 1, Math.floor(along))
    }
    for (let axis = 0; axis < 3; axis++) {
      const value = vertices[at + axis]!
      if (value < least[cell * 3 + axis]!) least[cell * 3 + axis] = value
      if (value > most[cell * 3 + axis]!) most[cell * 3 + axis] = value
    }
  }
  return Float64Array.from(
    Array.from({ length: count }, (_, cell) => cell * 3)
      .filter(at => least[at]! <= most[at]!)
      .flatMap(at => [
        ...[0, 1, 2].map(axis => (least[at + axis]! + most[at + axis]!) / 2),
        ...[0, 1, 2].map(axis => (most[at + axis]! - least[at + axis]!) / 2),
      ]),
  )
}

/** Writes the box of all of them after a transform to `low` and `high`. */
export function placeBoxes(boxes: MeshBoxes, transform: readonly number[], low: number[], high: number[]): void {
  low.fill(Number.POSITIVE_INFINITY)
  high.fill(Number.NEGATIVE_INFINITY)
  for (let axis = 0; axis < 3; axis++) {
    const row = axis * 4
    const [x, y, z, shift] = [transform[row]!, transform[row + 1]!, transform[row + 2]!, transform[row + 3]!]
    for (let at = 0; at < boxes.length; at += BOX_NUMBERS) {
      const centre = x * boxes[at]! + y * boxes[at + 1]! + z * boxes[at + 2]! + shift
      const half = Math.abs(x) * boxes[at + 3]! + Math.abs(y) * boxes[at + 4]! + Math.abs(z) * boxes[at + 5]!
      if (centre - half < low[axis]!) low[axis] = centre - half
      if (centre + half > high[axis]!) high[axis] = centre + half
    }
  }
}
