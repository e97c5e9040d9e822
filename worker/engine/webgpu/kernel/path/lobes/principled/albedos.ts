/** Directional albedos by roughness, as `worker/engine/wasm/kernel/path/lobes/principled/albedos.ts`, which has filled the tables. */
import { wordsTo } from '../../../../../wasm/records/access.ts'
import { ALBEDO, ALBEDO_ROW, ALBEDOS } from '../../../../../wasm/records/albedos.ts'

export const PRINCIPLED_ALBEDOS = /* wgsl */ `
/* Smallest α: narrower lobes are as good as smooth. */
const LEAST_ALPHA = 0.001;

/* The factors of F₀ and of F₉₀; their sum is the albedo of perfect mirrors. */
fn albedos_at(roughness: f32, cosine: f32) -> vec2<f32> {
  return vec2<f32>(bilinear(scene.albedos, roughness, cosine), bilinear(scene.albedos + ${wordsTo(ALBEDOS, 'withF90')}u, roughness, cosine));
}

fn fibre_albedo(roughness: f32, cosine: f32) -> f32 { return bilinear(scene.albedos + ${wordsTo(ALBEDOS, 'ofFibres')}u, roughness, cosine); }

/* Means of both factors over the cosine-weighted hemisphere. */
fn mean_albedos(roughness: f32) -> vec2<f32> {
  return vec2<f32>(mean_in(scene.albedos + ${wordsTo(ALBEDOS, 'meansF0')}u, roughness), mean_in(scene.albedos + ${wordsTo(ALBEDOS, 'meansF90')}u, roughness));
}

fn bilinear(table: u32, roughness: f32, cosine: f32) -> f32 {
  let down = roughness * ${ALBEDO.roughnesses}.0;
  let across = place_of(cosine, ${ALBEDO.cosines}u);
  let i = cell_at(down, ${ALBEDO.roughnesses}u);
  let j = cell_at(across, ${ALBEDO.cosines}u);
  let at = table + i * ${ALBEDO_ROW.bytes / 4}u + j;
  let share = across - f32(j);
  return mix(entry_at(at, share), entry_at(at + ${ALBEDO_ROW.bytes / 4}u, share), down - f32(i));
}

fn mean_in(table: u32, roughness: f32) -> f32 {
  let down = roughness * ${ALBEDO.roughnesses}.0;
  let i = cell_at(down, ${ALBEDO.roughnesses}u);
  return entry_at(table + i, down - f32(i));
}
`
