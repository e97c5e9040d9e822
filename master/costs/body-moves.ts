/** What moved between two frames, and how: a surface that is in the box of a body then is at the same place of its box now. */
import { BODY_NUMBERS, type Bodies } from '../../shared/scene/bodies.ts'
import type { Transform } from '../../shared/scene/description.ts'
import type { Camera, Vec3 } from '../../shared/view.ts'

export interface BodyMove {
  /** From the world to the body's box before: the inside is from -1 to 1. */
  readonly toBox: Transform
  /** From the box to the world, as it was. */
  readonly fromBox: Transform
  /** From where a point of it was to where it is, world coordinates. */
  readonly move: Transform
}

/** Boxes are widened by this share of their longest side: depths are rounded, and flat bodies have boxes without a thickness. */
const WIDENING = 0.02
/** More than this many are not told apart: what is left of the largest counts most. */
const MOST_MOVES = 256

/** The largest bodies first, so that of two that overlap the smaller one has the last word; none if they are not the same bodies. */
export function bodyMoves(from: Bodies | undefined, to: Bodies | undefined): readonly BodyMove[] {
  if (!from || !to || from === to || from.length !== to.length) return []
  const moves: { readonly move: BodyMove; readonly volume: number }[] = []
  for (let at = 0; at < from.length; at += BODY_NUMBERS) {
    const [before, now] = [from.subarray(at, at + BODY_NUMBERS), to.subarray(at, at + BODY_NUMBERS)]
    if (before.every((number, i) => number === now[i])) continue
    const fromBox = boxToWorld(before)
    const toBox = inverse(fromBox)
    if (!toBox) continue
    moves.push({ move: { toBox, fromBox, move: product(boxToWorld(now), toBox) }, volume: volumeOf(fromBox) })
  }
  return moves
    .sort((a, b) => b.volume - a.volume)
    .slice(0, MOST_MOVES)
    .map(({ move }) => move)
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

/** From the cube from -1 to 1 to a body's widened box in the world. */
function boxToWorld(body: Float64Array): Transform {
  const sides = [0, 1, 2].map(axis => body[axis + 3]! - body[axis]!)
  const wider = Math.max(...sides) * WIDENING
  const half = sides.map(side => side / 2 + wider)
  const middle = [0, 1, 2].map(axis => (body[axis]! + body[axis + 3]!) / 2) as unknown as Vec3
  return [0, 4, 8].flatMap(row => {
    const [a, b, c, d] = [...body.subarray(6 + row, 10 + row)] as [number, number, number, number]
    return [a * half[0]!, b * half[1]!, c * half[2]!, a * middle[0] + b * middle[1] + c * middle[2] + d]
  })
}

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

const volumeOf = (m: Transform): number => Math.abs(determinant(m))

/** Undefined for a body that has no volume, even widened: nothing is in it. */
function inverse(m: Transform): Transform | undefined {
  const [a, b, c, x, d, e, f, y, g, h, i, z] = m as unknown as number[] & { length: 12 }
  const by = 1 / determinant(m)
  if (!Number.isFinite(by)) return undefined
  const rows: Vec3[] = [
    [(e! * i! - f! * h!) * by, (c! * h! - b! * i!) * by, (b! * f! - c! * e!) * by],
    [(f! * g! - d! * i!) * by, (a! * i! - c! * g!) * by, (c! * d! - a! * f!) * by],
    [(d! * h! - e! * g!) * by, (b! * g! - a! * h!) * by, (a! * e! - b! * d!) * by],
  ]
  return rows.flatMap(([p, q, r]) => [p, q, r, -(p * x! + q * y! + r * z!)])
}
