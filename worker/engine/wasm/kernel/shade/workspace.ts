/**
 * The layout of one thread's shading workspace, and the values of the current view. Globals here are per thread: every thread has
 * its own instance of the kernel.
 *
 *     view block (layout.ts)
 *     samples        f64 x, y per sample of a pixel
 *     thresholds     f32 per sRGB byte, and a sentinel                  tone-map.ts
 *     linears        f32 per sRGB byte: its light                       texture.ts
 *     guesses        u8 per multiple of 1/4096, from 0 to 1
 *     curve          u8 per pixel of four squares                        sampling.ts
 *     surfaces       the hit points of four rays                        records.ts
 *     variants       the materials of four hits, where they vary        vary.ts
 *     sums           SUM_BYTES per pixel                                layout.ts
 *     steps, depth   u32 and f32 per pixel
 *     albedos        SUM_BYTES per pixel: of what camera rays hit       first-hits.ts
 *     covered        u32 per pixel: how many hit something
 *     rgb            three bytes per pixel
 *     counts         u32 per queue of paths
 *     touched        f32 that is never read                             hits.ts
 *     places         u32 per model of a material                        path/hits.ts
 *     drawn          pairs of numbers of a sample                       path/sampler.ts
 *     listed         squares with requested pixels (layout.ts)          camera.ts
 *     paths          one queue of rays per depth                        paths.ts
 *     hits           one list of their hits per depth                   hits.ts
 *     shadows        the queue of sun rays, the queue of ambient rays   shadows.ts
 *     passing        rays that are traced again, and where they are from  pass.ts
 *     passHits       four of their hits, and their surfaces
 *     placed         the triangles of four hits on instances              placed-hits.ts
 *     passPlaced     the same for passHits
 */
import {
  FLAG_ALONE,
  FLAG_ORTHOGRAPHIC,
  FLAG_SINGLE,
  FLAG_TRANSPARENT,
  GROUPS,
  LISTED_BYTES,
  MATERIAL_BYTES,
  MODELS,
  RAY_BYTES,
  SCENE,
  SCENE_TEXTURED,
  SUM_BYTES,
  VIEW_AMBIENT_RAYS,
  VIEW_BYTES,
  VIEW_FIRST_HITS,
  VIEW_FLAGS,
  VIEW_FRAME,
  VIEW_FROM_SAMPLE,
  VIEW_HEIGHT,
  VIEW_MAX_DEPTH,
  VIEW_PATH,
  VIEW_SAMPLES,
  VIEW_TAN_HALF_Y,
  VIEW_TO_SAMPLE,
} from '../layout'
import { PLACED_TRIANGLE_BYTES } from '../instance-layout'
import { HIT_BYTES, SURFACES_BYTES } from './records'
import { DRAWN_BYTES } from '../path/sampler'
import { CURVE_BYTES, fillCurve, fillSamples } from './sampling'

/** Pixels of the largest block. A pixel's number in its block has PIXEL_BITS. */
export const PIXEL_BITS: u32 = 12
export const MAX_BLOCK_PIXELS: u32 = 1 << PIXEL_BITS
export const PIXEL_MASK: u32 = MAX_BLOCK_PIXELS - 1

/** Limits of a view, see `shared/view.ts`. */
const MAX_SAMPLES: u32 = 1024
export const MAX_DEPTH: u32 = 16

/** Bytes of a queue of either kind, see `paths.ts` and `shadows.ts`: rays, and 32 bytes beside each. */
export const QUEUE_RAYS: u32 = 1024
export const QUEUE_BYTES: u32 = QUEUE_RAYS * (RAY_BYTES + 32)
/** Of the path tracer's queue of shadow rays, which takes the room of both: rays, and 16 bytes beside each. */
export const SHADOW_RAYS: u32 = GROUPS * QUEUE_RAYS
/** Bytes of the hit list of a queue, see `hits.ts`. */
const HITS_BYTES: u32 = QUEUE_RAYS * HIT_BYTES

