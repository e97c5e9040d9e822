/** What three's materials cannot say of glTF's, and what its loader says differently. */
import {
  FrontSide,
  type Material,
  type Mesh,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
} from 'three'

/** Just less than 1, which stands for a purely diffuse surface here: glTF's reflects a little all the same. */
export const ROUGHEST = 0.9999

/** Completes the materials of a loaded file, each of which belongs to it alone. */
export function completeSurfaces(meshes: readonly Mesh[]): void {
  const turned = new Set<Material>()
  for (const { material, geometry } of meshes)
    for (const each of [material].flat()) {
      each.userData.unlit = each instanceof MeshBasicMaterial
      each.userData.culled = each.side === FrontSide && !isClear(each)
      if (each instanceof MeshStandardMaterial) each.roughness = Math.min(each.roughness, ROUGHEST)
      if (geometry.hasAttribute('tangent') || turned.has(each)) continue
      turned.add(each)
      // The loader turns normals around for the tangents that shaders derive where there are none; here there will be real ones.
      if (each instanceof MeshStandardMaterial) each.normalScale.y *= -1
      if (each instanceof MeshPhysicalMaterial) each.clearcoatNormalScale.y *= -1
    }
}

/** Of what light passes through, the inside of the far side is seen, too. */
const isClear = (material: Material): boolean => material instanceof MeshPhysicalMaterial && material.transmission > 0
