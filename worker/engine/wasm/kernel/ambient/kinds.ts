/** The kinds of surface that the ambient integrator has: of a material that varies, the nearest one at a point. */
import {
  COATED,
  GLASS,
  MATERIAL_COAT,
  MATERIAL_KIND,
  MATERIAL_MAP_COUNT,
  MATERIAL_METALLIC,
  MATERIAL_ROUGHNESS,
  MATERIAL_TRANSMISSION,
  MATERIAL_VARIES,
  MATTE,
  MIRROR,
  UNLIT,
} from '../layout'

/** As in `shared/scene/ambient-look.ts`. */
const MIRROR_BELOW: f32 = 0.3

/** @param material as it is at the hit point (`surface/vary.ts`) */
@inline
export function kindAt(material: u32): u32 {
  const kind = load<u32>(material, MATERIAL_KIND)
  const textured = load<u32>(material, MATERIAL_VARIES) != 0 && load<u32>(material, MATERIAL_MAP_COUNT) > 0
  return textured && kind != UNLIT ? nearestKind(material) : kind
}

function nearestKind(material: u32): u32 {
  if (load<f32>(material, MATERIAL_TRANSMISSION) >= 0.5) return GLASS
  if (load<f32>(material, MATERIAL_METALLIC) >= 0.5 && load<f32>(material, MATERIAL_ROUGHNESS) < MIRROR_BELOW) return MIRROR
  return load<f32>(material, MATERIAL_COAT) > 0 ? COATED : MATTE
}
