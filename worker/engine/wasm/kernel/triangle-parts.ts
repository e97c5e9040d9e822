/** Where the parts of a triangle are: its record numbers three vertices and a material, these are their addresses, in the same order. */
import {
  MATERIAL_BYTES,
  SCENE,
  SCENE_MATERIALS,
  SCENE_VERTICES_AT,
  TRIANGLE_BYTES,
  VERTEX_BYTES,
} from './layout'

/** Addresses of the parts number 0, for `partsOf`. */
@inline
export function firstParts(): v128 {
  return i32x4.replace_lane(i32x4.splat(load<u32>(SCENE, SCENE_VERTICES_AT)), 3, load<u32>(SCENE, SCENE_MATERIALS))
}

/** Addresses of vertices a, b, c and of the material of triangle number `id`, by lane. */
@inline
export function partsOf(id: u32, triangles: u32, first: v128): v128 {
  const numbers = v128.load(triangles + id * TRIANGLE_BYTES)
  return i32x4.add(i32x4.mul(numbers, i32x4(VERTEX_BYTES, VERTEX_BYTES, VERTEX_BYTES, MATERIAL_BYTES)), first)
}
