/**
 * Materials that vary over a surface. Shading reads everything about a material from its record; so a hit on a surface that varies gets
 * a record of its own, a copy with the values at that point, and shading needs no second code path. Only as many copies are needed as
 * hits are shaded together. Normal maps turn the surface's normal.
 */
import { Hit, MapEffect, MapName, Material, Surface, TextureUse, Varies } from '../records'
import { seenOf } from './cone'
import { isSecond, locate, lookUp, vertexColor } from './lookup'
import { mul, splat, three } from './math/floats'
import { tangentAt, turnedNormal } from './tangent'

/**
 * Gives the surfaces of the hits from `hit` to `last` (`hit-point.ts`) their own materials where those vary: at `own`.
 * @param carried whether rays carry cones (`cone.ts`)
 */
@inline
export function vary(surface: u32, hit: u32, last: u32, own: u32, carried: bool): void {
  for (; hit <= last; hit += Hit.BYTES, surface += 4, own += Material.BYTES) {
    const material = Surface.material(surface)
    if (Material.varies(material) != 0) copyVaried(surface, hit, material, own, carried)
  }
}

function copyVaried(surface: u32, hit: u32, material: u32, own: u32, carried: bool): void {
  for (let field: u32 = 0; field < Material.BYTES; field += 16) v128.store(own + field, v128.load(material + field))
  Surface.setMaterial(surface, own)
  if ((Material.varies(material) & Varies.BY_VERTEX_COLORS) != 0)
    applyColor(own, vertexColor(surface, hit))
  const tangent = tangentAt(surface, hit)
  const maps = Material.maps(material)
  const count = Material.mapCount(material)
  if (count > 0) {
    const seen = seenOf(surface, hit, carried)
    let normal = three(Surface.nx(surface), Surface.ny(surface), Surface.nz(surface))
    // The coat keeps the normal that the textures of the body turn.
    Material.setCoatNormal(own, normal)
    let texel = splat(1)
    let located = -1
    for (let i: u32 = 0; i < count; i++) {
      const map = maps + i * TextureUse.BYTES
      // Textures of several properties, as of metal and roughness, follow each other.
      if (TextureUse.again(map) == 0) {
        const set = i32(isSecond(map))
        if (set != located) locate(surface, hit, set != 0)
        located = set
        texel = lookUp(map, seen)
      }
      const name = TextureUse.name(map)
      if (name == MapName.NORMAL)
        normal = turnedNormal(surface, tangent, texel, Material.normalScaleX(own), Material.normalScaleY(own))
      else if (name == MapName.COAT_NORMAL)
        Material.setCoatNormal(own, turnedNormal(surface, tangent, texel, Material.coatNormalScaleX(own), Material.coatNormalScaleY(own)))
      else apply(own, name, texel)
    }
    Surface.setNx(surface, f32x4.extract_lane(normal, 0))
    Surface.setNy(surface, f32x4.extract_lane(normal, 1))
    Surface.setNz(surface, f32x4.extract_lane(normal, 2))
  }
  const side = Surface.side(surface)
  // Seen from behind, the tangent's frame is turned around, see `tangent.ts`.
  Material.setTangent(own, mul(tangent, splat(side)))
  Material.setTangentSide(own, f32x4.extract_lane(tangent, 3) * side)
}

/** Applies the value of a texture to the record of a hit. */
function apply(own: u32, name: u32, texel: v128): void {
  if (MapEffect.scale(own, name, texel)) return
  const red = f32x4.extract_lane(texel, 0)
  const green = f32x4.extract_lane(texel, 1)
  const blue = f32x4.extract_lane(texel, 2)
  if (name == MapName.COLOR) applyColor(own, texel)
  else if (name == MapName.OCCLUSION) Material.setOpen(own, <f32>1 + Material.occlusion(own) * (red - 1))
  else if (name == MapName.ANISOTROPY) turnAnisotropy(own, red * 2 - 1, green * 2 - 1, blue)
  else if (name == MapName.IRIDESCENCE_THICKNESS)
    Material.setIridescenceThickness(own, Material.iridescenceThickness(own) + Material.iridescenceRange(own) * green)
}

/** Red, green and blue, and opacity. */
@inline
function applyColor(own: u32, color: v128): void {
  Material.setColor(own, mul(Material.color(own), color))
  Material.setOpacity(own, Material.opacity(own) * f32x4.extract_lane(color, 3))
}

/** Turns the direction of anisotropy by that of a texture, as complex numbers are multiplied. */
@inline
function turnAnisotropy(own: u32, x: f32, y: f32, strength: f32): void {
  const length = sqrt<f32>(x * x + y * y)
  Material.setAnisotropy(own, Material.anisotropy(own) * strength)
  if (!(length > 0)) return
  const ownX = Material.anisotropyDirectionX(own)
  const ownY = Material.anisotropyDirectionY(own)
  Material.setAnisotropyDirectionX(own, (ownX * x - ownY * y) / length)
  Material.setAnisotropyDirectionY(own, (ownY * x + ownX * y) / length)
}
