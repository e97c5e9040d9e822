/**
 * Computes pixels, as `worker/engine/wasm/kernel/pixels.ts`: from camera rays to sums of light, some samples of a pixel an invocation. It writes the
 * record of these (`../pixel-records.ts`) to where the host has said which pixel it is.
 */
import { compact } from '../compact.ts'
import type { GpuBinding } from '../gpu.ts'
import { type Counted, recordOf, writesOf } from '../pixel-records.ts'
import { LOOSE_ARITHMETIC, LOOSE_PLACES } from './arithmetic-loose.ts'
import { HIT_NAMES } from './hit-names.ts'
import { placedTangent, placedTriangle } from './placed-triangle.ts'
import { RECORDS } from './records.ts'
import { ACCUMULATE } from './surface/accumulate.ts'
import { CONE } from './surface/cone.ts'
import { coverage } from './surface/coverage.ts'
import { FEATURES } from './surface/features.ts'
import { firstHits } from './surface/first-hits.ts'
import { FRESNEL } from './surface/fresnel.ts'
import { HIT_POINT } from './surface/hit-point.ts'
import { LIFT } from './surface/lift.ts'
import { LOOKUP, VERTEX_COLORS } from './surface/lookup.ts'
import { RANDOM } from './surface/math/random.ts'
import { TURNS } from './surface/math/turns.ts'
import { SKY } from './surface/sky.ts'
import { TANGENT } from './surface/tangent.ts'
import { TEXTURE } from './surface/texture.ts'
import { vary } from './surface/vary.ts'
import { TRACED_ORDER, type TreeShape, traverse } from './trace/trace.ts'
import { TRIANGLE_PARTS } from './triangle-parts.ts'

/** Invocations that run side by side. */
export const GROUP_PIXELS = 64
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
  coneWidth: 33,
  coneSpread: 34,
  most: 35,
} as const

/** Kinds of its bindings, in their order. */
export const PIXEL_BINDINGS: readonly GpuBinding[] = [
  ...(['uniform', 'uniform', 'uniform'] as const),
  ...Array.from({ length: 7 }, () => 'read-only-storage' as const),
  'storage',
]

/** What of a shader depends on the scene: code of what is not there would only be compiled. */
export interface PixelParts {
  readonly shape: TreeShape
  /** Whether materials have textures. */
  readonly textured: boolean
  /** Whether rays go on from what they have met. */
  readonly goesOn: boolean
  /** What is counted besides light. */
  readonly counted: Counted
}

/** @param integrator of `integrators.ts` */
export const pixelShader = ({ shape, textured, goesOn, counted }: PixelParts, integrator: string): string =>
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
  cone_width: f32,
  cone_spread: f32,
  most: f32,
}
@group(0) @binding(0) var<uniform> order: Order;
@group(0) @binding(1) var<uniform> view: View;
@group(0) @binding(2) var<uniform> scene: Scene;
@group(0) @binding(3) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> triangle4s: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> triangles: array<u32>;
@group(0) @binding(6) var<storage, read> vertices: array<f32>;
@group(0) @binding(7) var<storage, read> attributes: array<vec2<u32>>;
@group(0) @binding(8) var<storage, read> texels: array<u32>;
@group(0) @binding(9) var<storage, read> tables: array<u32>;
@group(0) @binding(10) var<storage, read_write> sums: array<vec4<u32>>;
${RECORDS}${TRIANGLE_PARTS}${LOOSE_ARITHMETIC}${shape.wide ? LOOSE_PLACES : ''}${traverse(shape, { exact: false, passes: goesOn })}
${RANDOM}${TURNS}${ACCUMULATE}${FRESNEL}${SKY}${LIFT}${placedTriangle(shape.wide)}${HIT_POINT}${VERTEX_COLORS}${CONE}${vary(textured)}
${textured ? [TEXTURE, LOOKUP, TANGENT, placedTangent(shape.wide)].join('') : ''}${firstHits(counted.hits)}${coverage(counted)}${counted.objects ? HIT_NAMES : ''}${counted.features ? FEATURES : ''}${integrator}
var<private> steps: u32;

/* @param t_min where it begins, as bits @param t_max where it ends @param passed the slot that it goes on from, or 0, and its instance */
fn traced(origin: vec3<f32>, direction: vec3<f32>, t_min: u32, t_max: u32, passed: vec2<u32>, shadow: bool) -> Answer {
  var ray: Context;
  ray.origin = origin;
  ray.shadow = shadow;
  ray.t_min = t_min;
  ray.passed = passed;
  ray = enter(ray, direction);
  var found = Answer(0u, 0u, t_max, 0u);
  steps += traverse(&ray, &found);
  return found;
}

@compute @workgroup_size(${GROUP_PIXELS})
fn trace_pixels(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= order.count) { return; }
  let pixel = sums[${recordOf(counted).words / 4}u * id.x].x;
  let first = view.from_sample + id.x % order.parts * order.per;
  let depth = trace_samples(pixel & 0xffffu, pixel >> 16u, first, min(first + order.per, view.to_sample));
  /* A pixel without steps says that they are not to be believed. */
  if (!loops_run()) { steps = 0u; }
  ${writesOf(counted)}
}
`)
