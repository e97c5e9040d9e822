/**
 * Camera rays of paths, as `worker/engine/wasm/kernel/path/camera.ts`: a sample's place under the pixel filter and on the lens. What is the same for all of
 * them the host has computed in doubles.
 */
import { VIEW_FLAGS } from '../../../wasm/records/view.ts'

export const CAMERA = /* wgsl */ `
const SIGMA = 0.5;
const WITHIN = 0.9973002039367398;
const ROOT_OF_2 = 1.4142135623730951;

/* What the camera is in, and the weight of what it sees there: as through a window, so that it is as bright as in air. */
var<private> camera_media: u32;
var<private> camera_weight: f32;

fn start_camera(media: u32) {
  camera_media = media;
  let index = index_of(innermost(media));
  camera_weight = 1.0 / (index * index);
}

fn camera_path(x: u32, y: u32, seed: u32, number: u32) -> Path {
  let drawn = draw(seed, 0u, number);
  let at = vec2<f32>(f32(x), f32(y)) - 0.5 * vec2<f32>(f32(view.width), f32(view.height)) + place(vec2<f32>(drawn.lobe, drawn.survival));
  let aside = (sealed(at.x * order.across) + sealed(at.y * order.down)).xyz;
  let parallel = order.parallel != 0u;
  var origin = select(order.eye.xyz, order.eye.xyz + aside, parallel);
  var direction = select(order.ahead.xyz + aside, order.ahead.xyz, parallel);
  if (view.lens_radius > 0.0) {
    /* From a point of the lens to the point in focus, so that t stays camera depth. */
    let lens = view.lens_radius * on_lens(drawn.light.x, drawn.light.y);
    let shift = lens.x * view.right + lens.y * view.up;
    origin += shift;
    direction -= shift / view.lens_focus;
  }
  var path: Path;
  path.origin = origin;
  path.direction = direction;
  path.t_min = order.eye.w;
  path.t_max = bitcast<u32>(order.ahead.w);
  path.weight = vec3<f32>(camera_weight);
  path.media = camera_media;
  path.cone = packed_cone(order.cone_width, order.cone_spread);
  path.seed = seed;
  path.number = number;
  return path;
}

/* Relative to the pixel's corner, px. */
fn place(u: vec2<f32>) -> vec2<f32> {
  if ((view.flags & ${VIEW_FLAGS.gaussian}u) == 0u) { return u; }
  return vec2<f32>(0.5 + spread(u.x), 0.5 + spread(u.y));
}

fn spread(u: f32) -> f32 {
  return SIGMA * ROOT_OF_2 * inverse_erf(WITHIN * (2.0 * u - 1.0));
}

fn inverse_erf(x: f32) -> f32 {
  var w = -log((1.0 - x) * (1.0 + x));
  var p: f32;
  if (w < 5.0) {
    w -= 2.5;
    p = 2.81022636e-8;
    p = 3.43273939e-7 + p * w;
    p = -3.5233877e-6 + p * w;
    p = -4.39150654e-6 + p * w;
    p = 0.00021858087 + p * w;
    p = -0.00125372503 + p * w;
    p = -0.00417768164 + p * w;
    p = 0.246640727 + p * w;
    p = 1.50140941 + p * w;
  } else {
    w = sqrt(w) - 3.0;
    p = -0.000200214257;
    p = 0.000100950558 + p * w;
    p = 0.00134934322 + p * w;
    p = -0.00367342844 + p * w;
    p = 0.00573950773 + p * w;
    p = -0.0076224613 + p * w;
    p = 0.00943887047 + p * w;
    p = 1.00167406 + p * w;
    p = 2.83297682 + p * w;
  }
  return p * x;
}

/* A point of the unit lens. */
fn on_lens(u: f32, v: f32) -> vec2<f32> {
  let radius = sqrt(v);
  let blades = f32(view.lens_blades);
  if (view.lens_blades == 0u) { return radius * on_circle(u); }
  /* One of the triangles between the middle and two corners, and a point in it. */
  let at = u * blades;
  let blade = min(floor(at), blades - 1.0);
  let b = radius * (at - blade);
  return (radius - b) * corner(blade, blades) + b * corner(blade + 1.0, blades);
}

fn corner(blade: f32, blades: f32) -> vec2<f32> {
  return on_circle(fract(blade / blades + view.lens_rotation));
}
`
