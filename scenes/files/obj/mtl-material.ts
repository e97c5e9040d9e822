/**
 * Makes three's material of what a Wavefront material file says.
 *
 * | MTL | three |
 * |---|---|
 * | `Kd`, `map_Kd` | colour, sRGB as in three's loader |
 * | `Ke`, `map_Ke` | emission: linear radiance, because it is a quantity of light and goes beyond 1; white for a picture alone |
 * | `illum` 4, 6, 7, 9; `Ni` | solid glass; it is clear unless `Pr` says otherwise |
 * | `d`, `Tr`, `map_d` | opacity, unless it is glass: a mask where a picture is only black and white, and blended otherwise. A picture makes glass opaque |
 * | `bump`, `norm` | normals |
 * | `Ks` from 0.2 with `Ns` from 200; `map_Ks` | a coat, unless the properties below are there, and where it is |
 * | `Pr`, `Pm`, `Ps`, `Pc`, `Pcr`, `aniso`, `anisor`, and pictures of them | roughness, metalness, white sheen, coat and its roughness, anisotropy and its turns |
 */
import { Color, MeshPhysicalMaterial, SRGBColorSpace, type Texture } from 'three'
import { colorOf, type MtlEntry } from './mtl.ts'
import type { MtlPictures } from './mtl-pictures.ts'

/** Illumination models with "transparency: glass" or "refraction" in their description. */
const GLASS_MODELS: readonly number[] = [4, 6, 7, 9]

/** Texels of a mask that are at least so opaque are there. */
const MASK_CUTOFF = 0.5

/** @param unmet receives what is asked for but not traced, and why */
export async function materialOf(
  { name, numbers, maps }: MtlEntry,
  pictures: MtlPictures,
  unmet: Map<string, string>,
): Promise<MeshPhysicalMaterial> {
  const isGlass = GLASS_MODELS.includes(numbers.illum?.[0] ?? 2) && !maps.map_d
  const ior = numbers.Ni?.[0] ?? 1.5
  const material = new MeshPhysicalMaterial({
    color: new Color().setRGB(...colorOf(numbers.Kd ?? [1]), SRGBColorSpace),
    emissive: new Color().setRGB(...colorOf(numbers.Ke ?? [0])),
    roughness: isGlass ? 0 : 1,
    transmission: isGlass ? 1 : 0,
    thickness: 1,
    ior: ior > 1.01 && ior <= 2.333 ? ior : 1.5,
  })
  material.name = name
  put(material, 'map', await pictures.color(maps.map_kd))
  const glow = await pictures.color(maps.map_ke)
  put(material, 'emissiveMap', glow)
  if (glow && colorOf(numbers.Ke ?? [0]).every(channel => channel === 0)) material.emissive.setRGB(1, 1, 1)
  await addRelief(material, maps, pictures)
  if (!isGlass) await addOpacity(material, { numbers, maps }, pictures)
  if (PHYSICAL.some(statement => statement in numbers || statement in maps))
    await addPhysical(material, { numbers, maps }, pictures)
  else if (Math.max(...(numbers.Ks ?? [0])) >= 0.2 && (numbers.Ns?.[0] ?? 0) >= 200) {
    material.clearcoat = 1
    put(material, 'clearcoatMap', await pictures.share(maps.map_ks))
    return material
  }
  if (maps.map_ks) unmet.set('map_Ks', 'only coats are supported, from Ks 0.2 and Ns 200')
  return material
}

type Said = Pick<MtlEntry, 'numbers' | 'maps'>

async function addRelief(material: MeshPhysicalMaterial, maps: MtlEntry['maps'], pictures: MtlPictures): Promise<void> {
  const normals = (await pictures.normals(maps.norm)) ?? (await pictures.bumps(maps.map_bump))
  if (!normals) return
  material.normalMap = normals.texture
  material.normalScale.setScalar(normals.scale)
}

async function addOpacity(material: MeshPhysicalMaterial, { numbers, maps }: Said, pictures: MtlPictures) {
  const opacity = numbers.Tr ? 1 - numbers.Tr[0]! : (numbers.d?.[0] ?? 1)
  material.opacity = Math.min(Math.max(opacity, 0), 1)
  const picture = await pictures.opacity(maps.map_d)
  if (picture) material.alphaMap = picture.texture
  // A mask has sharp edges without noise.
  if (picture?.isMask && material.opacity === 1) material.alphaTest = MASK_CUTOFF
  else material.transparent = picture !== undefined || material.opacity < 1
}

const PHYSICAL = [
  ...(['Pr', 'Pm', 'Ps', 'Pc', 'Pcr', 'aniso', 'anisor'] as const),
  ...(['map_pr', 'map_pm', 'map_ps', 'map_pc', 'map_pcr'] as const),
]

/** A picture without a number is multiplied by 1. */
async function addPhysical(material: MeshPhysicalMaterial, { numbers, maps }: Said, pictures: MtlPictures) {
  const share = (values: readonly number[] | undefined, map: Texture | undefined, otherwise: number): number =>
    Math.min(Math.max(values?.[0] ?? (map ? 1 : otherwise), 0), 1)
  const [roughness, metalness, sheen, coat, coatRoughness] = [
    await pictures.share(maps.map_pr),
    await pictures.share(maps.map_pm),
    await pictures.share(maps.map_ps),
    await pictures.share(maps.map_pc),
    await pictures.share(maps.map_pcr),
  ]
  material.roughness = share(numbers.Pr, roughness, material.roughness)
  put(material, 'roughnessMap', roughness)
  material.metalness = share(numbers.Pm, metalness, 0)
  put(material, 'metalnessMap', metalness)
  material.sheen = share(numbers.Ps, sheen, 0)
  if (material.sheen > 0) material.sheenColor.setRGB(1, 1, 1)
  put(material, 'sheenColorMap', sheen)
  material.clearcoat = share(numbers.Pc, coat, 0)
  put(material, 'clearcoatMap', coat)
  material.clearcoatRoughness = share(numbers.Pcr, coatRoughness, 0)
  put(material, 'clearcoatRoughnessMap', coatRoughness)
  material.anisotropy = share(numbers.aniso, undefined, 0)
  material.anisotropyRotation = (numbers.anisor?.[0] ?? 0) * 2 * Math.PI
}

type MapName =
  | ('map' | 'emissiveMap' | 'roughnessMap' | 'metalnessMap')
  | ('sheenColorMap' | 'clearcoatMap' | 'clearcoatRoughnessMap')

function put(material: MeshPhysicalMaterial, name: MapName, texture: Texture | undefined): void {
  if (texture) material[name] = texture
}
