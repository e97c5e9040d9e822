/**
 * A distant light, as `worker/engine/wasm/kernel/path/lights/distant.ts`. 1 - the cosine of a small disc's half angle comes from the density of its
 * directions: the cosine itself has too few digits in a float.
 */
export const DISTANT = /* wgsl */ `
const DISC_TURN = 6.283185307179586;

fn sample_distant(light: Light, u: f32, v: f32) -> LightSample {
  var direction = light.position;
  if (light.area > 0.0) {
    let rest = v / (DISC_TURN * light.area);
    direction = point_around(light.position, vec3<f32>(on_circle(u) * sqrt(max(0.0, rest * (2.0 - rest))), 1.0 - rest));
  }
  return LightSample(direction, light.color, light.area, FAR_AWAY, 1.0);
}

fn meet_distant(light: Light, direction: vec3<f32>) -> LightMet {
  let apart = direction - light.position;
  if (!(light.area > 0.0 && dot(apart, apart) * (0.5 * DISC_TURN) * light.area <= 1.0)) { return no_light_met(); }
  return LightMet(light.color, light.area, FAR_AWAY);
}
`
