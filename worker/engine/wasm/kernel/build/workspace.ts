/**
 * A helper's workspace: the scratch memory of one thread, as offsets in bytes.
 *
 *     bins | bounds of the current range | values common to all ranges | keys and ranks of a small range | its records
 *     | costs of children, per level
 */
import { COST_BYTES, COST_PAD, padCosts } from './costs'
import { BIN_BYTES, MAX_BINS } from './sweep'

/** At smaller depths ranges are split at minimum cost; from this depth on they are halved. */
export const HALVE_FROM_DEPTH: u32 = 48
/**
 * Levels of inner nodes. A range has fewer than 2^26 items (limited by memory), so 24 halvings lead to a triangle4, and two more to a
 * single instance.
 */
export const MAX_LEVELS: u32 = HALVE_FROM_DEPTH + 26

export const WORKSPACE_BINS: u32 = 0
/** v128 each: lower and upper corner of the box, then of the doubled centroids' bounds. */
export const BOX_LOW: u32 = MAX_BINS * BIN_BYTES
export const BOX_HIGH: u32 = BOX_LOW + 16
export const CENTROID_LOW: u32 = BOX_LOW + 32
export const CENTROID_HIGH: u32 = BOX_LOW + 48
/** Added to an eighth of a record's address, gives the address of its id. */
export const WORKSPACE_IDS: u32 = BOX_LOW + 64
/** Keys of records from this one on are those of instances. */
export const WORKSPACE_INSTANCES: u32 = BOX_LOW + 68
/** First free node of the thread's chunk of tree nodes, the chunk's end, and how many pairs it has taken from all its chunks (`chunks.ts`). */
export const WORKSPACE_NODE: u32 = BOX_LOW + 72
export const WORKSPACE_CHUNK_END: u32 = BOX_LOW + 76
export const WORKSPACE_PAIRS: u32 = BOX_LOW + 80
/** Per axis MAX_BINS words. */
export const WORKSPACE_KEYS: u32 = BOX_LOW + 96
export const WORKSPACE_RANKS: u32 = WORKSPACE_KEYS + 3 * MAX_BINS * 4
export const WORKSPACE_RECORDS: u32 = WORKSPACE_RANKS + 3 * MAX_BINS * 4
/** Two cost blocks (`costs.ts`) per level of nodes. */
const WORKSPACE_COSTS: u32 = WORKSPACE_RECORDS + MAX_BINS * 32
export const WORKSPACE_BYTES: u32 = WORKSPACE_COSTS + MAX_LEVELS * 2 * COST_BYTES

/** Initialises a workspace, but for its chunk of tree nodes. */
export function prepareWorkspace(workspace: u32, ids: u32, instances: u32): void {
  store<u32>(workspace, ids, WORKSPACE_IDS)
  store<u32>(workspace, instances, WORKSPACE_INSTANCES)
}

/** Writes the infinities of the costs of children (`costs.ts`). */
export function padChildCosts(workspace: u32): void {
  for (let level: u32 = 0; level < MAX_LEVELS; level++) {
    padCosts(childCosts(workspace, level))
    padCosts(childCosts(workspace, level) + COST_BYTES)
  }
}

/** Address of the costs of the two children of a node at `depth`. */
@inline
export function childCosts(workspace: u32, depth: u32): u32 {
  return workspace + WORKSPACE_COSTS + depth * (2 * COST_BYTES) + COST_PAD
}

/** Largest side of the current range's box. */
@inline
export function largestSide(workspace: u32): f32 {
  const side = f32x4.sub(v128.load(workspace, BOX_HIGH), v128.load(workspace, BOX_LOW))
  return max(max(f32x4.extract_lane(side, 0), f32x4.extract_lane(side, 1)), f32x4.extract_lane(side, 2))
}
