/** Which body each cell of a measured frame showed: the one in whose box the surface at the cell's centre was. */
import type { Camera, Vec3 } from '../../shared/view.ts'
import { type BodyMove, transformed } from './body-moves.ts'
import type { CostMap } from './cost-map.ts'

/** For each cell, 1 + the number of the body among those that moved; 0: none of them. */
export function bodyOwners(moves: readonly BodyMove[], camera: Camera, map: CostMap): Uint16Array {
  const owners = new Uint16Array(map.columns * map.rows)
  for (const [number, move] of moves.entries()) {
    const [left, top, right, bottom] = cellsOf(move, camera, map)
    for (let row = top; row < bottom; row++)
      for (let column = left; column < right; column++) {
        const at = row * map.columns + column
        const point = pointAt(camera, map, column, row, map.depths[at]!)
        if (point && transformed(move.toBox, point, 1).every(along => along >= -1 && along <= 1))
          owners[at] = number + 1
      }
  }
  return owners
}

/** The surface at a cell's centre, world space; undefined for the sky. */
function pointAt(
  camera: Camera,
  { size, cell }: CostMap,
  column: number,
  row: number,
  depth: number,
): Vec3 | undefined {
  if (!(depth > 0 && depth < Number.POSITIVE_INFINITY)) return undefined
  const spread = camera.orthographic ? 1 : depth
  const u = (((column + 0.5) * cell * 2) / size[0] - 1) * camera.tanHalfX * spread
  const v = (1 - ((row + 0.5) * cell * 2) / size[1]) * camera.tanHalfY * spread
  const { origin, right, up, back } = camera
  const along = (axis: 0 | 1 | 2): number => origin[axis] + u * right[axis] + v * up[axis] - depth * back[axis]
  return [along(0), along(1), along(2)]
}

/** The columns and rows that a body's box can be seen in: first and end. */
function cellsOf(
  { fromBox }: BodyMove,
  camera: Camera,
  map: CostMap,
): [left: number, top: number, right: number, bottom: number] {
  const { size, cell, columns, rows } = map
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let corner = 0; corner < 8; corner++) {
    const place: Vec3 = [corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1]
    const point = transformed(fromBox, place, 1)
    const at = point.map((along, axis) => along - camera.origin[axis as 0 | 1 | 2]) as unknown as Vec3
    const depth = -dot(at, camera.back)
    // A box around the eye may be anywhere.
    if (!camera.orthographic && depth <= 0) return [0, 0, columns, rows]
    const spread = camera.orthographic ? 1 : depth
    const x = ((dot(at, camera.right) / (camera.tanHalfX * spread) + 1) * size[0]) / (2 * cell)
    const y = ((1 - dot(at, camera.up) / (camera.tanHalfY * spread)) * size[1]) / (2 * cell)
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  const within = (value: number, most: number): number => Math.min(Math.max(Math.floor(value), 0), most)
  return [within(left, columns), within(top, rows), within(right + 1, columns), within(bottom + 1, rows)]
}

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
