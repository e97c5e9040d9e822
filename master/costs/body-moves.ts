/** What moved between two frames, and how: a surface that is in the box of a body then is at the same place of its box now. */

import type { Camera, Vec3 } from '../../shared/frame/view.ts'
import { BODY_NUMBERS, type Bodies } from '../../shared/scene/bodies.ts'
import type { Transform } from '../../shared/scene/description.ts'
import { type BodyPair, bodyPairs } from './body-pairs.ts'

/** A body's widened box: its inside is from -1 to 1. */
export interface BodyBox {
  readonly toBox: Transform
  /** From the box to the world. */
  readonly fromBox: Transform
}

export interface BodyMove {
  readonly before: BodyBox
  /** Undefined for a body that is gone. */
  readonly now: BodyBox | undefined
  /** From where a point of it was to where it is, world coordinates; the identity for one that is gone. */
  readonly move: Transform
}

export interface BodyMoves {
  /** Bodies that are new. */
  readonly appeared: readonly BodyBox[]
  /** The largest first, so that of two that overlap the smaller one has the last word. */
  readonly moved: readonly BodyMove[]
  /** Those that stand still at or in the box of one that moved and is larger, with the number of moved ones that are larger. */
  readonly still: readonly { readonly box: BodyBox; readonly larger: number }[]
}

/** Boxes are widened by this share of their longest side: depths are rounded, and flat bodies have boxes without a thickness. */
const WIDENING = 0.02
/** More than this many are not told apart: what is left of the largest counts most. */
const MOST_MOVES = 256
/** Of scenes with more bodies than this, those that stand still are not considered. */
const MOST_STILL = 4096
const NOTHING: BodyMoves = { appeared: [], moved: [], still: [] }

/** What is at another place than before. */
export function bodyMoves(from: Bodies | undefined, to: Bodies | undefined): BodyMoves {
  if (!from || !to || from === to) return NOTHING
  const changed: Sized<BodyPair>[] = []
  const appeared: Sized<BodyPair>[] = []
  const standing: number[] = []
  for (const pair of bodyPairs(from, to)) {
    if (pair.before < 0) appeared.push({ of: pair, volume: volumeOf(to, pair.now) })
    else if (pair.now >= 0 && same(from, pair.before, to, pair.now)) standing.push(pair.before)
    else changed.push({ of: pair, volume: volumeOf(from, pair.before) })
  }
  if (changed.length === 0 && appeared.length === 0) return NOTHING
  const moved = largest(changed).flatMap(({ of, volume }) => {
    const [before, now] = [boxOf(from, of.before), of.now < 0 ? undefined : boxOf(to, of.now)]
    if (!before || (of.now >= 0 && !now)) return []
    return [{ of: { before, now, move: now ? product(now.fromBox, before.toBox) : IDENTITY }, volume }]
  })
  return {
    appeared: largest(appeared).flatMap(({ of }) => boxOf(to, of.now) ?? []),
    moved: moved.map(({ of }) => of),
    still: standing.length > MOST_STILL ? [] : stillAmong(from, standing, moved),
  }
}

interface Sized<T> {
  readonly of: T
  readonly volume: number
}

const largest = <T>(all: Sized<T>[]): Sized<T>[] => all.sort((a, b) => b.volume - a.volume).slice(0, MOST_MOVES)

/** The largest first. */
function stillAmong(from: Bodies, standing: readonly number[], moved: readonly Sized<BodyMove>[]): BodyMoves['still'] {
  const [first] = moved
  if (!first) return []
  const reach = reachOf(moved.map(({ of }) => of))
  const found = standing.flatMap((number): Sized<BodyBox>[] => {
    const volume = volumeOf(from, number)
    const box = volume < first.volume ? boxOf(from, number) : undefined
    return box && reach(box.fromBox) ? [{ of: box, volume }] : []
  })
  return largest(found).map(({ of, volume }) => ({
    box: of,
    larger: moved.filter(each => each.volume > volume).length,
  }))
}

