/** Light that facets of a clear body scatter several times, as `worker/engine/wasm/kernel/path/lobes/principled/clear.ts`. */
import { wordsTo } from '../../../../../wasm/records/access.ts'
import { ALBEDO, CLEAR_MEANS, CLEAR_ROW, CLEAR_SIDE } from '../../../../../wasm/records/albedos.ts'

const ROW = `${CLEAR_ROW.bytes / 4}u`

export const CLEAR = /* wgsl */ `
const LEAST_MEAN = 1e-9;

fn set_clear(material: Material) {
  layers.clear_lost = 0.0;
  layers.clear_passes = 0.0;
  /* There are no tables for films: what their facets scatter several times stays lost. */
  let share = layers.clear * (1.0 - layers.film);
  let roughness = layers.roughness;
  if (single || share == 0.0 || (!in_air && !layers.thin) || roughness * roughness < LEAST_ALPHA) { return; }
  if (layers.thin) {
    layers.clear_lost = share * (1.0 - layers.clear_again) * layers.lost;
    layers.clear_passes = 1.0;
    layers.clear_back = 0.0;
    layers.clear_through = 1.0 / layers.mean_lost;
    return;
  }
  let place = roughness * ${ALBEDO.roughnesses}.0;
  let above = cell_at(place, ${ALBEDO.roughnesses}u);
  layers.row = material.albedo + above * ${ROW};
  layers.down = place - f32(above);
  let outer = max(LEAST_MEAN, clear_mean(false) - layers.clear_again * layers.mean_lost);
  let inner = max(LEAST_MEAN, clear_mean(true));
  let eta = layers.eta.y;
  /* The square of the index inside over that outside. */
  let square = select(eta * eta, 1.0 / (eta * eta), layers.inside);
  let passed = (1.0 - dot(vec2<f32>(layers.clear_f0, layers.clear_f90), mean_albedos(roughness))) * min(outer, square * inner);
  layers.clear_lost = share * lost_on(layers.inside, layers.o.z);
  layers.clear_passes = passed / select(outer, square * inner, layers.inside);
  layers.clear_back = (1.0 - layers.clear_passes) / select(outer, inner, layers.inside);
  layers.clear_through = passed / (outer * inner);
}

/* What a surface that is clear as a whole loses in the direction of light, on the viewer's side or beyond. */
fn clear_lost_there(cosine: f32, near: bool) -> f32 {
  if (!layers.thin) { return lost_on(layers.inside == near, cosine); }
  let albedos = albedos_at(layers.roughness, cosine);
  return max(0.0, 1.0 - albedos.x - albedos.y);
}

fn lost_on(inner: bool, cosine: f32) -> f32 {
  let across = place_of(cosine, ${ALBEDO.cosines}u);
  let left = cell_at(across, ${ALBEDO.cosines}u);
  let share = across - f32(left);
  let at = layers.row + select(0u, ${CLEAR_SIDE.bytes / 4}u, inner) + left;
  let all = mix(clear_terms(at, share), clear_terms(at + ${ROW}, share), layers.down);
  if (inner) { return max(0.0, all); }
  let albedos = albedos_at(layers.roughness, cosine);
  return max(0.0, all - layers.clear_again * max(0.0, 1.0 - albedos.x - albedos.y));
}

fn clear_terms(at: u32, share: f32) -> f32 {
  return entry_at(at + ${wordsTo(CLEAR_SIDE, 'rest')}u, share)
    + layers.clear_f0 * entry_at(at + ${wordsTo(CLEAR_SIDE, 'withF0')}u, share)
    + layers.clear_f90 * entry_at(at + ${wordsTo(CLEAR_SIDE, 'withF90')}u, share);
}

/* Mean over the cosine-weighted hemisphere. */
fn clear_mean(inner: bool) -> f32 {
  let at = layers.row + ${wordsTo(CLEAR_ROW, 'means')}u + select(0u, ${CLEAR_MEANS.bytes / 4}u, inner);
  return mix(clear_mean_at(at), clear_mean_at(at + ${ROW}), layers.down);
}

fn clear_mean_at(at: u32) -> f32 {
  return float_at(at + ${wordsTo(CLEAR_MEANS, 'rest')}u)
    + layers.clear_f0 * float_at(at + ${wordsTo(CLEAR_MEANS, 'withF0')}u)
    + layers.clear_f90 * float_at(at + ${wordsTo(CLEAR_MEANS, 'withF90')}u);
}
`
