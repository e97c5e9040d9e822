/** Reflection under a thin film, as `worker/engine/wasm/kernel/path/lobes/principled/film.ts`. */
export const FILM = /* wgsl */ `
const FADES_BELOW = 0.03;

/* Reflected shares at a cosine; thickness in nm, base is F₀ of the surface below. */
fn film_at(index: f32, thickness: f32, cosine: f32, base: vec3<f32>) -> vec3<f32> {
  let in_film = 1.0 + (index - 1.0) * smoothstep(0.0, FADES_BELOW, thickness);
  let inside = refracted(cosine, in_film);
  if (inside == 0.0) { return vec3<f32>(1.0); }
  let outer = schlick(normal_reflectance(in_film), cosine);
  let passed = (1.0 - outer) * (1.0 - outer);
  let root = sqrt(min(base, vec3<f32>(0.9999)));
  let below = (1.0 + root) / (1.0 - root);
  let contrast = (below - in_film) / (below + in_film);
  let inner = schlick_between(contrast * contrast, 1.0, schlick_weight(inside));
  let turned = select(vec3<f32>(), vec3<f32>(0.5), below < vec3<f32>(in_film)) + select(0.5, 0.0, in_film < 1.0);
  let both = outer * inner;
  let share = passed * inner / max(vec3<f32>(1e-6), 1.0 - both);
  var color = outer + share;
  var order_share = share - (1.0 - outer);
  for (var order = 1.0; order <= 2.0; order += 1.0) {
    order_share *= sqrt(both);
    color += 2.0 * order_share * seen(order * 2.0 * in_film * thickness * inside, order * turned);
  }
  return clamp(color, vec3<f32>(), vec3<f32>(1.0));
}

/* What the eye sees of interference; the path is in nm, shifts in turns. */
fn seen(path: f32, shift: vec3<f32>) -> vec3<f32> {
  let phase = 6.283185307179586e-9 * path;
  let square = phase * phase;
  let x =
    5.4856e-13 * sqrt(6.283185307179586 * 4.3278e9) / 1.0685e-7 * exponential(-square * 4.3278e9) * wave(1.6810e6 * phase, shift.x) +
    9.7470e-14 * sqrt(6.283185307179586 * 4.5282e9) / 1.0685e-7 * exponential(-square * 4.5282e9) * wave(2.2399e6 * phase, shift.x);
  let y = 4.4201e-13 * sqrt(6.283185307179586 * 9.3046e9) / 1.0685e-7 * exponential(-square * 9.3046e9) * wave(1.7953e6 * phase, shift.y);
  let z = 5.2481e-13 * sqrt(6.283185307179586 * 6.6121e9) / 1.0685e-7 * exponential(-square * 6.6121e9) * wave(2.2084e6 * phase, shift.z);
  return vec3<f32>(
    3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
    -0.969266 * x + 1.8760108 * y + 0.041556 * z,
    0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
  );
}

/* Cosine of an angle in radians and a shift in turns. */
fn wave(angle: f32, shift: f32) -> f32 { return on_circle(fract(angle / 6.283185307179586 + shift)).x; }
`
