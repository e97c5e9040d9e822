/**
 * The layout of one thread's workspace for pixels, as far as all integrators share it, and the values of the current view that all of
 * them read. Globals here are per thread: every thread has its own instance of the kernel.
 *
 *     view
 *     thresholds     f32 per sRGB byte, and a sentinel                  tone-map.ts
 *     linears        f32 per sRGB byte: its light                       texture.ts
 *     guesses        u8 per multiple of 1/4096, from 0 to 1
 *     curve          u8 per pixel of four squares                        hilbert.ts
 *     surfaces       the hit points of a batch, in fours                records.ts
 *     variants       the materials of its hits, where they vary         vary.ts
 *     sums           Sum per pixel                                      accumulate.ts
 *     steps, depth   u32 and f32 per pixel
 *     albedos        Sum per pixel: of what camera rays hit       first-hits.ts
 *     covered        u32 per pixel: how many hit something
 *     features       Features per pixel                                 features.ts
 *     objectTables   Coverage per pixel: of objects                     coverage.ts
 *     labelTables    the same of materials
 *     rgb            three bytes per pixel
 *     touched        f32 that is never read                             touch.ts
 *     listed         squares with requested pixels                      pixel-order.ts
 *     passing        rays that are traced again, and where they are from  pass.ts
 *     passHits       four of their hits, and their surfaces
 *     placed         the triangles of a batch of hits on instances        placed-hits.ts
 *     passPlaced     the same for passHits
 *
 * What follows belongs to the integrator of the current view: `ambient/workspace.ts`, `path/workspace.ts`.
 */
import { Choosing, Coverage, CoveredBy, Features, Hit, Listed, Material, PlacedTriangle, Ray, Scene, Sum, Surface, View, ViewFlag } from '../records'
import { CURVE_BYTES, fillCurve } from './hilbert'

/** Pixels of the largest block. A pixel's number in its block has PIXEL_BITS. */
export const PIXEL_BITS: u32 = 12
export const MAX_BLOCK_PIXELS: u32 = 1 << PIXEL_BITS
export const PIXEL_MASK: u32 = MAX_BLOCK_PIXELS - 1

/** Rays of a queue, and bytes of the list of its hits. */
export const QUEUE_RAYS: u32 = 1024
export const HITS_BYTES: u32 = QUEUE_RAYS * Hit.BYTES
/**
 * Hits that are prepared together for shading, at most: several fours. What is looked up for them is then on its way from memory for many at once.
 */
export const BATCH: u32 = 32
/** The most rays that pass surfaces together: shadow rays, of which every ray of a queue may have one to each group of lights. */
export const MAX_PASSING: u32 = Choosing.GROUPS * QUEUE_RAYS

const THRESHOLDS: u32 = View.BYTES
const LINEARS: u32 = THRESHOLDS + 256 * 4
const GUESSES: u32 = LINEARS + 256 * 4
export const GUESS_CELLS: u32 = 4096
const CURVE: u32 = GUESSES + GUESS_CELLS + 64
const SURFACES: u32 = CURVE + CURVE_BYTES
const VARIANTS: u32 = SURFACES + (BATCH / 4) * Surface.BYTES
const SUMS: u32 = (VARIANTS + BATCH * Material.BYTES + 127) & ~127
const STEPS: u32 = SUMS + MAX_BLOCK_PIXELS * Sum.BYTES
const DEPTH: u32 = STEPS + MAX_BLOCK_PIXELS * 4
const ALBEDOS: u32 = DEPTH + MAX_BLOCK_PIXELS * 4
const COVERED: u32 = ALBEDOS + MAX_BLOCK_PIXELS * Sum.BYTES
const FEATURES: u32 = COVERED + MAX_BLOCK_PIXELS * 4
const OBJECT_TABLES: u32 = FEATURES + MAX_BLOCK_PIXELS * Features.BYTES
const LABEL_TABLES: u32 = OBJECT_TABLES + MAX_BLOCK_PIXELS * Coverage.BYTES
const RGB: u32 = LABEL_TABLES + MAX_BLOCK_PIXELS * Coverage.BYTES
const TOUCHED: u32 = RGB + MAX_BLOCK_PIXELS * 3
const LISTED: u32 = (TOUCHED + 4 + 15) & ~15
const PASSING: u32 = (LISTED + MAX_BLOCK_PIXELS * Listed.BYTES + 127) & ~127
const PASS_HITS: u32 = PASSING + MAX_PASSING * (Ray.BYTES + 4)
const PASS_SURFACES: u32 = PASS_HITS + 4 * Hit.BYTES
const PLACED: u32 = PASS_SURFACES + Surface.BYTES
const PASS_PLACED: u32 = PLACED + BATCH * PlacedTriangle.BYTES
/** Where the integrator's own sections begin. */
export const SURFACE_WORKSPACE_BYTES: u32 = (PASS_PLACED + 4 * PlacedTriangle.BYTES + 127) & ~127