/** Whether a body may be in the box of one that moved: by the spheres around them. */
function reachOf(moved: readonly BodyMove[]): (fromBox: Transform) => boolean {
  const all = moved.map(({ before }) => sphereOf(before.fromBox))
  return fromBox => {
    const [x, y, z, radius] = sphereOf(fromBox)
    return all.some(([a, b, c, r]) => (a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2 <= (r + radius) ** 2)
  }
}

function sphereOf(fromBox: Transform): [x: number, y: number, z: number, radius: number] {
  const [a, b, c, x, d, e, f, y, g, h, i, z] = fromBox as unknown as Twelve
  return [x, y, z, Math.sqrt(a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i)]
}

function same(from: Bodies, i: number, to: Bodies, j: number): boolean {
  for (let k = 0; k < BODY_NUMBERS; k++) if (from[i * BODY_NUMBERS + k] !== to[j * BODY_NUMBERS + k]) return false
  return true
}

/** A camera that has been moved along with a body: its directions need not be unit vectors any more. */
export const movedCamera = (camera: Camera, m: Transform): Camera => ({
  ...camera,
  origin: transformed(m, camera.origin, 1),
  right: transformed(m, camera.right, 0),
  up: transformed(m, camera.up, 0),
  back: transformed(m, camera.back, 0),
})

/** A point (w 1) or a direction (w 0). */
export const transformed = (m: Transform, [x, y, z]: Vec3, w: 0 | 1): Vec3 => [
  m[0]! * x + m[1]! * y + m[2]! * z + m[3]! * w,
  m[4]! * x + m[5]! * y + m[6]! * z + m[7]! * w,
  m[8]! * x + m[9]! * y + m[10]! * z + m[11]! * w,
]

/** Undefined for a body that has no volume, even widened: nothing is in it. */
function boxOf(bodies: Bodies, number: number): BodyBox | undefined {
  const fromBox = boxToWorld(bodies, number)
  const toBox = inverse(fromBox)
  return toBox && { toBox, fromBox }
}

/** From the cube from -1 to 1 to a body's widened box in the world. */
function boxToWorld(bodies: Bodies, number: number): Transform {
  const body = bodies.subarray(number * BODY_NUMBERS, (number + 1) * BODY_NUMBERS)
  const sides = [0, 1, 2].map(axis => body[axis + 3]! - body[axis]!)
  const wider = Math.max(...sides) * WIDENING
  const half = sides.map(side => side / 2 + wider)
  const middle = [0, 1, 2].map(axis => (body[axis]! + body[axis + 3]!) / 2) as unknown as Vec3
  return [0, 4, 8].flatMap(row => {
    const [a, b, c, d] = [...body.subarray(6 + row, 10 + row)] as [number, number, number, number]
    return [a * half[0]!, b * half[1]!, c * half[2]!, a * middle[0] + b * middle[1] + c * middle[2] + d]
  })
}

const IDENTITY: Transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]

/** First `b`, then `a`. */
function product(a: Transform, b: Transform): Transform {
  const column = (i: number): Vec3 => transformed(a, [b[i]!, b[4 + i]!, b[8 + i]!], i === 3 ? 1 : 0)
  const columns = [0, 1, 2, 3].map(column)
  return [0, 1, 2].flatMap(row => columns.map(each => each[row as 0 | 1 | 2]))
}

const determinant = (m: Transform): number =>
  m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
  m[1]! * (m[4]! * m[10]! - m[6]! * m[8]!) +
  m[2]! * (m[4]! * m[9]! - m[5]! * m[8]!)

/** Of a body's widened box, in units that are the same for all. */
function volumeOf(bodies: Bodies, number: number): number {
  const at = number * BODY_NUMBERS
  const side = (axis: number): number => bodies[at + axis + 3]! - bodies[at + axis]!
  const [x, y, z] = [side(0), side(1), side(2)]
  const wider = 2 * WIDENING * Math.max(x, y, z)
  const m = (i: number): number => bodies[at + 6 + i]!
  const scale =
    m(0) * (m(5) * m(10) - m(6) * m(9)) - m(1) * (m(4) * m(10) - m(6) * m(8)) + m(2) * (m(4) * m(9) - m(5) * m(8))
  return Math.abs(scale) * (x + wider) * (y + wider) * (z + wider)
}

function inverse(m: Transform): Transform | undefined {
  const [a, b, c, x, d, e, f, y, g, h, i, z] = m as unknown as Twelve
  const by = 1 / determinant(m)
  if (!Number.isFinite(by)) return undefined
  const rows: Vec3[] = [
    [(e * i - f * h) * by, (c * h - b * i) * by, (b * f - c * e) * by],
    [(f * g - d * i) * by, (a * i - c * g) * by, (c * d - a * f) * by],
    [(d * h - e * g) * by, (b * g - a * h) * by, (a * e - b * d) * by],
  ]
  return rows.flatMap(([p, q, r]) => [p, q, r, -(p * x + q * y + r * z)])
}

type Twelve = [number, number, number, number, number, number, number, number, number, number, number, number]
