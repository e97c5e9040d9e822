/** A round tube along a curve. */
import { type BufferGeometry, Vector3 } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { cosTurns, sinTurns } from '../../shared/math/trig.ts'
import { catmullRom } from './lathe.ts'
import { Vertices } from './vertices.ts'

/** @param closed whether the end joins the beginning; otherwise both ends are rounded off */
export function tube(path: readonly Vec3[], radius: number, { sides = 12, closed = false } = {}): BufferGeometry {
  const points = path.map(point => new Vector3(...point))
  const count = points.length
  const at = (i: number) => (closed ? points[(i + count) % count]! : points[Math.min(Math.max(i, 0), count - 1)]!)
  const vertices = new Vertices()
  const rings: number[][] = []
  const across = new Vector3()
  points.forEach((point, i) => {
    const along = at(i + 1)
      .clone()
      .sub(at(i - 1))
      .normalize()
    // The frame turns as little as possible from one point to the next.
    if (i === 0) across.copy(Math.abs(along.y) < 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0))
    across.addScaledVector(along, -across.dot(along)).normalize()
    const up = new Vector3().crossVectors(along, across)
    rings.push(
      Array.from({ length: sides }, (_, side) => {
        const [c, s] = [cosTurns(side / sides), sinTurns(side / sides)]
        const { x, y, z } = across.clone().multiplyScalar(c).addScaledVector(up, s)
        return vertices.add(point.x + radius * x, point.y + radius * y, point.z + radius * z, [x, y, z])
      }),
    )
  })
  const last = closed ? count : count - 1
  for (let ring = 0; ring < last; ring++) {
    const [low, high] = [rings[ring]!, rings[(ring + 1) % count]!]
    for (let side = 0; side < sides; side++) {
      const next = (side + 1) % sides
      vertices.quad(low[side]!, low[next]!, high[next]!, high[side]!)
    }
  }
  if (!closed)
    for (const end of [0, count - 1] as const) {
      const along =
        end === 0
          ? at(0).clone().sub(at(1))
          : at(end)
              .clone()
              .sub(at(end - 1))
      const { x, y, z } = along.normalize()
      const tip = at(end)
        .clone()
        .addScaledVector(along, radius * 0.8)
      const pole = vertices.add(tip.x, tip.y, tip.z, [x, y, z])
      for (let side = 0; side < sides; side++) {
        const [a, b] = [rings[end]![side]!, rings[end]![(side + 1) % sides]!]
        if (end === 0) vertices.triangle(pole, b, a)
        else vertices.triangle(pole, a, b)
      }
    }
  return vertices.geometry()
}

/** A smooth curve through all points, `steps` for each that is given. */
export function curve(points: readonly Vec3[], steps: number, closed = false): Vec3[] {
  const count = points.length
  const at = (i: number) => (closed ? points[(i + count) % count]! : points[Math.min(Math.max(i, 0), count - 1)]!)
  const curve: Vec3[] = []
  for (let i = 0; i < (closed ? count : count - 1); i++)
    for (let step = 0; step < steps; step++) {
      const along = (axis: 0 | 1 | 2) =>
        catmullRom(at(i - 1)[axis], at(i)[axis], at(i + 1)[axis], at(i + 2)[axis], step / steps)
      curve.push([along(0), along(1), along(2)])
    }
  if (!closed) curve.push(at(count - 1))
  return curve
}
