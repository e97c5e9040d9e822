/** Where in a grid of cells a camera sees things. */

import { planePart } from '../../shared/frame/region.ts'
import type { Camera, Vec3 } from '../../shared/frame/view.ts'
import type { Transform } from '../../shared/scene/description.ts'
import { transformed } from './body-moves.ts'
import type { CostMap } from './cost-map.ts'

type Grid = Pick<CostMap, 'size' | 'cell' | 'columns' | 'rows'>

/** The ray through (u, v) of the picture: what is at depth t is t times the direction from its origin. */
function directionOf(camera: Camera, u: number, v: number): { readonly origin: Vec3; readonly direction: Vec3 } {
  const { origin, right, up, back, tanHalfX, tanHalfY } = camera
  const part = planePart(camera)
  const [x, y] = [(part.u.scale * u + part.u.shift) * tanHalfX, (part.v.scale * v + part.v.shift) * tanHalfY]
  const aside = (axis: 0 | 1 | 2): number => x * right[axis] + y * up[axis]
  if (camera.orthographic)
    return {
      origin: [origin[0] + aside(0), origin[1] + aside(1), origin[2] + aside(2)],
      direction: [-back[0], -back[1], -back[2]],
    }
  return { origin, direction: [aside(0) - back[0], aside(1) - back[1], aside(2) - back[2]] }
}

/** Rays through the middles of cells, in the space of a box: `at` changes `point` and `direction`, without an object per cell. */
export class BoxRays {
  readonly point = new Float64Array(3)
  readonly direction = new Float64Array(3)
  readonly #grid: Grid
  /** Those of the middle of the picture, and what a step of 1 in u and in v adds. */
  readonly #points: readonly Vec3[]
  readonly #directions: readonly Vec3[]

  constructor(toBox: Transform, camera: Camera, grid: Grid) {
    this.#grid = grid
    const [middle, right, up] = [directionOf(camera, 0, 0), directionOf(camera, 1, 0), directionOf(camera, 0, 1)]
    const steps = (key: 'origin' | 'direction', w: 0 | 1): Vec3[] => [
      transformed(toBox, middle[key], w),
      ...[right, up].map(each => transformed(toBox, minus(each[key], middle[key]), 0)),
    ]
    this.#points = steps('origin', 1)
    this.#directions = steps('direction', 0)
  }

  at(column: number, row: number): void {
    const { size, cell } = this.#grid
    const u = ((column + 0.5) * cell * 2) / size[0] - 1
    const v = 1 - ((row + 0.5) * cell * 2) / size[1]
    const [p, pu, pv] = this.#points as [Vec3, Vec3, Vec3]
    const [d, du, dv] = this.#directions as [Vec3, Vec3, Vec3]
    for (const axis of AXES) {
      this.point[axis] = p[axis] + u * pu[axis] + v * pv[axis]
      this.direction[axis] = d[axis] + u * du[axis] + v * dv[axis]
    }
  }
}

const AXES = [0, 1, 2] as const
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

/** Where a point is seen, in columns and rows; undefined if it is not before the camera. */
export function placeOf(point: Vec3, camera: Camera, { size, cell }: Grid): [column: number, row: number] | undefined {
  const { origin, right, up, back, tanHalfX, tanHalfY } = camera
  const at: Vec3 = [point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]]
  const depth = -dot(at, back)
  if (!camera.orthographic && depth <= 0) return undefined
  const spread = camera.orthographic ? 1 : depth
  const part = planePart(camera)
  const u = (dot(at, right) / (tanHalfX * spread) - part.u.shift) / part.u.scale
  const v = (dot(at, up) / (tanHalfY * spread) - part.v.shift) / part.v.scale
  return [((u + 1) * size[0]) / (2 * cell), ((1 - v) * size[1]) / (2 * cell)]
}

/** The columns and rows that a box, the cube from -1 to 1 placed in the world, can be seen in: first and end. */
export function cellsOf(
  fromBox: Transform,
  camera: Camera,
  grid: Grid,
): [left: number, top: number, right: number, bottom: number] {
  const { columns, rows } = grid
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let corner = 0; corner < 8; corner++) {
    const point = transformed(fromBox, [corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1], 1)
    const place = placeOf(point, camera, grid)
    // A box around the eye may be anywhere.
    if (!place) return [0, 0, columns, rows]
    left = Math.min(left, place[0])
    right = Math.max(right, place[0])
    top = Math.min(top, place[1])
    bottom = Math.max(bottom, place[1])
  }
  const within = (value: number, most: number): number => Math.min(Math.max(Math.floor(value), 0), most)
  return [within(left, columns), within(top, rows), within(right + 1, columns), within(bottom + 1, rows)]
}

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
