/**
 * Surfaces that let rays pass, as `worker/engine/wasm/kernel/surface/pass.ts`: whether one does at a hit point, and what is left of light. A ray that passes is
 * traced again, from behind its hit (`../trace/triangle4-step.ts`).
 */
import { MAPS, MATERIAL_KINDS, PASSING, VARIES } from '../../../wasm/records/material.ts'

export interface PassParts {
  readonly textured: boolean
  /** Whether rays pass sheets of glass, too. */
  readonly sheets: boolean
}

export const pass = ({ textured, sheets }: PassParts): string => /* wgsl */ `
/* Why a ray passes: nothing is there, or a sheet, which tints light. */
const PASSED_HOLE = 1u;
const PASSED_SHEET = 2u;

/* Whether a ray passes through its hit, and why; 0 if not. The colour is that of color_at, and chance decides: below 1. */
fn passes(surface: Surface, material: Material, color: vec4<f32>, which: u32, chance: f32) -> u32 {
  let passing = material.passing & which;
  if ((passing & ${PASSING.backs}u) != 0u && surface.side < 0.0) { return PASSED_HOLE; }
  var rest = chance;
  if ((passing & ${PASSING.some}u) != 0u) {
    let there = coverage_of(material, color.w);
    if (there <= chance) { return PASSED_HOLE; }
    /* The rest of its range decides about what is there. */
    rest /= there;
  }
  ${sheets ? `if ((passing & ${PASSING.sheet}u) != 0u && rest >= mirrored_by_sheet(surface, material)) { return PASSED_SHEET; }` : ''}
  return 0u;
}

/* What a surface leaves of a shadow ray's light: a share, or solid glass, which dims it as a whole, or nothing. */
struct Left {
  share: vec3<f32>,
  by_glass: bool,
  nothing: bool,
}

/* What a hit leaves of a shadow ray's light. Solid glass blocks it unless glass_dims. */
fn light_passes(surface: Surface, material: Material, color: vec4<f32>, which: u32, glass_dims: bool) -> Left {
  let passing = material.passing & which;
  ${sheets ? LIGHT_PASSES_SHEET : ''}
  if ((passing & ${PASSING.some}u) == 0u) {
    return Left(vec3<f32>(1.0), true, !glass_dims || material.kind != ${MATERIAL_KINDS.glass}u);
  }
  let left = 1.0 - coverage_of(material, color.w);
  return Left(vec3<f32>(left), false, !(left > 0.0));
}

/* Share of a material that is there at a hit point: of a mask all or nothing. */
fn coverage_at(surface: Surface, material: Material) -> f32 {
  if ((material.passing & ${PASSING.some}u) == 0u) { return 1.0; }
  return coverage_of(material, color_at(surface, material).w);
}

fn coverage_of(material: Material, opacity: f32) -> f32 {
  return select(opacity, select(1.0, 0.0, opacity < material.alpha_cutoff), (material.passing & ${PASSING.mask}u) != 0u);
}
${sheets ? MIRRORED_AT : ''}
/* Colour and opacity at a hit point, on the finest level: a mask keeps its shape at any distance. The material is not one that vary has made. */
fn color_at(surface: Surface, material: Material) -> vec4<f32> {
  var color = vec4<f32>(material.color.xyz, material.opacity);
  if ((material.varies & ${VARIES.byVertexColors}u) != 0u) { color *= vertex_color(surface); }
  ${textured ? COLOR_MAPS : ''}
  return color;
}
`

const LIGHT_PASSES_SHEET = /* wgsl */ `if ((passing & ${PASSING.sheet}u) != 0u) {
    let there = select(1.0, coverage_of(material, color.w), (passing & ${PASSING.some}u) != 0u);
    return Left(1.0 - there + there * (1.0 - mirrored_by_sheet(surface, material)) * color.xyz, false, false);
  }`

const MIRRORED_AT = /* wgsl */ `
/* Share of light that a sheet mirrors. */
fn mirrored_by_sheet(surface: Surface, material: Material) -> f32 {
  return sheet_reflectance(-dot(surface.d, surface.n), material.ior);
}
`

const COLOR_MAPS = /* wgsl */ `for (var i = 0u; i < material.map_count; i++) {
    let map = read_texture_use(material.maps + i * TEXTURE_USE_WORDS);
    if (map.name != ${MAPS.color}u && map.name != ${MAPS.opacity}u) { continue; }
    let texel = look_up(map, surface, 0.0);
    color *= select(texel, vec4<f32>(1.0, 1.0, 1.0, texel.y), map.name == ${MAPS.opacity}u);
  }`
