/**
 * Materials that vary over a surface. All that shading asks of a material is in its record; so a hit on a surface that varies gets a
 * record of its own, a copy with the values of that point, and shading does not know the difference. Only as many copies are needed as
 * hits are shaded together.
 */
import {
  COLOR_BYTES,
  MATERIAL_BYTES,
  MATERIAL_COLOR,
  MATERIAL_COLOR_MAP,
  MATERIAL_COLOR_PLACE,
  MATERIAL_VARIES,
  SCENE,
  SCENE_COLORS,
  SCENE_VERTICES_AT,
  VARIES_COLOR_MAP,
  VARIES_VERTEX_COLORS,
  VERTEX_BYTES,
  VERTEX_UV,
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
import { textureAt } from './texture'
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
  let color = v128.load(material, MATERIAL_COLOR)
  const varies = load<u32>(material, MATERIAL_VARIES)
  if ((varies & VARIES_VERTEX_COLORS) != 0) color = mul(color, vertexColor(surface, hit))
  if ((varies & VARIES_COLOR_MAP) != 0)
    color = mul(color, mapped(surface, hit, load<u32>(material, MATERIAL_COLOR_MAP), material + MATERIAL_COLOR_PLACE))
  v128.store(own, color, MATERIAL_COLOR)
  store<u32>(surface, own, SURFACE_MATERIAL)
}

/** What a texture shows at a hit point; `place` is the address of how its coordinates follow from the vertices'. */
function mapped(surface: u32, hit: u32, texture: u32, place: u32): v128 {
  const onB = load<f32>(surface, SURFACE_ON_B)
  const onC = load<f32>(surface, SURFACE_ON_C)
  const onA = <f32>1 - onB - onC
  const a = load<u32>(hit, HIT_VERTEX_A)
  const b = load<u32>(hit, HIT_VERTEX_B)
  const c = load<u32>(hit, HIT_VERTEX_C)
  const u = onA * load<f32>(a, VERTEX_UV) + onB * load<f32>(b, VERTEX_UV) + onC * load<f32>(c, VERTEX_UV)
  const v = onA * load<f32>(a, VERTEX_UV + 4) + onB * load<f32>(b, VERTEX_UV + 4) + onC * load<f32>(c, VERTEX_UV + 4)
  return textureAt(
    texture,
    load<f32>(place) * u + load<f32>(place, 4) * v + load<f32>(place, 8),
    load<f32>(place, 12) * u + load<f32>(place, 16) * v + load<f32>(place, 20),
  )
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
