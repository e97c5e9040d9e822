/**
 * A ray's hit point on a triangle, seen from the ray's side: point, normals, and origins for the rays that leave it.
 *
 * Shadow rays start slightly off the triangle: Hanika, "Hacking the Shadow Terminator", Ray Tracing Gems II, 2021, lifts
 * the point onto the smooth surface that the shading normals suggest, so that no triangle edges show at the terminator.
 */
import type { AmbientScene } from '../../../shared/scene/ambient-look.ts'
import { type Bvh, SLOT_FLOATS } from './bvh-layout.ts'

/**
 * Rays start this far from the surface that they leave, relative to the coordinates and distances involved: sixteen ulps of
 * a float. The triangle's own coordinates are among them: a hit point is rounded relative to the distance to the corners,
 * however near the point itself is, and a ray must not hit the triangle that it just left.
 */
const OFFSET = 1 / 1048576

/** Minimum cosine between shading normal and viewer. */
const MIN_COSINE = 1 / 1024

/** Scratch of one integrator: `meet` overwrites every field. */
export class Surface {
  material = 0
  /** Whether the ray came from outside, where the triangle's corners run counter-clockwise. */
  outside = true
  /** The hit point. */
  x = 0
  y = 0
  z = 0
  /** Unit direction in which the ray arrived. */
  dx = 0
  dy = 0
  dz = 0
  /** Unit normal of the triangle, towards the ray's side; and the shading normal, which faces the ray too. */
  gx = 0
  gy = 0
  gz = 0
  nx = 0
  ny = 0
  nz = 0
  /** How far rays start from the surface, scene units. */
  offset = 0
  /** Start of shadow and ambient rays: lifted and offset. */
  litX = 0
  litY = 0
  litZ = 0
  readonly #scene: AmbientScene
  readonly #bvh: Bvh

  constructor(scene: AmbientScene, bvh: Bvh) {
    this.#scene = scene
    this.#bvh = bvh
  }

  /** Sets all fields for the hit of the ray from o along d with the triangle in `slot` at distance `t`; all are floats. */
  meet(slot: number, t: number, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): void {
    const { triangles, triangleIds } = this.#bvh
    const { indices, materialIds, normals } = this.#scene
    const x = ox + t * dx
    const y = oy + t * dy
    const z = oz + t * dz

    // Geometric normal. Its length is twice the triangle's area.
    const at = slot * SLOT_FLOATS
    const ax = triangles[at]!
    const ay = triangles[at + 1]!
    const az = triangles[at + 2]!
    const bx = triangles[at + 3]!
    const by = triangles[at + 4]!
    const bz = triangles[at + 5]!
    const cx = triangles[at + 6]!
    const cy = triangles[at + 7]!
    const cz = triangles[at + 8]!
    let gx = (by - ay) * (cz - az) - (bz - az) * (cy - ay)
    let gy = (bz - az) * (cx - ax) - (bx - ax) * (cz - az)
    let gz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    const square = gx * gx + gy * gy + gz * gz
    const inverseSquare = 1 / square

    // Barycentric coordinates: signed areas opposite the corners, divided by the triangle's.
    const u = weight(bx, by, bz, cx, cy, cz, x, y, z, gx, gy, gz) * inverseSquare
    const v = weight(cx, cy, cz, ax, ay, az, x, y, z, gx, gy, gz) * inverseSquare
    const w = 1 - u - v

    const outside = gx * dx + gy * dy + gz * dz < 0
    const side = outside ? 1 : -1
    const scale = side / Math.sqrt(square)
    gx *= scale
    gy *= scale
    gz *= scale

    // Shading normal: interpolated, on the side of the triangle that was hit.
    const id = triangleIds[slot]!
    const na = indices[id * 3]! * 3
    const nb = indices[id * 3 + 1]! * 3
    const nc = indices[id * 3 + 2]! * 3
    let nx = u * normals[na]! + v * normals[nb]! + w * normals[nc]!
    let ny = u * normals[na + 1]! + v * normals[nb + 1]! + w * normals[nc + 1]!
    let nz = u * normals[na + 2]! + v * normals[nb + 2]! + w * normals[nc + 2]!
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
    const turn = (nx * gx + ny * gy + nz * gz < 0 ? -1 : 1) / length
    // If the normals cancel out, fall back to the triangle's own.
    const smooth = length > 1e-6
    nx = smooth ? nx * turn : gx
    ny = smooth ? ny * turn : gy
    nz = smooth ? nz * turn : gz

    // A shading normal can turn away from a ray that only grazes the triangle: bend it back until it just faces the ray.
    const reach = Math.sqrt(dx * dx + dy * dy + dz * dz)
    const inverseReach = 1 / reach
    const inX = dx * inverseReach
    const inY = dy * inverseReach
    const inZ = dz * inverseReach
    const cosine = -(nx * inX + ny * inY + nz * inZ)
    if (cosine < MIN_COSINE) {
      nx += (cosine - MIN_COSINE) * inX
      ny += (cosine - MIN_COSINE) * inY
      nz += (cosine - MIN_COSINE) * inZ
      const shrink = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz)
      nx *= shrink
      ny *= shrink
      nz *= shrink
    }

