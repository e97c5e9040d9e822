/**
 * Computes pixels, as `worker/engine/wasm/kernel/pixels.ts`: from camera rays to sums of light, some samples of a pixel an invocation. It writes the
 * sums of these, each two words, the steps of all their rays, and how far away the first one hit something.
 */
import { MATERIAL } from '../../wasm/records/material.ts'
import { TRIANGLE, VERTEX } from '../../wasm/records/mesh.ts'
import { SCENE } from '../../wasm/records/scene.ts'
import { VIEW } from '../../wasm/records/view.ts'
import { compact } from '../compact.ts'
import { deviceRecord } from '../device-record.ts'
import { wgslStruct } from '../wgsl-struct.ts'
import { CAMERA } from './ambient/camera.ts'
import { AMBIENT } from './ambient/lights/ambient.ts'
import { SUN } from './ambient/lights/sun.ts'
import { PATHS } from './ambient/paths.ts'
import { SAMPLING } from './ambient/sampling.ts'
import { COATED } from './ambient/scattering/coated.ts'
import { GLASS } from './ambient/scattering/glass.ts'
import { MATTE } from './ambient/scattering/matte.ts'
import { MIRROR } from './ambient/scattering/mirror.ts'
import { SEND_ON } from './ambient/scattering/send-on.ts'
import { SHADOWS } from './ambient/shadows.ts'
import { SURROUNDINGS } from './ambient/surroundings.ts'
import { WAVE } from './ambient/wave.ts'
import { LOOSE_ARITHMETIC } from './arithmetic-loose.ts'
import { ACCUMULATE } from './surface/accumulate.ts'
import { FRESNEL } from './surface/fresnel.ts'
import { HILBERT } from './surface/hilbert.ts'
import { HIT_POINT } from './surface/hit-point.ts'
import { LIFT } from './surface/lift.ts'
import { RANDOM } from './surface/math/random.ts'
import { TURNS } from './surface/math/turns.ts'
import { SKY } from './surface/sky.ts'
import { VARY } from './surface/vary.ts'
import { TRACED_ORDER, traverse } from './trace/trace.ts'

/** Invocations that run side by side. */
export const GROUP_PIXELS = 64
/** Words that each writes. */
export const PIXEL_WORDS = 8
/** Words of the order, and where those begin that are not the scene's. */
export const PIXEL_ORDER_WORDS = 36
export const PIXEL_ORDER = {
  count: 11,
  parts: 12,
  per: 13,
  parallel: 14,
  share: 15,
  across: 16,
  down: 20,
  eye: 24,
  ahead: 28,
  leastWeight: 32,
} as const

/** What is read of the records of which there are copies for the device. */
export const DEVICE_VIEW = deviceRecord(VIEW, [
  'frame',
  'width',
  'height',
  'samples',
  'ambientRays',
  'maxDepth',
  'fromSample',
  'toSample',
  'flags',
])
export const DEVICE_SCENE = deviceRecord(SCENE, [
  'skyZenith',
  'skyHorizon',
  'skyGround',
  'sunDirection',
  'sunIrradiance',
])
export const DEVICE_MATERIAL = deviceRecord(MATERIAL, ['color', 'kind', 'varies', 'ior', 'open'])

/** @param stack entries of the stack of each ray */
export const pixelShader = (stack: number): string =>
  compact(/* wgsl */ `
struct Order {
${TRACED_ORDER}
  count: u32,
  parts: u32,
  per: u32,
  parallel: u32,
  share: f32,
  across: vec4<f32>,
  down: vec4<f32>,
  eye: vec4<f32>,
  ahead: vec4<f32>,
  least_weight: f32,
}
${DEVICE_VIEW.wgsl}${DEVICE_SCENE.wgsl}${DEVICE_MATERIAL.wgsl}${wgslStruct(VERTEX)}
${wgslStruct(TRIANGLE)}
@group(0) @binding(0) var<uniform> order: Order;
@group(0) @binding(1) var<uniform> view: View;
@group(0) @binding(2) var<uniform> scene: Scene;
@group(0) @binding(3) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> triangle4s: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> triangles: array<Triangle>;
@group(0) @binding(6) var<storage, read> vertices: array<Vertex>;
@group(0) @binding(7) var<storage, read> colors: array<vec2<u32>>;
@group(0) @binding(8) var<storage, read> materials: array<Material>;
@group(0) @binding(9) var<storage, read> pixels: array<u32>;
@group(0) @binding(10) var<storage, read_write> sums: array<vec4<u32>>;
${LOOSE_ARITHMETIC}${traverse({ stack, wide: false }, false)}
${RANDOM}${TURNS}${ACCUMULATE}${FRESNEL}${HILBERT}${SKY}${LIFT}${HIT_POINT}${VARY}
${CAMERA}${SAMPLING}${PATHS}${SURROUNDINGS}${SHADOWS}${SUN}${AMBIENT}${SEND_ON}${MATTE}${COATED}${MIRROR}${GLASS}${WAVE}
var<private> steps: u32;

fn traced(origin: vec3<f32>, direction: vec3<f32>, t_min: u32, t_max: u32, shadow: bool) -> Answer {
  var ray: Context;
  ray.origin = origin;
  ray.shadow = shadow;
  ray.t_min = t_min;
  ray = enter(ray, direction);
  var found = Answer(0u, 0u, t_max, 0u);
  steps += traverse(&ray, &found);
  return found;
}

@compute @workgroup_size(${GROUP_PIXELS})
fn trace_pixels(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= order.count) { return; }
  let pixel = pixels[id.x / order.parts];
  let x = pixel & 0xffffu;
  let y = pixel >> 16u;
  let curve = hilbert_index(x, y);
  let first = view.from_sample + id.x % order.parts * order.per;
  var depth = 0.0;
  for (var sample = first; sample < min(first + order.per, view.to_sample); sample++) {
    let hit = trace_ambient(camera_ray(x, y, sample_place(sample), curve, sample));
    if (sample == first) { depth = hit; }
  }
  sums[2u * id.x] = vec4<u32>(sum_low, steps);
  sums[2u * id.x + 1u] = vec4<u32>(sum_high, bitcast<u32>(depth));
}
`)
