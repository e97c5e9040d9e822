/** Which body each cell of a measured frame showed: the one in whose box the surface at the cell's centre was. */
import type { Camera } from '../../shared/frame/view.ts'
import type { BodyBox, BodyMoves } from './body-moves.ts'
import { BoxRays, cellsOf } from './box-cells.ts'
import type { CostMap } from './cost-map.ts'

export interface BodyOwners {
  /** For each cell, 1 + the number of the body among those that moved; 0: none of them. */
  readonly owners: Uint16Array
  /** Of what each cell showed; at the edge of a body, the body's. */
  readonly depths: Float32Array
}

export function bodyOwners({ moved, still }: BodyMoves, camera: Camera, map: CostMap): BodyOwners {
  const owners = new Uint16Array(map.columns * map.rows)
  const forEachInside = ({ toBox, fromBox }: BodyBox, visit: (at: number) => void): void => {
    const rays = new BoxRays(toBox, camera, map)
    const [left, top, right, bottom] = cellsOf(fromBox, camera, map)
    for (let row = top; row < bottom; row++)
      for (let column = left; column < right; column++) {
        const at = row * map.columns + column
        const depth = map.depths[at]!
        // Nothing is in the sky.
        if (!(depth > 0 && depth < Number.POSITIVE_INFINITY)) continue
        rays.at(column, row)
        const { point, direction } = rays
        const inside = (axis: number): boolean => Math.abs(point[axis]! + depth * direction[axis]!) <= 1
        if (inside(0) && inside(1) && inside(2)) visit(at)
      }
  }
  for (const [number, { before }] of moved.entries()) {
    forEachInside(before, at => {
      owners[at] = number + 1
    })
  }
  for (const { box, larger } of still) {
    forEachInside(box, at => {
      if (owners[at]! <= larger) owners[at] = 0
    })
  }
  return withEdges(owners, map)
}

/** Adds the cells at the edges of bodies: their centres show what is behind, but their costs are partly those of the body. */
function withEdges(inner: Uint16Array, { columns, rows, depths: seen }: CostMap): BodyOwners {
  const owners = Uint16Array.from(inner)
  const depths = Float32Array.from(seen)
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === 0) continue
    const [column, row] = [at % columns, Math.floor(at / columns)]
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
        const beside = y * columns + x
        // The nearest body, and none that is behind what the cell shows.
        if (inner[beside] !== 0 || !(seen[at]! < depths[beside]!)) continue
        owners[beside] = inner[at]!
        depths[beside] = seen[at]!
      }
  }
  return { owners, depths }
}
