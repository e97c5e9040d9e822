/** The kinds of surface of a material that varies, as `worker/engine/wasm/kernel/ambient/kinds.ts`. */
import { MATERIAL_KINDS } from '../../../wasm/records/material.ts'

const { matte, coated, mirror, glass, unlit } = MATERIAL_KINDS

export const KINDS = /* wgsl */ `
const MIRROR_BELOW = 0.3;

fn kind_at(material: Material) -> u32 {
  let textured = material.varies != 0u && material.map_count > 0u;
  if (!textured || material.kind == ${unlit}u) { return material.kind; }
  return nearest_kind(material);
}

fn nearest_kind(material: Material) -> u32 {
  if (material.transmission >= 0.5) { return ${glass}u; }
  if (material.metallic >= 0.5 && material.roughness < MIRROR_BELOW) { return ${mirror}u; }
  return select(${matte}u, ${coated}u, material.coat > 0.0);
}
`
