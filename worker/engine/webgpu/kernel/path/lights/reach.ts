/** Where shadow rays end, as `worker/engine/wasm/kernel/path/lights/reach.ts`, and ways to lights of any length. */
export const REACH = /* wgsl */ `
const REACH_MARGIN = 1.0 / 1048576.0;
const MOST_REACH_MARGIN = 1.0 / 4096.0;
/* A cosine below which the margin is the most that it may be. */
const LEAST_REACH_COSINE = 1e-9;
const MOST_DENSITY = 1e37;
/* Of what is infinitely far: the largest float. */
const FAR_AWAY = 3.402823466e38;

fn short_of(distance: f32, cosine: f32, size: f32) -> f32 {
  return distance - min(distance * MOST_REACH_MARGIN, REACH_MARGIN * (size + distance) / max(cosine, LEAST_REACH_COSINE));
}

fn size_of(v: vec3<f32>) -> f32 {
  return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

/*
 * Density per solid angle of a direction that is chosen over an area: the square of the distance over the area and the cosine, as far as it is a float.
 */
fn density_over(area: f32, distance: f32, cosine: f32) -> f32 {
  let over = distance / area;
  return min(distance / cosine, MOST_DENSITY / max(1.0, over)) * over;
}

struct Way { direction: vec3<f32>, distance: f32 }

/* Direction and length of a vector whose square need not be a float; zeros for zeros. */
fn way_of(v: vec3<f32>) -> Way {
  let size = max(size_of(v), 1e-30);
  let scaled = v / size;
  let length = sqrt(dot(scaled, scaled));
  return Way(scaled / max(length, 1e-30), size * length);
}
`
