/** A diffuse body under a clear coat, as `worker/engine/wasm/kernel/path/lobes/coated.ts`. */
export const COATED = /* wgsl */ `
const LEAST_CHOSEN = 0.1;

fn coat_mirrored(material: Material, cosine: f32) -> f32 {
  if (material.coat == 0.0) { return reflectance(cosine, material.ior); }
  return schlick(material.coat_f0, cosine);
}

fn coat_reflected(material: Material, cosine: f32) -> f32 {
  if (material.alpha == 0.0) { return coat_mirrored(material, cosine); }
  return albedo_in(material.albedo, cosine);
}

/* Probability with which the reflection at the coat is followed, which reflects so much. */
fn coat_chosen(material: Material, top: f32) -> f32 {
  let body = max(material.color.x, max(material.color.y, material.color.z));
  return clamp(top / (top + (1.0 - top) * body + 1e-6), LEAST_CHOSEN, 1.0 - LEAST_CHOSEN);
}

fn evaluate_coated(material: Material, o: vec3<f32>, i: vec3<f32>) -> Scattered {
  if (i.z <= 0.0) { return answer_nothing(); }
  let top = coat_reflected(material, o.z);
  let coat = coat_chosen(material, top);
  let lit = i.z * INVERSE_PI;
  let body = (1.0 - top) * (1.0 - coat_reflected(material, i.z)) * lit / (1.0 - material.mean_albedo);
  var value = 0.0;
  var density = (1.0 - coat) * lit;
  if (material.alpha > 0.0) {
    let alpha = vec2<f32>(material.alpha);
    let m = normalize(o + i);
    let dense = stretched_d(alpha, m) / (4.0 * o.z);
    let lambda_o = stretched_lambda(alpha, o);
    value = dense * coat_mirrored(material, dot(o, m)) / (1.0 + lambda_o + stretched_lambda(alpha, i));
    density += coat * dense / (1.0 + lambda_o);
  }
  return Scattered(vec3<f32>(value) + material.color.xyz * body, density);
}

fn sample_coated(material: Material, o: vec3<f32>, w: f32, circle: vec2<f32>, v: f32) -> Pointed {
  let top = coat_reflected(material, o.z);
  let coat = coat_chosen(material, top);
  if (w >= coat) { return point(point_cosine(circle, v)); }
  if (material.alpha == 0.0) { return point_finally(vec3<f32>(-o.xy, o.z), vec3<f32>(top / coat)); }
  return point(mirrored_at(choose_stretched_facet(vec2<f32>(material.alpha), o, circle, v), o));
}
`
