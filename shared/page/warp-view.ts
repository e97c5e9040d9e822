/** From where a picture was taken, and from where it is looked at: what a warp needs to know, apart from any graphics. */
import type { FullViewpoint } from '../frame/viewpoint.ts'

type Vec3 = readonly [number, number, number]

/** A viewpoint's axes, of length 1, with half the frame's width and height at distance 1. */
interface Axes {
  readonly eye: Vec3
  readonly right: Vec3
  readonly up: Vec3
  readonly back: Vec3
  readonly tanX: number
  readonly tanY: number
}

/** @param aspect width over height */
function axesOf({ eye, target, up, fov }: FullViewpoint, aspect: number): Axes {
  const back = unit(minus(eye, target))
  const right = unit(cross(up, back))
  const tanY = Math.tan((fov * Math.PI) / 360)
  return { eye, right, up: cross(back, right), back, tanX: tanY * aspect, tanY }
}

/** Matrices are column by column. */
export interface Warp {
  /** From the eye that looks to that of the picture. */
  readonly offset: Vec3
  /** From x, y from -1 to 1 and -1 to a direction whose length along the picture's axis is 1. */
  readonly from: readonly number[]
  /** From there to x · w, y · w and w of who looks. */
  readonly to: readonly number[]
}

/** How a picture that was taken from one viewpoint is seen from another. */
export function warpOf(taken: FullViewpoint, seen: FullViewpoint, aspect: number): Warp {
  const [a, b] = [axesOf(taken, aspect), axesOf(seen, aspect)]
  const across = b.right.map(value => value / b.tanX)
  const along = b.up.map(value => value / b.tanY)
  return {
    offset: minus(a.eye, b.eye),
    from: [...times(a.right, a.tanX), ...times(a.up, a.tanY), ...a.back],
    to: [0, 1, 2].flatMap(k => [across[k]!, along[k]!, -b.back[k]!]),
  }
}

/**
 * Where something is seen: x and y from -1 to 1, y up, times the third.
 * @param x in the picture, from -1 to 1
 * @param nearness one over its depth there
 */
export function warped({ offset, from, to }: Warp, x: number, y: number, nearness: number): Vec3 {
  const ray = apply(from, [x, y, -1])
  return apply(to, [0, 1, 2].map(k => offset[k]! * nearness + ray[k]!) as unknown as Vec3)
}

/** The point that is seen at x and y, from -1 to 1, y up, at a depth. */
export function pointAt(viewpoint: FullViewpoint, aspect: number, x: number, y: number, depth: number): Vec3 {
  const { eye, right, up, back, tanX, tanY } = axesOf(viewpoint, aspect)
  const at = (k: 0 | 1 | 2) => eye[k] + depth * (x * tanX * right[k] + y * tanY * up[k] - back[k])
  return [at(0), at(1), at(2)]
}

const apply = (matrix: readonly number[], [x, y, z]: Vec3): Vec3 => {
  const row = (k: number) => matrix[k]! * x + matrix[3 + k]! * y + matrix[6 + k]! * z
  return [row(0), row(1), row(2)]
}
const times = (a: Vec3, by: number): number[] => a.map(value => value * by)
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
function unit(a: Vec3): Vec3 {
  const length = Math.hypot(...a) || 1
  return [a[0] / length, a[1] / length, a[2] / length]
}
