/**
 * Materials that vary over a surface. All that shading asks of a material is in its record; so a hit on a surface that varies gets a
 * record of its own, a copy with the values of that point, and shading does not know the difference. Only as many copies are needed as
 * hits are shaded together.
 */
import {
  COLOR_BYTES,
  MATERIAL_BYTES,
  MATERIAL_COLOR,
  MATERIAL_VARIES,
  SCENE,
  SCENE_COLORS,
  SCENE_VERTICES_AT,
  VERTEX_BYTES,
} from '../layout'
import { add, mul, splat } from './floats'
import {
  HIT_BYTES,
  HIT_VERTEX_A,
  HIT_VERTEX_B,
  HIT_VERTEX_C,
  SURFACE_MATERIAL,
  SURFACE_ON_B,
  SURFACE_ON_C,
} from './records'
import { variants } from './workspace'

/** Gives the surfaces of the hits from `hit` to `last` (`surface.ts`) their own materials where those vary. */
@inline
export function vary(surfaces: u32, hit: u32, last: u32): void {
  for (let surface = surfaces, own = variants; hit <= last; hit += HIT_BYTES, surface += 4, own += MATERIAL_BYTES) {
    const material = load<u32>(surface, SURFACE_MATERIAL)
    if (load<u32>(material, MATERIAL_VARIES) != 0) copyVaried(surface, hit, material, own)
  }
}

function copyVaried(surface: u32, hit: u32, material: u32, own: u32): void {
  for (let field: u32 = 0; field < MATERIAL_BYTES; field += 16) v128.store(own + field, v128.load(material + field))
  v128.store(own, mul(v128.load(material, MATERIAL_COLOR), vertexColor(surface, hit)), MATERIAL_COLOR)
  store<u32>(surface, own, SURFACE_MATERIAL)
}

/** Colour between those of the triangle's corners, and opacity. */
function vertexColor(surface: u32, hit: u32): v128 {
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
  const number = (vertex - load<u32>(SCENE, SCENE_VERTICES_AT)) / VERTEX_BYTES
  return f32x4.convert_i32x4_u(v128.load16x4_u(load<u32>(SCENE, SCENE_COLORS) + number * COLOR_BYTES))
}
