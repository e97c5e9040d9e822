/**
 * Materials that vary over a surface. Shading reads everything about a material from its record; so a hit on a surface that varies gets
 * a record of its own, a copy with the values at that point, and shading needs no second code path. Only as many copies are needed as
 * hits are shaded together. Normal maps turn the surface's normal.
 */
import {
  MAP_AGAIN,
  MAP_ANISOTROPY,
  MAP_BYTES,
  MAP_COAT,
  MAP_COAT_NORMAL,
  MAP_COAT_ROUGHNESS,
  MAP_COLOR,
  MAP_EMISSION,
  MAP_FILM,
  MAP_IRIDESCENCE,
  MAP_METALLIC,
  MAP_NAME,
  MAP_NORMAL,
  MAP_OCCLUSION,
  MAP_OPACITY,
  MAP_ROUGHNESS,
  MAP_SHEEN_COLOR,
  MAP_SHEEN_ROUGHNESS,
  MAP_SPECULAR,
  MAP_SPECULAR_COLOR,
  MAP_TRANSMISSION,
  MATERIAL_ANISOTROPY,
  MATERIAL_ANISOTROPY_X,
  MATERIAL_ANISOTROPY_Y,
  MATERIAL_BYTES,
  MATERIAL_COAT,
  MATERIAL_COAT_NORMAL,
  MATERIAL_COAT_NORMAL_X,
  MATERIAL_COAT_NORMAL_Y,
  MATERIAL_COAT_ROUGHNESS,
  MATERIAL_COLOR,
  MATERIAL_EMISSION,
  MATERIAL_FILM,
  MATERIAL_FILM_RANGE,
  MATERIAL_IRIDESCENCE,
  MATERIAL_MAP_COUNT,
  MATERIAL_MAPS,
  MATERIAL_METALLIC,
  MATERIAL_NORMAL_X,
  MATERIAL_NORMAL_Y,
  MATERIAL_OCCLUSION,
  MATERIAL_OPACITY,
  MATERIAL_OPEN,
  MATERIAL_ROUGHNESS,
  MATERIAL_SHEEN,
  MATERIAL_SHEEN_ROUGHNESS,
  MATERIAL_SPECULAR,
  MATERIAL_SPECULAR_COLOR,
  MATERIAL_TANGENT,
  MATERIAL_TRANSMISSION,
  MATERIAL_VARIES,
  VARIES_VERTEX_COLORS,
} from '../layout'
import { seenOf } from './cone'
import { lookUp, vertexColor } from './lookup'
import { mul, splat, three } from './math/floats'
import { HIT_BYTES, SURFACE_MATERIAL, SURFACE_NX, SURFACE_NY, SURFACE_NZ, SURFACE_SIDE } from './records'
import { tangentAt, turnedNormal } from './tangent'
import { variants } from './workspace'

/**
 * Gives the surfaces of the hits from `hit` to `last` (`hit-point.ts`) their own materials where those vary.
 * @param cone where rays have their cones, or NO_CONE (`cone.ts`)
 */
@inline
export function vary(surfaces: u32, hit: u32, last: u32, cone: u32): void {
  for (let surface = surfaces, own = variants; hit <= last; hit += HIT_BYTES, surface += 4, own += MATERIAL_BYTES) {
    const material = load<u32>(surface, SURFACE_MATERIAL)
    if (load<u32>(material, MATERIAL_VARIES) != 0) copyVaried(surface, hit, material, own, cone)
  }
}

function copyVaried(surface: u32, hit: u32, material: u32, own: u32, cone: u32): void {
  for (let field: u32 = 0; field < MATERIAL_BYTES; field += 16) v128.store(own + field, v128.load(material + field))
  store<u32>(surface, own, SURFACE_MATERIAL)
  if ((load<u32>(material, MATERIAL_VARIES) & VARIES_VERTEX_COLORS) != 0)
    applyColor(own, vertexColor(surface, hit))
  const tangent = tangentAt(surface, hit)
  const maps = load<u32>(material, MATERIAL_MAPS)
  const count = load<u32>(material, MATERIAL_MAP_COUNT)
  if (count > 0) {
    const seen = seenOf(surface, hit, cone)
    let normal = three(load<f32>(surface, SURFACE_NX), load<f32>(surface, SURFACE_NY), load<f32>(surface, SURFACE_NZ))
    // The coat keeps the normal that the textures of the body turn.
    v128.store(own, normal, MATERIAL_COAT_NORMAL)
    let texel = splat(1)
    for (let i: u32 = 0; i < count; i++) {
      const map = maps + i * MAP_BYTES
      // Textures of several properties, as of metal and roughness, follow each other.
      if (load<u32>(map, MAP_AGAIN) == 0) texel = lookUp(map, surface, hit, seen)
      const name = load<u32>(map, MAP_NAME)
      if (name == MAP_NORMAL)
        normal = turnedNormal(surface, tangent, texel, load<f32>(own, MATERIAL_NORMAL_X), load<f32>(own, MATERIAL_NORMAL_Y))
      else if (name == MAP_COAT_NORMAL)
        v128.store(
          own,
          turnedNormal(surface, tangent, texel, load<f32>(own, MATERIAL_COAT_NORMAL_X), load<f32>(own, MATERIAL_COAT_NORMAL_Y)),
          MATERIAL_COAT_NORMAL,
        )
      else apply(own, name, texel)
    }
    store<f32>(surface, f32x4.extract_lane(normal, 0), SURFACE_NX)
    store<f32>(surface, f32x4.extract_lane(normal, 1), SURFACE_NY)
    store<f32>(surface, f32x4.extract_lane(normal, 2), SURFACE_NZ)
  }
  const side = load<f32>(surface, SURFACE_SIDE)
  // Seen from behind, the tangent's frame is turned around, see `tangent.ts`.
  v128.store(own, mul(tangent, splat(side)), MATERIAL_TANGENT)
  store<f32>(own, f32x4.extract_lane(tangent, 3) * side, MATERIAL_TANGENT + 12)
}