const SAMPLES: u32 = VIEW_BYTES
const THRESHOLDS: u32 = SAMPLES + MAX_SAMPLES * 16
const LINEARS: u32 = THRESHOLDS + 256 * 4
const GUESSES: u32 = LINEARS + 256 * 4
export const GUESS_CELLS: u32 = 4096
const CURVE: u32 = GUESSES + GUESS_CELLS + 64
const SURFACES: u32 = CURVE + CURVE_BYTES
const VARIANTS: u32 = SURFACES + SURFACES_BYTES
const SUMS: u32 = (VARIANTS + 4 * MATERIAL_BYTES + 127) & ~127
const STEPS: u32 = SUMS + MAX_BLOCK_PIXELS * SUM_BYTES
const DEPTH: u32 = STEPS + MAX_BLOCK_PIXELS * 4
const ALBEDOS: u32 = DEPTH + MAX_BLOCK_PIXELS * 4
const COVERED: u32 = ALBEDOS + MAX_BLOCK_PIXELS * SUM_BYTES
const RGB: u32 = COVERED + MAX_BLOCK_PIXELS * 4
const COUNTS: u32 = RGB + MAX_BLOCK_PIXELS * 3
const TOUCHED: u32 = COUNTS + (MAX_DEPTH + 1) * 4
const PLACES: u32 = TOUCHED + 4
const DRAWN: u32 = (PLACES + MODELS * 4 + 15) & ~15
const LISTED: u32 = DRAWN + DRAWN_BYTES
const PATHS: u32 = (LISTED + MAX_BLOCK_PIXELS * LISTED_BYTES + 127) & ~127
const HITS: u32 = PATHS + (MAX_DEPTH + 1) * QUEUE_BYTES
const SHADOWS: u32 = HITS + (MAX_DEPTH + 1) * HITS_BYTES
const PASSING: u32 = SHADOWS + 2 * QUEUE_BYTES
const PASS_HITS: u32 = PASSING + SHADOW_RAYS * (RAY_BYTES + 4)
const PASS_SURFACES: u32 = PASS_HITS + 4 * HIT_BYTES
const PLACED: u32 = PASS_SURFACES + SURFACES_BYTES
const PASS_PLACED: u32 = PLACED + 4 * PLACED_TRIANGLE_BYTES
export const WORKSPACE_BYTES: u32 = (PASS_PLACED + 4 * PLACED_TRIANGLE_BYTES + 127) & ~127

export let view: u32 = 0
export let samplesTable: u32 = 0
export let thresholds: u32 = 0
export let linears: u32 = 0
export let guesses: u32 = 0
export let curve: u32 = 0
export let surfaces: u32 = 0
export let variants: u32 = 0
export let sums: u32 = 0
export let steps: u32 = 0
export let depths: u32 = 0
export let albedos: u32 = 0
export let covered: u32 = 0
export let rgb: u32 = 0
export let counts: u32 = 0
export let touched: u32 = 0
export let places: u32 = 0
export let drawn: u32 = 0
/** At most as many squares as a block has pixels. */
export let listed: u32 = 0
export let paths: u32 = 0
let hitLists: u32 = 0
export let shadows: u32 = 0
export let passing: u32 = 0
export let passHits: u32 = 0
export let passSurfaces: u32 = 0
export let placed: u32 = 0
export let passPlaced: u32 = 0

/** Values of the current view; `share` is the weight of a camera ray, `leastWeight` the smallest weight of a traced ray. */
export let frame: u32 = 0
export let samples: u32 = 0
/** The number that the table of positions is for. */
let placedSamples: u32 = 0
/** The range of a pixel's samples that is traced now: the first, and how many. */
export let fromSample: u32 = 0
export let takenSamples: u32 = 0
/** Bits of the number of a pixel's sample. */
export let sampleBits: u32 = 0
export let ambientRays: u32 = 0
/** Reciprocal of the number of ambient rays at a camera ray's hit, and at later hits. */
export let firstAmbientShare: f32 = 0
export let ambientShare: f32 = 0
export let maxDepth: u32 = 0
/** Whether rays are traced one by one, and what each leads to before the next: the scalar driver. */
export let alone: bool = false
/** How often a path is scattered before its last ray, which only adds the light that it hits. */
export let bounces: u32 = 0
export let share: f64 = 0
export let leastWeight: f32 = 0
/** Of the cone around a camera ray: its width at the origin, and its growth per distance. */
export let coneWidth: f32 = 0
export let coneSpread: f32 = 0
/** Whether cones matter: whether any material has textures. */
export let textured: bool = false
/** Whether what camera rays hit is counted, and whether those that hit nothing add no light. */
export let countsHits: bool = false
export let transparent: bool = false
/** Whether light that microfacets scatter several times is left out. */
export let single: bool = false

