/** Whether meshes light a scene by what they emit, as lamps and screens do. */
import { Color, Mesh, type Object3D, SRGBColorSpace, type Texture, Material as ThreeMaterial } from 'three'
import { linearFromSrgb } from '../../shared/math/srgb.ts'
import { TEXEL_BYTES } from '../../shared/scene/texture.ts'
import { obstacleOf, pixelsOf } from '../import/materials/map-texture.ts'

/**
 * Surfaces emit over much of their picture if its mean is at least this share of its brightest texel. Others have details that glow, such
 * as the lights of a dashboard, and would leave their scene in the dark.
 */
const LEAST_MEAN = 1 / 4
/** Texels that are looked at. */
const MOST_TEXELS = 2 ** 16

/** Whether anything visible glows as a whole. */
export function glows(root: Object3D): boolean {
  let found = false
  root.traverseVisible(object => {
    if (found || !(object instanceof Mesh)) return
    found = [object.material].flat().some(material => material instanceof ThreeMaterial && isGlowing(material))
  })
  return found
}

function isGlowing(material: ThreeMaterial): boolean {
  if (!('emissive' in material) || !(material.emissive instanceof Color)) return false
  const { r, g, b } = material.emissive
  const intensity = 'emissiveIntensity' in material ? Number(material.emissiveIntensity) : 1
  const isClear = material.transparent && material.opacity <= 0
  if (!(Math.max(r, g, b) * intensity > 0) || isClear) return false
  const map = 'emissiveMap' in material ? (material.emissiveMap as Texture | null) : null
  return !map || meanShare(map) >= LEAST_MEAN
}

/** Mean of a picture over its brightest texel, of whichever colour is the brightest; of one that cannot be read 1. */
function meanShare(map: Texture): number {
  if (obstacleOf(map) !== undefined) return 1
  const { data, width, height } = pixelsOf(map)!
  const texels = width * height
  const isSrgb = map.colorSpace === SRGBColorSpace
  const linear = (byte: number) => (isSrgb ? linearFromSrgb(byte / 255) : byte / 255)
  const step = Math.max(1, Math.floor(texels / MOST_TEXELS))
  let sum = 0
  let most = 0
  let count = 0
  for (let texel = 0; texel < texels; texel += step, count++) {
    const value = linear(
      Math.max(data[texel * TEXEL_BYTES]!, data[texel * TEXEL_BYTES + 1]!, data[texel * TEXEL_BYTES + 2]!),
    )
    sum += value
    most = Math.max(most, value)
  }
  return most > 0 ? sum / count / most : 0
}
