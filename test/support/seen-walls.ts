/** Cost maps and cameras to predict with. */
import { CostMap } from '../../master/costs/cost-map.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera, Vec3 } from '../../shared/frame/view.ts'

/** What is seen, in units of the scene. */
export interface Wall {
  readonly costAt: (column: number, row: number) => number
  /** @default 10 everywhere */
  readonly depthAt?: (column: number, row: number) => number
}

/** A map of cells of 8 px, unless it is said otherwise. */
export function mapOf(size: Size, { costAt, depthAt = () => 10 }: Wall, cell = 8): CostMap {
  const map = new CostMap(size, cell)
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < map.columns; column++) {
      map.costs[row * map.columns + column] = costAt(column, row)
      map.depths[row * map.columns + column] = depthAt(column, row)
    }
  }
  return map
}

/** Looks along −z from a point, turned by so many radians to the right; square, 90° wide: the view is as wide as it is deep twice. */
export function cameraFrom(origin: Vec3, turned = 0): Camera {
  const [sine, cosine] = [Math.sin(turned), Math.cos(turned)]
  return {
    origin,
    right: [cosine, 0, sine],
    up: [0, 1, 0],
    back: [-sine, 0, cosine],
    tanHalfX: 1,
    tanHalfY: 1,
    near: 0.1,
    far: 1000,
  }
}

export const row = (map: CostMap, index: number): number[] => [
  ...map.costs.subarray(index * map.columns, (index + 1) * map.columns),
]
