/** Values of a material's textures, and of vertex colours, at a hit point. */
import { PLACED_COLOR, PLACED_UV2 } from '../instance-layout'
import {
  COLOR_BYTES,
  MAP_PLACE,
  MAP_SET,
  MAP_STRETCH,
  MAP_TEXTURE,
  SCENE,
  SCENE_COLORS,
  SCENE_MATERIALS,
  SCENE_UV2,
  SCENE_VERTICES_AT,
  UV2_BYTES,
  VERTEX_BYTES,
  VERTEX_UV,
} from '../layout'
import { add, mul, splat } from './math/floats'
import { HIT_VERTEX_A, HIT_VERTEX_B, HIT_VERTEX_C, SURFACE_ON_B, SURFACE_ON_C } from './records'
import { levelFor, textureAt } from './texture'

/** @param seen what is seen of the surface, over twice its triangle's area; 0 for the finest level */
export function lookUp(map: u32, surface: u32, hit: u32, seen: f32): v128 {
  const second = load<u32>(map, MAP_SET) != 0 && load<u32>(SCENE, SCENE_UV2) != 0
  const a = coordinatesOf(load<u32>(hit, HIT_VERTEX_A), second)
  const b = coordinatesOf(load<u32>(hit, HIT_VERTEX_B), second)
  const c = coordinatesOf(load<u32>(hit, HIT_VERTEX_C), second)
  const onB = load<f32>(surface, SURFACE_ON_B)
  const onC = load<f32>(surface, SURFACE_ON_C)
  const onA = <f32>1 - onB - onC
  const au = load<f32>(a)
  const bu = load<f32>(b)
  const cu = load<f32>(c)
  const av = load<f32>(a, 4)
  const bv = load<f32>(b, 4)
  const cv = load<f32>(c, 4)
  const u = onA * au + onB * bu + onC * cu
  const v = onA * av + onB * bv + onC * cv
  const texture = load<u32>(map, MAP_TEXTURE)
  const twice = abs<f32>((bu - au) * (cv - av) - (cu - au) * (bv - av))
  return textureAt(
    texture,
    levelFor(texture, seen * twice * load<f32>(map, MAP_STRETCH)),
    load<f32>(map, MAP_PLACE) * u + load<f32>(map, MAP_PLACE + 4) * v + load<f32>(map, MAP_PLACE + 8),
    load<f32>(map, MAP_PLACE + 12) * u + load<f32>(map, MAP_PLACE + 16) * v + load<f32>(map, MAP_PLACE + 20),
  )
}

/** Address of a vertex's coordinates. */
@inline
function coordinatesOf(vertex: u32, second: bool): u32 {
  if (!second) return vertex + VERTEX_UV
  return isPlaced(vertex) ? vertex + PLACED_UV2 : load<u32>(SCENE, SCENE_UV2) + numberOf(vertex) * UV2_BYTES
}

/** Whether a vertex is not among those of the scene, which come before its materials. */
@inline
export function isPlaced(vertex: u32): bool {
  return vertex > load<u32>(SCENE, SCENE_MATERIALS)
}

/** Number of a vertex, from its address. */
@inline
export function numberOf(vertex: u32): u32 {
  return (vertex - load<u32>(SCENE, SCENE_VERTICES_AT)) / VERTEX_BYTES
}

/** Colour between those of the triangle's corners, and opacity. */
export function vertexColor(surface: u32, hit: u32): v128 {
  const onB = load<f32>(surface, SURFACE_ON_B)
  const onC = load<f32>(surface, SURFACE_ON_C)
  const a = mul(splat(<f32>1 - onB - onC), colorOf(load<u32>(hit, HIT_VERTEX_A)))
  const b = mul(splat(onB), colorOf(load<u32>(hit, HIT_VERTEX_B)))
  const c = mul(splat(onC), colorOf(load<u32>(hit, HIT_VERTEX_C)))
  // Rounding may lead out of the triangle.
  const color = mul(add(add(a, b), c), splat(1.0 / 65535.0))
  return f32x4.pmin(splat(1), f32x4.pmax(splat(0), color))
}

/** Colour of a vertex, 65535 is 1. */
@inline
function colorOf(vertex: u32): v128 {
  const color = isPlaced(vertex) ? vertex + PLACED_COLOR : load<u32>(SCENE, SCENE_COLORS) + numberOf(vertex) * COLOR_BYTES
  return f32x4.convert_i32x4_u(v128.load16x4_u(color))
}