/**
 * Smallest share of a sample for which a reflected or refracted ray is traced. One that would count for less in every channel sees
 * only sky and sun in its direction, as does one beyond the view's depth: no light is lost, and a white world stays white.
 */
const MIN_WEIGHT: f32 = 1.0 / 64.0

/** The hit list of a depth. */
@inline
export function hits(depth: u32): u32 {
  return hitLists + depth * HITS_BYTES
}

/** Sets the globals to the sections of a workspace. */
export function placeWorkspace(workspace: u32): void {
  view = workspace
  samplesTable = workspace + SAMPLES
  thresholds = workspace + THRESHOLDS
  linears = workspace + LINEARS
  guesses = workspace + GUESSES
  curve = workspace + CURVE
  surfaces = workspace + SURFACES
  variants = workspace + VARIANTS
  sums = workspace + SUMS
  steps = workspace + STEPS
  depths = workspace + DEPTH
  albedos = workspace + ALBEDOS
  covered = workspace + COVERED
  rgb = workspace + RGB
  counts = workspace + COUNTS
  touched = workspace + TOUCHED
  places = workspace + PLACES
  drawn = workspace + DRAWN
  listed = workspace + LISTED
  paths = workspace + PATHS
  hitLists = workspace + HITS
  shadows = workspace + SHADOWS
  passing = workspace + PASSING
  passHits = workspace + PASS_HITS
  passSurfaces = workspace + PASS_SURFACES
  placed = workspace + PLACED
  passPlaced = workspace + PASS_PLACED
  fillCurve(curve)
}

/** Reads the view block, which the host may have changed. */
export function readView(): void {
  frame = load<u32>(view, VIEW_FRAME)
  ambientRays = load<u32>(view, VIEW_AMBIENT_RAYS)
  firstAmbientShare = 1.0 / <f32>ambientRays
  ambientShare = 1.0 / <f32>max<u32>(1, ambientRays >> 1)
  maxDepth = load<u32>(view, VIEW_MAX_DEPTH)
  alone = (load<u32>(view, VIEW_FLAGS) & FLAG_ALONE) != 0
  const newSamples = load<u32>(view, VIEW_SAMPLES)
  bounces = load<u32>(view, VIEW_PATH) - 1
  countsHits = load<u32>(view, VIEW_FIRST_HITS) != 0
  transparent = (load<u32>(view, VIEW_FLAGS) & FLAG_TRANSPARENT) != 0
  single = (load<u32>(view, VIEW_FLAGS) & FLAG_SINGLE) != 0
  samples = newSamples
  sampleBits = 32 - clz<u32>(samples - 1)
  // The path tracer has its own.
  if (load<u32>(view, VIEW_PATH) == 0 && placedSamples != samples) {
    placedSamples = samples
    fillSamples(samplesTable, samples)
  }
  fromSample = load<u32>(view, VIEW_FROM_SAMPLE)
  takenSamples = load<u32>(view, VIEW_TO_SAMPLE) - fromSample
  share = 1.0 / <f64>samples
  leastWeight = MIN_WEIGHT * <f32>share
  // Samples share a pixel's area.
  const pixel = (2 * load<f64>(view, VIEW_TAN_HALF_Y)) / <f64>load<u32>(view, VIEW_HEIGHT)
  const wide = <f32>(pixel * sqrt<f64>(share))
  const parallel = (load<u32>(view, VIEW_FLAGS) & FLAG_ORTHOGRAPHIC) != 0
  coneWidth = parallel ? wide : 0
  coneSpread = parallel ? 0 : wide
  textured = load<u32>(SCENE, SCENE_TEXTURED) != 0
}
