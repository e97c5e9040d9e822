/** How a view flies: it goes, and looks around, from where it is. For pages: what they end with is said in numbers of few digits, so that any sine will do. */
import type { FullViewpoint } from '../frame/viewpoint.ts'

type Vec3 = readonly [number, number, number]

/** The view does not come closer to looking straight up or down, radians: which way is right would not be known. */
const STEEPEST = 0.05

/** @param way right, up along the view's up, and ahead; of any length @param length scene units */
export function flown(view: FullViewpoint, way: Vec3, length: number): FullViewpoint {
  const { eye, target } = view
  const ahead = unit(minus(target, eye))
  const up = unit(view.up)
  const right = unit(cross(ahead, up))
  const sum = plus(plus(times(right, way[0]), times(up, way[1])), times(ahead, way[2]))
  const size = Math.hypot(...sum)
  if (!(size > 0)) return view
  const by = times(sum, length / size)
  return { ...view, eye: plus(eye, by), target: plus(target, by) }
}

/** Looks farther left and up, radians. */
export function turned(view: FullViewpoint, left: number, up: number): FullViewpoint {
  const { eye, target } = view
  const axis = unit(view.up)
  const ahead = minus(target, eye)
  const level = rotated(ahead, axis, left)
  const right = unit(cross(level, axis))
  const angle = Math.acos(Math.max(-1, Math.min(1, dot(unit(level), axis))))
  const pitch = Math.min(angle - STEEPEST, Math.max(angle - Math.PI + STEEPEST, up))
  return { ...view, target: plus(eye, rotated(level, right, pitch)) }
}

/** Rodrigues' formula. */
function rotated(a: Vec3, axis: Vec3, by: number): Vec3 {
  const [sine, cosine] = [Math.sin(by), Math.cos(by)]
  return plus(plus(times(a, cosine), times(cross(axis, a), sine)), times(axis, dot(axis, a) * (1 - cosine)))
}

const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const times = (a: Vec3, by: number): Vec3 => [a[0] * by, a[1] * by, a[2] * by]
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const unit = (a: Vec3): Vec3 => times(a, 1 / (Math.hypot(...a) || 1))
