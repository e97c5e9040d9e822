/** Rays to lights, as `worker/engine/wasm/kernel/path/shadows.ts`: one to each group of lights for a hit, traced after it. */
import { LIGHT_GROUPS } from '../../../wasm/records/scene.ts'

export const SHADOWS = /* wgsl */ `
struct ShadowRay {
  origin: vec3<f32>,
  reach: f32,
  direction: vec3<f32>,
  /* What it contributes if nothing is in its way. */
  light: vec3<f32>,
}

var<private> shadows: array<ShadowRay, ${LIGHT_GROUPS}>;
var<private> shadow_count: u32;

fn append_shadow(origin: vec3<f32>, direction: vec3<f32>, reach: f32, light: vec3<f32>) {
  shadows[shadow_count] = ShadowRay(origin, reach, direction, light);
  shadow_count += 1u;
}

fn ray_to_light() -> Ray {
  let shadow = shadows[shadow_count];
  return Ray(shadow.origin, 0.0, shadow.direction, bitcast<u32>(shadow.reach), vec2<u32>(), true);
}
`

/** Whether anything is left of the light of the ray under way behind what it has met. */
export const DIMS_LIGHT = /* wgsl */ `
fn dims_light(surface: Surface) -> bool {
  let material = read_material(surface.material);
  let left = light_passes(surface, material, color_at(surface, material), SHADOW_PASSAGES, false);
  shadows[shadow_count].light *= left.share;
  return !left.nothing;
}
`