/** Applies the value of a texture to the record of a hit. */
function apply(own: u32, name: u32, texel: v128): void {
  const red = f32x4.extract_lane(texel, 0)
  const green = f32x4.extract_lane(texel, 1)
  const blue = f32x4.extract_lane(texel, 2)
  const opacity = f32x4.extract_lane(texel, 3)
  if (name == MAP_COLOR) applyColor(own, texel)
  else if (name == MAP_OPACITY) scale(own + MATERIAL_OPACITY, green)
  else if (name == MAP_METALLIC) scale(own + MATERIAL_METALLIC, blue)
  else if (name == MAP_ROUGHNESS) scale(own + MATERIAL_ROUGHNESS, green)
  else if (name == MAP_OCCLUSION)
    store<f32>(own, <f32>1 + load<f32>(own, MATERIAL_OCCLUSION) * (red - 1), MATERIAL_OPEN)
  else if (name == MAP_EMISSION) {
    store<f64>(own, load<f64>(own, MATERIAL_EMISSION) * <f64>red, MATERIAL_EMISSION)
    store<f64>(own, load<f64>(own, MATERIAL_EMISSION + 8) * <f64>green, MATERIAL_EMISSION + 8)
    store<f64>(own, load<f64>(own, MATERIAL_EMISSION + 16) * <f64>blue, MATERIAL_EMISSION + 16)
  } else if (name == MAP_SPECULAR) scale(own + MATERIAL_SPECULAR, opacity)
  else if (name == MAP_SPECULAR_COLOR) scaleThree(own + MATERIAL_SPECULAR_COLOR, red, green, blue)
  else if (name == MAP_TRANSMISSION) scale(own + MATERIAL_TRANSMISSION, red)
  else if (name == MAP_COAT) scale(own + MATERIAL_COAT, red)
  else if (name == MAP_COAT_ROUGHNESS) scale(own + MATERIAL_COAT_ROUGHNESS, green)
  else if (name == MAP_SHEEN_COLOR) scaleThree(own + MATERIAL_SHEEN, red, green, blue)
  else if (name == MAP_SHEEN_ROUGHNESS) scale(own + MATERIAL_SHEEN_ROUGHNESS, opacity)
  else if (name == MAP_ANISOTROPY) turnAnisotropy(own, red * 2 - 1, green * 2 - 1, blue)
  else if (name == MAP_IRIDESCENCE) scale(own + MATERIAL_IRIDESCENCE, red)
  else if (name == MAP_FILM)
    store<f32>(own, load<f32>(own, MATERIAL_FILM) + load<f32>(own, MATERIAL_FILM_RANGE) * green, MATERIAL_FILM)
}

/** Red, green and blue, and opacity. */
@inline
function applyColor(own: u32, color: v128): void {
  v128.store(own, mul(v128.load(own, MATERIAL_COLOR), color), MATERIAL_COLOR)
  scale(own + MATERIAL_OPACITY, f32x4.extract_lane(color, 3))
}

@inline
function scale(field: u32, factor: f32): void {
  store<f32>(field, load<f32>(field) * factor)
}

@inline
function scaleThree(field: u32, red: f32, green: f32, blue: f32): void {
  scale(field, red)
  scale(field + 4, green)
  scale(field + 8, blue)
}

/** Turns the direction of anisotropy by that of a texture, as complex numbers are multiplied. */
@inline
function turnAnisotropy(own: u32, x: f32, y: f32, strength: f32): void {
  const length = sqrt<f32>(x * x + y * y)
  scale(own + MATERIAL_ANISOTROPY, strength)
  if (!(length > 0)) return
  const ownX = load<f32>(own, MATERIAL_ANISOTROPY_X)
  const ownY = load<f32>(own, MATERIAL_ANISOTROPY_Y)
  store<f32>(own, (ownX * x - ownY * y) / length, MATERIAL_ANISOTROPY_X)
  store<f32>(own, (ownY * x + ownX * y) / length, MATERIAL_ANISOTROPY_Y)
}
