/** Where the parts of a triangle are: its record numbers three vertices and a material, these are their addresses, in the same order. */
import { Material, Scene, Triangle, Vertex } from './records'

/** Addresses of the parts number 0, for `partsOf`. */
@inline
export function firstParts(): v128 {
  return i32x4.replace_lane(i32x4.splat(Scene.vertices()), 3, Scene.materials())
}

/** Addresses of vertices a, b, c and of the material of triangle number `id`, by lane. */
@inline
export function partsOf(id: u32, triangles: u32, first: v128): v128 {
  const numbers = Triangle.numbers(triangles + id * Triangle.BYTES)
  return i32x4.add(i32x4.mul(numbers, i32x4(Vertex.BYTES, Vertex.BYTES, Vertex.BYTES, Material.BYTES)), first)
}
