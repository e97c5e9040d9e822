/** Triangles of instances where they are in the scene, with the bits that baking gives them (`shared/scene/bake.ts`). */
import { Corner, Instance, MatrixRow } from './records'

/** Writes the corners of a mesh's triangle4 as an instance has them, in the same layout, to `to`. */
export function placeTriangle4(triangle4: u32, instance: u32, to: u32): void {
  placeCorner(triangle4, instance, to)
  // A mirrored instance has its corners in the other order.
  placeCorner(triangle4 + Instance.cornerB(instance), instance, to + Corner.BYTES)
  placeCorner(triangle4 + Instance.cornerC(instance), instance, to + 2 * Corner.BYTES)
}

/** Of lanes of a placed triangle4, those whose triangle has area, by the sums of `hasArea` in `bake.ts`: no ray hits the others where they are baked. */
export function lanesWithArea(corners: u32, lanes: v128): v128 {
  for (let left = i32x4.bitmask(lanes); left != 0; left &= left - 1) {
    const lane = i32.ctz(left)
    if (!hasArea(corners + (lane << 2))) lanes = v128.andnot(lanes, i32x4.eq(i32x4(0, 1, 2, 3), i32x4.splat(lane)))
  }
  return lanes
}

function hasArea(slot: u32): bool {
  const ax: f64 = Corner.x(slot)
  const ay: f64 = Corner.y(slot)
  const az: f64 = Corner.z(slot)
  const ux = <f64>Corner.x(slot + Corner.BYTES) - ax
  const uy = <f64>Corner.y(slot + Corner.BYTES) - ay
  const uz = <f64>Corner.z(slot + Corner.BYTES) - az
  const vx = <f64>Corner.x(slot + 2 * Corner.BYTES) - ax
  const vy = <f64>Corner.y(slot + 2 * Corner.BYTES) - ay
  const vz = <f64>Corner.z(slot + 2 * Corner.BYTES) - az
  return uy * vz != uz * vy || uz * vx != ux * vz || ux * vy != uy * vx
}

@inline
function placeCorner(from: u32, instance: u32, to: u32): void {
  const x = Corner.xLanes(from)
  const y = Corner.yLanes(from)
  const z = Corner.zLanes(from)
  const lowX = f64x2.promote_low_f32x4(x)
  const lowY = f64x2.promote_low_f32x4(y)
  const lowZ = f64x2.promote_low_f32x4(z)
  const highX = f64x2.promote_low_f32x4(i32x4.shuffle(x, x, 2, 3, 2, 3))
  const highY = f64x2.promote_low_f32x4(i32x4.shuffle(y, y, 2, 3, 2, 3))
  const highZ = f64x2.promote_low_f32x4(i32x4.shuffle(z, z, 2, 3, 2, 3))
  for (let axis: u32 = 0; axis < 3; axis++) {
    const row = Instance.rows(instance, axis)
    const low = f32x4.demote_f64x2_zero(placed(row, lowX, lowY, lowZ))
    const high = f32x4.demote_f64x2_zero(placed(row, highX, highY, highZ))
    v128.store(to + axis * 16, i32x4.shuffle(low, high, 0, 1, 4, 5))
  }
}

/** One coordinate of two points in the scene. */
@inline
function placed(row: u32, x: v128, y: v128, z: v128): v128 {
  const xy = f64x2.add(f64x2.mul(v128.load64_splat(row, MatrixRow.X), x), f64x2.mul(v128.load64_splat(row, MatrixRow.Y), y))
  return f64x2.add(f64x2.add(xy, f64x2.mul(v128.load64_splat(row, MatrixRow.Z), z)), v128.load64_splat(row, MatrixRow.SHIFT))
}
