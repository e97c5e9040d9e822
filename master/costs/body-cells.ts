/** The cells of a view in which bodies are expected, as if each filled its box like an ellipsoid. */
import type { Camera } from '../../shared/frame/view.ts'
import type { BodyBox, BodyMove } from './body-moves.ts'
import { BoxRays, cellsOf } from './box-cells.ts'
import type { CostMap } from './cost-map.ts'

/** Share of the cells that are the most expensive ones. */
const DEAREST = 0.02

/** 1 for each cell that may show something that has moved. */
export function mayShow(moved: readonly BodyMove[], camera: Camera, map: CostMap): Uint8Array {
  const found = new Uint8Array(map.costs.length)
  for (const { now } of moved)
    if (now)
      forEachCellOf(now, camera, map, at => {
        found[at] = 1
      })
  return found
}

/** Costs of a view. */
interface View {
  readonly map: CostMap
  readonly known: Uint8Array
  readonly inverseDepths: Float32Array
}

/**
 * Bodies that are new may be of glass: their cells are taken to cost what the most expensive ones did before, and not to be known. Where
 * that may be much of the frame, it is worth a probe.
 */
export function guessAppeared(
  appeared: readonly BodyBox[],
  before: CostMap,
  camera: Camera,
  { map, known, inverseDepths }: View,
): void {
  if (appeared.length === 0) return
  const dearest = Float64Array.from(before.costs)
    .sort()
    .subarray(-Math.ceil(before.costs.length * DEAREST))
  const cost = dearest.reduce((sum, each) => sum + each, 0) / dearest.length
  const { origin, back } = camera
  for (const box of appeared) {
    const depth = [3, 7, 11].reduce((sum, i, axis) => sum - (box.fromBox[i]! - origin[axis]!) * back[axis]!, 0)
    forEachCellOf(box, camera, map, at => {
      // Something nearer hides it.
      if (inverseDepths[at]! * depth > 1) return
      known[at] = 0
      map.costs[at] = Math.max(map.costs[at]!, cost)
    })
  }
}

/** Visits the cells that may show a body. */
function forEachCellOf({ toBox, fromBox }: BodyBox, camera: Camera, map: CostMap, visit: (at: number) => void): void {
  const rays = new BoxRays(toBox, camera, map)
  const { point, direction } = rays
  const [left, top, right, bottom] = cellsOf(fromBox, camera, map)
  for (let row = top; row < bottom; row++)
    for (let column = left; column < right; column++) {
      rays.at(column, row)
      // In the space of the box, the ellipsoid is the unit sphere: how near its middle does the ray come?
      const along = dot(point, direction)
      if (dot(point, point) - (along * along) / dot(direction, direction) <= 1) visit(row * map.columns + column)
    }
}

const dot = (a: Float64Array, b: Float64Array): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
