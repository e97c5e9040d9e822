/**
 * Integer pixel rectangles, the only shape of a tile. Splits are exact, so areas add up and nothing is lost to rounding;
 * both axes share one code path through the axis argument.
 */
import type { z } from 'zod'
import type { Immutable } from '../text/numbers.ts'
import type { rectSchema, sizeSchema } from './rect-schema.ts'

/** Pixel rectangle: x and y of the top left pixel, w and h in px; every field is an integer, w and h at least 1. */
export type Rect = Immutable<z.infer<typeof rectSchema>>

/** Width and height of a frame in px. */
export type Size = Immutable<z.infer<typeof sizeSchema>>

/** `x` cuts between columns, `y` between rows. */
export type Axis = 'x' | 'y'

export const frameRect = ([w, h]: Size): Rect => ({ x: 0, y: 0, w, h })

export const area = (rect: Rect): number => rect.w * rect.h

/** Pixels of a rectangle along an axis. */
export const extent = (rect: Rect, axis: Axis): number => (axis === 'x' ? rect.w : rect.h)

/** The axis along which a rectangle is longer; a square is cut between columns. */
export const longerAxis = (rect: Rect): Axis => (rect.w >= rect.h ? 'x' : 'y')

/** Cuts `rect` after `at` columns (or rows): `0 < at < extent`. The first half has exactly `at` of them. */
export function splitRect({ x, y, w, h }: Rect, axis: Axis, at: number): [Rect, Rect] {
  return axis === 'x'
    ? [
        { x, y, w: at, h },
        { x: x + at, y, w: w - at, h },
      ]
    : [
        { x, y, w, h: at },
        { x, y: y + at, w, h: h - at },
      ]
}

/** Cuts a rectangle along `axis` into `parts` (1 to its extent) whose lengths differ by at most one pixel. */
export function cutEvenly(rect: Rect, axis: Axis, parts: number): Rect[] {
  if (parts === 1) return [rect]
  const [first, rest] = splitRect(rect, axis, Math.floor(extent(rect, axis) / parts))
  return [first, ...cutEvenly(rest, axis, parts - 1)]
}

/** Whether two rectangles have a pixel in common. */
export const intersects = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/** The common pixels of two rectangles, or undefined if there are none. */
export function intersect(a: Rect, b: Rect): Rect | undefined {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  const w = Math.min(a.x + a.w, b.x + b.w) - x
  const h = Math.min(a.y + a.h, b.y + b.h) - y
  return w > 0 && h > 0 ? { x, y, w, h } : undefined
}

export const contains = (outer: Rect, inner: Rect): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.w <= outer.x + outer.w &&
  inner.y + inner.h <= outer.y + outer.h

export const formatRect = (rect: Rect): string => `${rect.x},${rect.y} ${rect.w}x${rect.h}`

/** A frame of the same aspect ratio with about `most` px, or unchanged if it has no more. */
export function scaledDown([w, h]: Size, most: number): Size {
  const scale = Math.min(1, Math.sqrt(most / (w * h)))
  return [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))]
}
