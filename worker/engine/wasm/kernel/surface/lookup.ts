/** Values of a material's textures, and of vertex colours, at a hit point. */
import { Hit, PlacedVertex, Scene, Surface, TextureUse, Uv, Vertex, VertexColor } from '../records'
import { add, mul, splat } from './math/floats'
import { levelFor, textureAt } from './texture'

/** Texture coordinates of the hit point that was located last, and twice the area of its triangle in them. */
let u: f32 = 0
let v: f32 = 0
let twice: f32 = 0

/** Whether a texture goes by the second set of coordinates. */
@inline
export function isSecond(map: u32): bool {
  return TextureUse.set(map) != 0 && Scene.uv2() != 0
}

/** Finds the coordinates of a hit point for `lookUp`. */
export function locate(surface: u32, hit: u32, second: bool): void {
  const a = coordinatesOf(Hit.vertexA(hit), second)
  const b = coordinatesOf(Hit.vertexB(hit), second)
  const c = coordinatesOf(Hit.vertexC(hit), second)
  const onB = Surface.onB(surface)
  const onC = Surface.onC(surface)
  const onA = <f32>1 - onB - onC
  const au = Uv.uvU(a)
  const bu = Uv.uvU(b)
  const cu = Uv.uvU(c)
  const av = Uv.uvV(a)
  const bv = Uv.uvV(b)
  const cv = Uv.uvV(c)
  u = onA * au + onB * bu + onC * cu
  v = onA * av + onB * bv + onC * cv
  twice = abs<f32>((bu - au) * (cv - av) - (cu - au) * (bv - av))
}

/**
 * The value of a texture at the hit point that was located.
 * @param seen what is seen of the surface, over twice its triangle's area; 0 for the finest level
 */
export function lookUp(map: u32, seen: f32): v128 {
  const texture = TextureUse.texture(map)
  return textureAt(
    texture,
    levelFor(texture, seen * twice * TextureUse.stretch(map)),
    TextureUse.transformA(map) * u + TextureUse.transformB(map) * v + TextureUse.transformC(map),
    TextureUse.transformD(map) * u + TextureUse.transformE(map) * v + TextureUse.transformF(map),
  )
}

/** The value of one texture at a hit point, on the finest level. */
export function lookUpAt(map: u32, surface: u32, hit: u32): v128 {
  locate(surface, hit, isSecond(map))
  return lookUp(map, 0)
}

/** Address of a vertex's coordinates. */
@inline
function coordinatesOf(vertex: u32, second: bool): u32 {
  if (isPlaced(vertex)) return second ? PlacedVertex.uv2(vertex) : PlacedVertex.uv(vertex)
  return (second ? Scene.uv2() : Scene.uv()) + numberOf(vertex) * Uv.BYTES
}

/** Whether a vertex is not among those of the scene, which come before its materials. */
@inline
export function isPlaced(vertex: u32): bool {
  return vertex > Scene.materials()
}

/** Number of a vertex, from its address. */
@inline
export function numberOf(vertex: u32): u32 {
  return (vertex - Scene.vertices()) / Vertex.BYTES
}

/** Colour between those of the triangle's corners, and opacity. */
export function vertexColor(surface: u32, hit: u32): v128 {
  const onB = Surface.onB(surface)
  const onC = Surface.onC(surface)
  const a = mul(splat(<f32>1 - onB - onC), colorOf(Hit.vertexA(hit)))
  const b = mul(splat(onB), colorOf(Hit.vertexB(hit)))
  const c = mul(splat(onC), colorOf(Hit.vertexC(hit)))
  // Rounding may lead out of the triangle.
  const color = mul(add(add(a, b), c), splat(1.0 / 65535.0))
  return f32x4.pmin(splat(1), f32x4.pmax(splat(0), color))
}

/** Colour of a vertex, 65535 is 1. */
@inline
function colorOf(vertex: u32): v128 {
  const color = isPlaced(vertex) ? PlacedVertex.color(vertex) : Scene.colors() + numberOf(vertex) * VertexColor.BYTES
  return f32x4.convert_i32x4_u(VertexColor.channels(color))
}
