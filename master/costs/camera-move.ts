/** Maps points seen by one camera into the view of another. */
import { type AxisPart, planePart } from '../../shared/frame/region.ts'
import type { Camera, Vec3 } from '../../shared/frame/view.ts'

/**
 * Twelve numbers m: the second camera sees the point at (u, v) on the first one's image plane, at camera depth t, at u' =
 * x / z and v' = y / z, at depth t · z, where x = m0/t + m1 + m2·u + m3·v, and likewise y with m4 to m7 and z with m8 to
 * m11. It is in front of the second camera where z > 0. The sky is at 1/t = 0, so it needs no special case.
 *
 * With an orthographic camera first, u/t and v/t take the place of u and v; with one second, u' = x · t and v' = y · t.
 *
 * These are places in pictures: where a picture is a part of what its camera sees, it is scaled and shifted in the image plane.
 */
export function cameraMove(from: Camera, to: Camera): Float64Array {
  const [x, y, z] = from.origin
  const eye: Vec3 = [x - to.origin[0], y - to.origin[1], z - to.origin[2]]
  const [seen, wanted] = [planePart(from), planePart(to)]
  const row = (axis: Vec3, scale: number): Row => {
    const [across, down] = [scale * from.tanHalfX * dot(from.right, axis), scale * from.tanHalfY * dot(from.up, axis)]
    // The middle of the picture need not be that of the image plane.
    const aside = across * seen.u.shift + down * seen.v.shift
    const [point, direction] = from.orthographic ? [aside, 0] : [0, aside]
    return [
      scale * dot(eye, axis) + point,
      -scale * dot(from.back, axis) + direction,
      across * seen.u.scale,
      down * seen.v.scale,
    ]
  }
  const depths = row(to.back, -1)
  /** Where parallel rays meet the image plane does not depend on the depth: what is shifted is u', not x. */
  const depth: Row = to.orthographic ? [1, 0, 0, 0] : depths
  const part = (of: Row, { scale, shift }: AxisPart): number[] =>
    of.map((value, i) => (value - shift * depth[i]!) / scale)
  return Float64Array.from([
    ...part(row(to.right, 1 / to.tanHalfX), wanted.u),
    ...part(row(to.up, 1 / to.tanHalfY), wanted.v),
    ...depths,
  ])
}

type Row = readonly [number, number, number, number]

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
