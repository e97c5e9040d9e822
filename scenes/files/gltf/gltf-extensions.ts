/** Which extensions of glTF are honoured, and which of the others would be seen. */

/** Those of which all is shown that a picture can show. Of the others a part is, or nothing. */
export const HONOURED: readonly string[] = [
  'EXT_mesh_gpu_instancing',
  'EXT_meshopt_compression',
  'EXT_texture_avif',
  'EXT_texture_webp',
  'KHR_animation_pointer',
  'KHR_draco_mesh_compression',
  'KHR_lights_punctual',
  'KHR_materials_anisotropy',
  'KHR_materials_clearcoat',
  'KHR_materials_dispersion',
  'KHR_materials_emissive_strength',
  'KHR_materials_ior',
  'KHR_materials_iridescence',
  'KHR_materials_sheen',
  'KHR_materials_specular',
  'KHR_materials_transmission',
  'KHR_materials_unlit',
  'KHR_materials_variants',
  'KHR_materials_volume',
  'KHR_mesh_quantization',
  'KHR_meshopt_compression',
  'KHR_node_visibility',
  'KHR_texture_basisu',
  'KHR_texture_transform',
]

/** Shown in part. */
const IN_PART: readonly string[] = ['KHR_materials_pbrSpecularGlossiness']

/** Those that a file may require. */
export const KNOWN: readonly string[] = [...HONOURED, ...IN_PART, 'KHR_materials_diffuse_roughness']

/** Names of extensions that say how things look; others carry data, sound or behaviour. */
const VISIBLE = /_(materials?|texture|lights?|environments?|image_based|techniques|gaussian)(_|$)/

/** A sentence about extensions that a file uses and a picture lacks, if there are any. */
export function unshown(used: readonly string[] = []): string[] {
  const names = [...new Set(used)].filter(
    name => VISIBLE.test(name) && !HONOURED.includes(name) && !IN_PART.includes(name),
  )
  if (names.length === 0) return []
  return [
    `what ${names.length === 1 ? 'its extension' : 'its extensions'} ${names.join(', ')} would change is not shown`,
  ]
}
