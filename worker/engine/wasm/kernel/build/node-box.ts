/** The box of a node: the union of its children's. */
import { Slab } from '../records'

/** Lower sides of a node: the minimum over its children. */
@inline
export function lowestOf(node: u32): v128 {
  return leastOfLanes(
    f32x4.pmin(v128.load(node), v128.load(node, 128)),
    f32x4.pmin(v128.load(node, 16), v128.load(node, 144)),
    f32x4.pmin(v128.load(node, 32), v128.load(node, 160)),
  )
}

@inline
export function highestOf(node: u32): v128 {
  const other = node + Slab.OTHER_SIDE
  return greatestOfLanes(
    f32x4.pmax(v128.load(other), v128.load(other, 128)),
    f32x4.pmax(v128.load(other, 16), v128.load(other, 144)),
    f32x4.pmax(v128.load(other, 32), v128.load(other, 160)),
  )
}

/** The minimum lane of each of three vectors, as xyz. */
@inline
export function leastOfLanes(x: v128, y: v128, z: v128): v128 {
  const xy = f32x4.pmin(v128.shuffle<i32>(x, y, 0, 4, 1, 5), v128.shuffle<i32>(x, y, 2, 6, 3, 7))
  const zz = f32x4.pmin(z, v128.shuffle<i32>(z, z, 2, 3, 2, 3))
  return f32x4.pmin(v128.shuffle<i32>(xy, zz, 0, 1, 4, 4), v128.shuffle<i32>(xy, zz, 2, 3, 5, 5))
}

@inline
export function greatestOfLanes(x: v128, y: v128, z: v128): v128 {
  const xy = f32x4.pmax(v128.shuffle<i32>(x, y, 0, 4, 1, 5), v128.shuffle<i32>(x, y, 2, 6, 3, 7))
  const zz = f32x4.pmax(z, v128.shuffle<i32>(z, z, 2, 3, 2, 3))
  return f32x4.pmax(v128.shuffle<i32>(xy, zz, 0, 1, 4, 4), v128.shuffle<i32>(xy, zz, 2, 3, 5, 5))
}

/** Writes the box of a lane of a group. */
@inline
export function storeBox(at: u32, low: v128, high: v128): void {
  v128.store_lane<f32>(at, low, 0)
  v128.store_lane<f32>(at, low, 1, 16)
  v128.store_lane<f32>(at, low, 2, 32)
  v128.store_lane<f32>(at, high, 0, Slab.OTHER_SIDE)
  v128.store_lane<f32>(at, high, 1, Slab.OTHER_SIDE + 16)
  v128.store_lane<f32>(at, high, 2, Slab.OTHER_SIDE + 32)
}
