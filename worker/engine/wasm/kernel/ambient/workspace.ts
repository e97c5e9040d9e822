/**
 * The ambient integrator's own sections of a thread's workspace, and the values of the view that it alone reads.
 *
 *     samples        f64 x, y per sample of a pixel                      sampling.ts
 *     counts         u32 per queue of paths
 *     paths          one queue of rays per depth                         paths.ts
 *     hits           one list of their hits per depth                    hits.ts
 *     shadows        the queue of sun rays, the queue of ambient rays    shadows.ts
 */
import { Ray, View } from '../records'
import { HITS_BYTES, QUEUE_RAYS, samples, share, view } from '../surface/workspace'
import { fillSamples } from './sampling'

/** Limits of a view, see `shared/frame/view.ts`. */
const MAX_SAMPLES: u32 = 1024
export const MAX_DEPTH: u32 = 16

/** Bytes of a queue of either kind, see `paths.ts` and `shadows.ts`: rays, and 32 bytes beside each. */
export const QUEUE_BYTES: u32 = QUEUE_RAYS * (Ray.BYTES + 32)

const COUNTS: u32 = MAX_SAMPLES * 16
const PATHS: u32 = (COUNTS + (MAX_DEPTH + 1) * 4 + 127) & ~127
const HITS: u32 = PATHS + (MAX_DEPTH + 1) * QUEUE_BYTES
const SHADOWS: u32 = HITS + (MAX_DEPTH + 1) * HITS_BYTES
export const AMBIENT_WORKSPACE_BYTES: u32 = SHADOWS + 2 * QUEUE_BYTES

export let samplesTable: u32 = 0
export let counts: u32 = 0
export let paths: u32 = 0
let hitLists: u32 = 0
export let shadows: u32 = 0

export let ambientRays: u32 = 0
/** Reciprocal of the number of ambient rays at a camera ray's hit, and at later hits. */
export let firstAmbientShare: f32 = 0
export let ambientShare: f32 = 0
export let maxDepth: u32 = 0
/** The smallest weight of a traced ray. */
export let leastWeight: f32 = 0
/** The number of samples that the table of their positions is for. */
let placedSamples: u32 = 0

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

/**
 * Sets the globals to the sections at `workspace`, for a view that has been read.
 * @param isNew whether what was there has been lost
 */
export function beginAmbient(workspace: u32, isNew: bool): void {
  samplesTable = workspace
  counts = workspace + COUNTS
  paths = workspace + PATHS
  hitLists = workspace + HITS
  shadows = workspace + SHADOWS
  ambientRays = View.ambientRays(view)
  firstAmbientShare = 1.0 / <f32>ambientRays
  ambientShare = 1.0 / <f32>max<u32>(1, ambientRays >> 1)
  maxDepth = View.maxDepth(view)
  leastWeight = MIN_WEIGHT * <f32>share
  if (!isNew && placedSamples == samples) return
  placedSamples = samples
  fillSamples(samplesTable, samples)
}
