/** Shadow rays, as `worker/engine/wasm/kernel/ambient/shadows.ts`: those of one surface at a time, one after the other. */
export const SHADOWS = /* wgsl */ `
const GLASS_SHADOW = 0.6;
const BLOCKED_SHARE = 0.4;

/* A surface that collects light, and the next of its shadow rays: number 0 goes to the sun. */
struct Lit {
  origin: vec3<f32>,
  n: vec3<f32>,
  g: vec3<f32>,
  weight: vec3<f32>,
  tint: vec3<f32>,
  path: u32,
  next: u32,
  end: u32,
}

/* What a shadow ray contributes if nothing is in its way; of ambient rays still to be multiplied by the sky's radiance. */
struct Shadow {
  direction: vec3<f32>,
  light: vec3<f32>,
  is_sun: bool,
  dimmed: bool,
}

/* The next ray of a surface; false if it would contribute nothing. */
fn append_next(lit: ptr<function, Lit>, shadow: ptr<function, Shadow>) -> bool {
  let number = (*lit).next;
  (*lit).next += 1u;
  (*shadow).is_sun = number == 0u;
  (*shadow).dimmed = false;
  if (number == 0u) { return append_sun(*lit, shadow); }
  return append_ambient(*lit, number - 1u, shadow);
}

/* Adds the light of a traced ray. */
fn flush(shadow: Shadow, tint: vec3<f32>, open: f32) {
  let arriving = vec3<f32>(open) + (1.0 - open) * BLOCKED_SHARE * tint;
  accumulate(shadow.light * select(arriving * sky_at(shadow.direction.y), vec3<f32>(open), shadow.is_sun));
}

/* Share of light that a traced ray lets through. */
fn openness(shadow: Shadow, blocked: bool) -> f32 {
  return select(select(1.0, GLASS_SHADOW, shadow.dimmed), 0.0, blocked);
}
`
