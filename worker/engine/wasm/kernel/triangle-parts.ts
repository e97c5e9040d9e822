/** Where the parts of a triangle are: its words number three vertices and a material (`shared/scene/triangle-bits.ts`), these are their addresses. */
import { Material, Scene, Vertex } from './records'

/** Addresses of the parts number 0, for `partsOf`. */
@inline
export function firstParts(): v128 {
  return i32x4.replace_lane(i32x4.splat(Scene.vertices()), 3, Scene.materials())
}

/** Addresses of vertices a, b, c and of the material of triangle number `id`, by lane. */
@inline
export function partsOf(id: u32, triangles: u32, first: v128): v128 {
  const words = wordsOf(id, triangles)
  const bits = Scene.vertexBits()
  const mask = (1 << bits) - 1
  const ab = load<u64>(words)
  const c = load<u64>(words + Scene.triangleBytes() - 8) >> (64 - bits)
  let numbers = i32x4.splat(<u32>ab & mask)
  numbers = i32x4.replace_lane(numbers, 1, <u32>(ab >> bits) & mask)
  numbers = i32x4.replace_lane(numbers, 2, <u32>c)
  numbers = i32x4.replace_lane(numbers, 3, materialNumber(words))
  return i32x4.add(i32x4.mul(numbers, i32x4(Vertex.BYTES, Vertex.BYTES, Vertex.BYTES, Material.BYTES)), first)
}

/** Where the words of triangle number `id` are. */
@inline
export function wordsOf(id: u32, triangles: u32): u32 {
  return triangles + id * Scene.triangleBytes()
}

/** Number of the material of the triangle with these words, or what stands there of a mesh (`Slot`). */
@inline
export function materialNumber(words: u32): u32 {
  const bits = Scene.materialBits()
  const last = load<u64>(words + Scene.triangleBytes() - 8)
  return <u32>(last >> (64 - Scene.vertexBits() - bits)) & ((1 << bits) - 1)
}
