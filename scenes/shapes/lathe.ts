/** Solids of revolution around the y axis, with the same bits on every machine: three's LatheGeometry uses the platform's sine. */
import type { BufferGeometry } from 'three'
import { cosTurns, sinTurns } from '../../shared/math/trig.ts'
import { Vertices } from './vertices.ts'

/** A point of an outline: distance from the axis, and height. */
export type OutlinePoint = readonly [radius: number, y: number]

/**
 * Turns an outline that goes upwards on the outside into a surface whose front faces outwards. An end at radius 0 closes it.
 * Without normals: corners sharper than about 35° become edges when it is imported.
 *
 * @param sides corners around the axis, at least 3
 * @param bump relative displacement of the radius at an angle in turns
 */
export function lathe(
  outline: readonly OutlinePoint[],
  sides: number,
  bump: (turns: number, y: number) => number = () => 0,
): BufferGeometry {
  const vertices = new Vertices()
  const rings = outline.map(([radius, y]) => {
    if (radius === 0) return [vertices.add(0, y, 0)]
    return Array.from({ length: sides }, (_, side) => {
      const turns = side / sides
      const reach = radius * (1 + bump(turns, y))
      return vertices.add(reach * sinTurns(turns), y, reach * cosTurns(turns))
    })
  })
  for (let ring = 1; ring < rings.length; ring++) {
    const [low, high] = [rings[ring - 1]!, rings[ring]!]
    for (let side = 0; side < sides; side++) {
      const next = (side + 1) % sides
      if (low.length > 1) vertices.triangle(low[side]!, low[next]!, high[side % high.length]!)
      if (high.length > 1) vertices.triangle(low[next % low.length]!, high[next]!, high[side]!)
    }
  }
  return vertices.geometry()
}

/** A smooth outline through all points (Catmull and Rom 1974), `steps` points for each that is given. */
export function smooth(outline: readonly OutlinePoint[], steps = 8): OutlinePoint[] {
  const points: OutlinePoint[] = []
  const at = (i: number) => outline[Math.min(Math.max(i, 0), outline.length - 1)]!
  for (let i = 0; i + 1 < outline.length; i++)
    for (let step = 0; step < steps; step++) {
      const along = (axis: 0 | 1) =>
        catmullRom(at(i - 1)[axis], at(i)[axis], at(i + 1)[axis], at(i + 2)[axis], step / steps)
      // It may overshoot beyond the axis.
      points.push([step === 0 ? at(i)[0] : Math.max(1e-4, along(0)), along(1)])
    }
  points.push(outline.at(-1)!)
  return points
}

export const catmullRom = (a: number, b: number, c: number, d: number, t: number): number =>
  b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))

/** A ball around a centre on the axis, `rings` from pole to pole. */
export const ball = (radius: number, sides = 48, rings = 24): BufferGeometry =>
  lathe(
    Array.from({ length: rings + 1 }, (_, ring) => [
      ring === 0 || ring === rings ? 0 : radius * sinTurns(ring / rings / 2),
      -radius * cosTurns(ring / rings / 2),
    ]),
    sides,
  )

/** A cylinder or the frustum of a cone, with its feet at y = 0. */
export const column = (bottom: number, top: number, height: number, sides = 48): BufferGeometry =>
  lathe(
    [
      [0, 0],
      [bottom, 0],
      [top, height],
      [0, height],
    ],
    sides,
  )
