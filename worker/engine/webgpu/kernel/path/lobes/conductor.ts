/** Metal, as `worker/engine/wasm/kernel/path/lobes/conductor.ts`. */
export const CONDUCTOR = /* wgsl */ `
fn conductor_lost(material: Material, cosine: f32) -> f32 {
  if (single) { return 0.0; }
  return 1.0 - albedo_in(material.albedo, cosine);
}

fn evaluate_conductor(material: Material, o: vec3<f32>, i: vec3<f32>) -> Scattered {
  if (i.z <= 0.0 || material.alpha == 0.0) { return answer_nothing(); }
  let alpha = vec2<f32>(material.alpha);
  let m = normalize(o + i);
  let lambda_o = stretched_lambda(alpha, o);
  let dense = stretched_d(alpha, m) / (4.0 * o.z);
  let color = material.color.xyz;
  let once = dense / (1.0 + lambda_o + stretched_lambda(alpha, i));
  var value = once * schlick_between(color, 1.0, schlick_weight(dot(o, m)));
  let lost = conductor_lost(material, o.z);
  let lit = i.z * INVERSE_PI;
  if (lost > 0.0) {
    let mean_lost = 1.0 - material.mean_albedo;
    value += several_color(color, 1.0, mean_lost) * (lost * (1.0 - albedo_in(material.albedo, i.z)) * lit / mean_lost);
  }
  return Scattered(value, (1.0 - lost) * dense / (1.0 + lambda_o) + lost * lit);
}

fn sample_conductor(material: Material, o: vec3<f32>, w: f32, circle: vec2<f32>, v: f32) -> Pointed {
  if (material.alpha == 0.0) {
    return point_finally(vec3<f32>(-o.xy, o.z), schlick_between(material.color.xyz, 1.0, schlick_weight(o.z)));
  }
  if (w < conductor_lost(material, o.z)) { return point(point_cosine(circle, v)); }
  return point(mirrored_at(choose_stretched_facet(vec2<f32>(material.alpha), o, circle, v), o));
}
`