    // Lift the point by its depth below each corner's tangent plane, with the corners' weights.
    const liftA = u * depthUnder(normals, na, side, ax, ay, az, x, y, z)
    const liftB = v * depthUnder(normals, nb, side, bx, by, bz, x, y, z)
    const liftC = w * depthUnder(normals, nc, side, cx, cy, cz, x, y, z)
    const offset = OFFSET * (largest(ax, ay, az, bx, by, bz, cx, cy, cz) + t * reach)
    this.litX = x + gx * offset + liftA * normals[na]! + liftB * normals[nb]! + liftC * normals[nc]!
    this.litY = y + gy * offset + liftA * normals[na + 1]! + liftB * normals[nb + 1]! + liftC * normals[nc + 1]!
    this.litZ = z + gz * offset + liftA * normals[na + 2]! + liftB * normals[nb + 2]! + liftC * normals[nc + 2]!

    this.material = materialIds[id]!
    this.outside = outside
    this.x = x
    this.y = y
    this.z = z
    this.dx = inX
    this.dy = inY
    this.dz = inZ
    this.gx = gx
    this.gy = gy
    this.gz = gz
    this.nx = nx
    this.ny = ny
    this.nz = nz
    this.offset = offset
  }
}

/** The largest absolute coordinate of a triangle. */
function largest(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
): number {
  const a = Math.max(Math.abs(ax), Math.abs(ay), Math.abs(az))
  const b = Math.max(Math.abs(bx), Math.abs(by), Math.abs(bz))
  const c = Math.max(Math.abs(cx), Math.abs(cy), Math.abs(cz))
  return Math.max(a, b, c)
}

/** Twice the signed area of the triangle (p, q, x) times the length of g, where g is normal to it. */
function weight(
  px: number,
  py: number,
  pz: number,
  qx: number,
  qy: number,
  qz: number,
  x: number,
  y: number,
  z: number,
  gx: number,
  gy: number,
  gz: number,
): number {
  const ux = qx - px
  const uy = qy - py
  const uz = qz - pz
  const vx = x - px
  const vy = y - py
  const vz = z - pz
  return gx * (uy * vz - uz * vy) + gy * (uz * vx - ux * vz) + gz * (ux * vy - uy * vx)
}

/** How far to move along a corner's normal to reach its tangent plane from below (seen from `side`); 0 from above. */
function depthUnder(
  normals: Float32Array,
  at: number,
  side: number,
  cx: number,
  cy: number,
  cz: number,
  x: number,
  y: number,
  z: number,
): number {
  const height = (x - cx) * normals[at]! + (y - cy) * normals[at + 1]! + (z - cz) * normals[at + 2]!
  // Branch-free: on curved surfaces a branch would be unpredictable.
  return 0.5 * (side * Math.abs(height) - height)
}
