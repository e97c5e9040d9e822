/** The point where a ray meets a triangle, and the shading normal there, for the channels beside colour. */
import { NORMAL_AT, VERTEX_FLOATS } from '../../shared/scene/bake.ts'

/** Normals whose weighted sum is shorter cancel out: the triangle's own is used. */
const SHORTEST_NORMAL = 1e-6

/** Scratch: `meet` overwrites every field. */
export class HitPoint {
  x = 0
  y = 0
  z = 0
  /** Unit shading normal, interpolated between the corners, on the side of the triangle from which the ray came. */
  nx = 0
  ny = 0
  nz = 0

  /**
   * Sets all fields for the hit with a triangle, whose corners are three vertices (`bake.ts`) from `vertices[a]` on, at distance `t` of the
   * ray whose record is at `rays[at]`.
   */
  meet(vertices: Float32Array, a: number, t: number, rays: Float32Array, at: number): void {
    const [dx, dy, dz] = [rays[at + 4]!, rays[at + 5]!, rays[at + 6]!]
    const x = rays[at]! + t * dx
    const y = rays[at + 1]! + t * dy
    const z = rays[at + 2]! + t * dz
    const b = a + VERTEX_FLOATS
    const c = b + VERTEX_FLOATS

    // Edges from a, and the triangle's normal: their cross product, twice its area long.
    const [ux, uy, uz] = [
      vertices[b]! - vertices[a]!,
      vertices[b + 1]! - vertices[a + 1]!,
      vertices[b + 2]! - vertices[a + 2]!,
    ]
    const [vx, vy, vz] = [
      vertices[c]! - vertices[a]!,
      vertices[c + 1]! - vertices[a + 1]!,
      vertices[c + 2]! - vertices[a + 2]!,
    ]
    const gx = uy * vz - uz * vy
    const gy = uz * vx - ux * vz
    const gz = ux * vy - uy * vx
    const square = gx * gx + gy * gy + gz * gz

    // Barycentric coordinates of b and c: areas of the triangles that the point makes with the edges, over the whole.
    const [px, py, pz] = [x - vertices[a]!, y - vertices[a + 1]!, z - vertices[a + 2]!]
    const wb = (gx * (py * vz - pz * vy) + gy * (pz * vx - px * vz) + gz * (px * vy - py * vx)) / square
    const wc = (gx * (uy * pz - uz * py) + gy * (uz * px - ux * pz) + gz * (ux * py - uy * px)) / square
    const wa = 1 - wb - wc

    const side = gx * dx + gy * dy + gz * dz < 0 ? 1 : -1
    const [na, nb, nc] = [a + NORMAL_AT, b + NORMAL_AT, c + NORMAL_AT]
    let nx = wa * vertices[na]! + wb * vertices[nb]! + wc * vertices[nc]!
    let ny = wa * vertices[na + 1]! + wb * vertices[nb + 1]! + wc * vertices[nc + 1]!
    let nz = wa * vertices[na + 2]! + wb * vertices[nb + 2]! + wc * vertices[nc + 2]!
    if (nx * nx + ny * ny + nz * nz > SHORTEST_NORMAL * SHORTEST_NORMAL) {
      const facing = (nx * gx + ny * gy + nz * gz) * side < 0 ? -1 : 1
      nx *= facing
      ny *= facing
      nz *= facing
    } else {
      nx = gx * side
      ny = gy * side
      nz = gz * side
    }
    const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz)
    this.x = x
    this.y = y
    this.z = z
    this.nx = nx * scale
    this.ny = ny * scale
    this.nz = nz * scale
  }
}