export let view: u32 = 0
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
export let features: u32 = 0
export let objectTables: u32 = 0
export let labelTables: u32 = 0
export let rgb: u32 = 0
export let touched: u32 = 0
/** At most as many squares as a block has pixels. */
export let listed: u32 = 0
export let passing: u32 = 0
export let passHits: u32 = 0
export let passSurfaces: u32 = 0
export let placed: u32 = 0
export let passPlaced: u32 = 0

/** Values of the current view; `share` is the weight of a camera ray, and `part` of what it meets, where that is counted without light. */
export let frame: u32 = 0
export let samples: u32 = 0
/** The range of a pixel's samples that is traced now: the first, and how many. */
export let fromSample: u32 = 0
export let takenSamples: u32 = 0
/** Whether rays are traced one by one, and what each leads to before the next: the scalar driver. */
export let alone: bool = false
export let share: f64 = 0
export let part: f64 = 0
/** Of the cone around a camera ray: its width at the origin, and its growth per distance. */
export let coneWidth: f32 = 0
export let coneSpread: f32 = 0
/** Whether cones matter: whether any material has textures. */
export let textured: bool = false
/** Whether what camera rays hit is counted, and whether those that hit nothing add no light. */
export let countsHits: bool = false
export let transparent: bool = false
/** Whether features are added up. */
export let hasFeatures: bool = false
/** Whether it is counted which objects, and which names of materials, samples see first. */
export let countsObjects: bool = false
export let countsLabels: bool = false

/** Sets the globals to the sections of a workspace. */
export function placeWorkspace(workspace: u32): void {
  view = workspace
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
  features = workspace + FEATURES
  objectTables = workspace + OBJECT_TABLES
  labelTables = workspace + LABEL_TABLES
  rgb = workspace + RGB
  touched = workspace + TOUCHED
  listed = workspace + LISTED
  passing = workspace + PASSING
  passHits = workspace + PASS_HITS
  passSurfaces = workspace + PASS_SURFACES
  placed = workspace + PLACED
  passPlaced = workspace + PASS_PLACED
  fillCurve(curve)
}

/** Reads the view block, which the host may have changed. */
export function readView(): void {
  const flags = View.flags(view)
  frame = View.frame(view)
  samples = View.samples(view)
  fromSample = View.fromSample(view)
  takenSamples = View.toSample(view) - fromSample
  alone = (flags & ViewFlag.ALONE) != 0
  countsHits = View.firstHits(view) != 0
  hasFeatures = View.features(view) != 0
  countsObjects = (View.coveredBy(view) & CoveredBy.OBJECTS) != 0
  countsLabels = (View.coveredBy(view) & CoveredBy.LABELS) != 0
  transparent = (flags & ViewFlag.TRANSPARENT) != 0
  part = 1.0 / <f64>View.weightedFor(view)
  share = View.sumScale(view) * part
  // Samples share a pixel's area, of which the path tracer's keep the share of few.
  const pixel = (2 * View.tanHalfY(view)) / <f64>View.height(view)
  const wide = <f32>(pixel * sqrt<f64>(1.0 / <f64>View.sharedBy(view)))
  const parallel = (flags & ViewFlag.ORTHOGRAPHIC) != 0
  coneWidth = parallel ? wide : 0
  coneSpread = parallel ? 0 : wide
  textured = Scene.textured() != 0
}
