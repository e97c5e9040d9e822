/** Vectors of three doubles. Slow, and hard to get wrong. */
import type { Vec3 } from '../../../../shared/frame/view.ts'

export const BLACK: Vec3 = [0, 0, 0]
export const WHITE: Vec3 = [1, 1, 1]

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
/** Component by component. */
export const multiply = (a: Vec3, b: Vec3): Vec3 => [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
export const scale = (a: Vec3, factor: number): Vec3 => [a[0] * factor, a[1] * factor, a[2] * factor]
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const length = (a: Vec3): number => Math.sqrt(dot(a, a))
export const normalize = (a: Vec3): Vec3 => scale(a, 1 / length(a))
export const isZero = (a: Vec3): boolean => a[0] === 0 && a[1] === 0 && a[2] === 0
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** Three unit vectors at right angles, `z` the given one. */
export interface Frame {
  readonly x: Vec3
  readonly y: Vec3
  readonly z: Vec3
}

export function frameAround(z: Vec3): Frame {
  const x = normalize(cross(Math.abs(z[0]) > 0.5 ? [0, 1, 0] : [1, 0, 0], z))
  return { x, y: cross(z, x), z }
}

export const toLocal = ({ x, y, z }: Frame, world: Vec3): Vec3 => [dot(x, world), dot(y, world), dot(z, world)]

export const toWorld = ({ x, y, z }: Frame, local: Vec3): Vec3 =>
  add(add(scale(x, local[0]), scale(y, local[1])), scale(z, local[2]))
