/** The kinds of surface that the ambient integrator has: of a material that varies, the nearest one at a point. */
import { Material, MaterialKind } from '../records'

/** As in `shared/scene/ambient-look.ts`. */
const MIRROR_BELOW: f32 = 0.3

/** @param material as it is at the hit point (`surface/vary.ts`) */
@inline
export function kindAt(material: u32): u32 {
  const kind = Material.kind(material)
  const textured = Material.varies(material) != 0 && Material.mapCount(material) > 0
  return textured && kind != MaterialKind.UNLIT ? nearestKind(material) : kind
}

function nearestKind(material: u32): u32 {
  if (Material.transmission(material) >= 0.5) return MaterialKind.GLASS
  if (Material.metallic(material) >= 0.5 && Material.roughness(material) < MIRROR_BELOW) return MaterialKind.MIRROR
  return Material.coat(material) > 0 ? MaterialKind.COATED : MaterialKind.MATTE
}
