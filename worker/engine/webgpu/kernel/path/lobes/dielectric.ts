/** The boundary of glass, as `worker/engine/wasm/kernel/path/lobes/dielectric.ts`. */
import { wordsTo } from '../../../../wasm/records/access.ts'
import { GLASS_ALBEDO, SPECULAR_ALBEDO } from '../../../../wasm/records/albedos.ts'

export const DIELECTRIC = /* wgsl */ `
const LEAST_CONTRAST = 0.001;

/* α; what bends nothing does not blur. */
fn glass_alpha(material: Material) -> f32 {
  return select(0.0, material.alpha, in_air || abs(ratio - 1.0) > LEAST_CONTRAST);
}

/* 0 outside, 1 inside. */
fn number_of(side: f32) -> u32 { return select(1u, 0u, side > 0.0); }

fn glass_lost(material: Material, side: f32, cosine: f32) -> f32 {
  if (single || !in_air) { return 0.0; }
  return max(0.0, albedo_in(material.albedo + number_of(side) * ${SPECULAR_ALBEDO.bytes / 4}u, cosine));
}

fn glass_passes(material: Material, side: f32) -> f32 {
  return float_at(material.albedo + ${wordsTo(GLASS_ALBEDO, 'passes')}u + number_of(side));
}

fn evaluate_dielectric(material: Material, side: f32, o: vec3<f32>, i: vec3<f32>) -> Scattered {
  let alpha = glass_alpha(material);
  if (alpha == 0.0 || i.z == 0.0) { return answer_nothing(); }
  var sum = glass_facets(vec2<f32>(alpha), o, i);
  let several = glass_lost(material, side, o.z);
  if (several > 0.0) {
    let through = glass_passes(material, side);
    sum *= vec2<f32>(1.0, 1.0 - several);
    if (i.z > 0.0) {
      let back = float_at(material.albedo + ${wordsTo(GLASS_ALBEDO, 'back')}u + number_of(side));
      sum += several * i.z * vec2<f32>(glass_lost(material, side, i.z) * back, (1.0 - through) * INVERSE_PI);
    } else {
      let spread = float_at(material.albedo + ${wordsTo(GLASS_ALBEDO, 'through')}u) / select(1.0, material.ior * material.ior, side > 0.0);
      sum -= several * i.z * vec2<f32>(glass_lost(material, -side, -i.z) * spread, through * INVERSE_PI);
    }
  }
  return Scattered(sum.x * select(material.color.xyz, vec3<f32>(1.0), i.z > 0.0), sum.y);
}

/*
 * Value and density of light that is scattered once. Walter's denominator (i·m + o·m / ratio)² is here the square of the length of o + i ratio over that of
 * the ratio: the difference of two almost equal numbers would have no digits left where indices are almost equal.
 */
fn glass_facets(alpha: vec2<f32>, o: vec3<f32>, i: vec3<f32>) -> vec2<f32> {
  let mirrors = i.z > 0.0;
  let both = o + i * select(ratio, 1.0, mirrors);
  let square = dot(both, both);
  if (!(square > 1e-12)) { return vec2<f32>(); }
  let m = both * (select(1.0, -1.0, both.z < 0.0) * inverseSqrt(square));
  let out = dot(o, m);
  let into = dot(i, m);
  if (out <= 0.0 || into * i.z <= 0.0) { return vec2<f32>(); }
  let mirrored = reflectance(out, ratio);
  let lambda_o = stretched_lambda(alpha, o);
  let spread = stretched_d(alpha, m);
  let masked = spread / (1.0 + lambda_o + stretched_lambda(alpha, i));
  let chosen = spread / (1.0 + lambda_o);
  if (mirrors) { return mirrored * vec2<f32>(masked, chosen) / (4.0 * o.z); }
  let bent = (1.0 - mirrored) * out * -into / (square * o.z);
  return bent * vec2<f32>(masked, chosen * ratio * ratio);
}

fn sample_dielectric(material: Material, side: f32, o: vec3<f32>, w: f32, circle: vec2<f32>, v: f32) -> Pointed {
  let alpha = glass_alpha(material);
  var m = vec3<f32>(0.0, 0.0, 1.0);
  var left = w;
  if (alpha > 0.0) {
    let several = glass_lost(material, side, o.z);
    if (w < several) {
      let i = point_cosine(circle, v);
      return point(select(i, vec3<f32>(i.xy, -i.z), w < several * glass_passes(material, side)));
    }
    left = min(BELOW_ONE, (w - several) / (1.0 - several));
    m = choose_stretched_facet(vec2<f32>(alpha), o, circle, v);
  }
  let out = dot(o, m);
  if (out <= 0.0) { return point_finally(vec3<f32>(0.0, 0.0, 1.0), vec3<f32>()); }
  let mirrors = left < reflectance(out, ratio);
  var i = 2.0 * out * m - o;
  if (!mirrors) { i = (out / ratio - refracted(out, ratio)) * m - o / ratio; }
  if (alpha == 0.0) { return point_finally(i, select(material.color.xyz / (ratio * ratio), vec3<f32>(1.0), mirrors)); }
  if (mirrors != (i.z > 0.0)) { return point_finally(i, vec3<f32>()); }
  return point(i);
}
`
