/**
 * What a sample sees, for a denoiser, as `worker/engine/wasm/kernel/path/gaze.ts`: of the path at hand, how far its sample has looked, or GONE once it has
 * seen something.
 */
export const gaze = (map: boolean): string => /* wgsl */ `
const GONE = -1.0;
/* Density per solid angle from which on a direction is as good as mirrored. */
const SMOOTH = 32.0;

var<private> gaze: f32;

fn begin_gaze() {
  gaze = 0.0;
}

fn is_gazing() -> bool {
  return gaze >= 0.0;
}

/* Whether a direction that was chosen with such a density, 0 for the only one, passes a gaze on. */
fn passes_gaze(density: f32) -> bool {
  return density == 0.0 || density > SMOOTH;
}

/* By what a path's weight in media is multiplied for what it sees: radiance is scaled there, and will be scaled back. */
fn unscaled(media: u32) -> f32 {
  let index = index_of(innermost(media));
  return index * index;
}

/* Sees a surface, through what has tinted a path's weight, and nothing after it. */
fn see_surface(surface: Surface, material: Material, weight: vec3<f32>) {
  var seen = material.color.xyz + material.sheen_color;
  if (material.emits != 0u) { seen += shine(material.emission); }
  let far = gaze + surface.distance;
  let n = 0.5 * surface.n + 0.5;
  add_features(vec4<f32>(weight * min(vec3<f32>(1.0), seen), n.x), vec4<f32>(n.y, n.z, far / (far + view.reach), 0.0));
  gaze = GONE;
}

/* Sees the surroundings in a unit direction. */
fn see_surroundings(direction: vec3<f32>, is_seen: bool) {
  var seen = vec3<f32>();
  if (is_seen) { seen = ${map ? 'meet_map(ANY_FACING, direction).light' : 'sky_at(direction.y)'}; }
  add_features(vec4<f32>(unscaled(path.media) * path.weight * shine(seen), 0.5), vec4<f32>(0.5, 0.5, 1.0, 0.0));
  gaze = GONE;
}

/* Light as a colour: as bright as the picture will show it. */
fn shine(radiance: vec3<f32>) -> vec3<f32> {
  let shown = radiance * view.exposure;
  return select(vec3<f32>(1.0), shown / (1.0 + shown), shown < vec3<f32>(3e38));
}
`
