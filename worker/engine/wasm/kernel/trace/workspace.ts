/**
 * A thread's memory for tracing: tables, lists of rays, contexts, stacks.
 *
 * Bound of a stack: a step pops one child and pushes at most eight, so it has at most 7 entries per level of the tree, plus
 * one; the last push writes up to eight words above that, and the four entries below the first are sentinels.
 */
import { Node, Passing, Scene, Triangle4 } from '../records'
import { BUNDLE_BYTES, NOWHERE } from './bundle-context'
import { ENTRY_SCRATCH_BYTES } from './entry-points'
import { SIDE_BYTES } from './instances'
import { ENDED, ENDS_BYTES, INSTANCES, NODES, TRIANGLE4S, POPPING, SEVERAL, SINGLE } from './lists'
import { AXES_TABLE_BYTES, BOTTOM, CONTEXT_BYTES, fillAxesTable, SIDE } from './ray-context'
import { ORDER_BYTES } from './order'
import { fillPackTable, fillSortTable, PACK_TABLE_BYTES, SORT_TABLE_BYTES } from './sort-table'

/** Rays in flight at once, and bundles. */
export const LANES: u32 = 96
export const BUNDLES: u32 = 32
/** A power of two, more than the beams that can start at once, of 8 rays or more; their rays visit the virtual root in the very next step. */
export const VIRTUAL_ROOTS: u32 = 16
export const LIST_BYTES: u32 = LANES * 4 + 16

// Offsets in the workspace.
export const SORT_TABLE: u32 = 0
export const PACK_TABLE: u32 = SORT_TABLE + SORT_TABLE_BYTES
export const AXES_TABLE: u32 = PACK_TABLE + PACK_TABLE_BYTES
export const ENDS: u32 = AXES_TABLE + AXES_TABLE_BYTES
export const ROOTS: u32 = (ENDS + ENDS_BYTES + 127) & ~127
export const ENTRY_SCRATCH: u32 = ROOTS + VIRTUAL_ROOTS * Node.BYTES
/** Nine lists: rays by their next step, twice, for this step and the one after; ended rays; rays by how they move on. */
export const NODE_LIST: u32 = ENTRY_SCRATCH + ENTRY_SCRATCH_BYTES
export const TRIANGLE4_LIST: u32 = NODE_LIST + LIST_BYTES
export const OTHER_NODE_LIST: u32 = TRIANGLE4_LIST + LIST_BYTES
export const OTHER_TRIANGLE4_LIST: u32 = OTHER_NODE_LIST + LIST_BYTES
export const ENDED_LIST: u32 = OTHER_TRIANGLE4_LIST + LIST_BYTES
export const POPPING_LIST: u32 = ENDED_LIST + LIST_BYTES
export const SINGLE_LIST: u32 = POPPING_LIST + LIST_BYTES
export const SEVERAL_LIST: u32 = SINGLE_LIST + LIST_BYTES
export const INSTANCE_LIST: u32 = SEVERAL_LIST + LIST_BYTES
export const ORDER: u32 = (INSTANCE_LIST + LIST_BYTES + 15) & ~15
export const CONTEXTS: u32 = (ORDER + ORDER_BYTES + 127) & ~127
export const BUNDLE_CONTEXTS: u32 = CONTEXTS + LANES * CONTEXT_BYTES
/** A triangle4 relative to the origin of a bundle's rays. */
export const MOVED: u32 = BUNDLE_CONTEXTS + BUNDLES * BUNDLE_BYTES
/** What scenes with instances need besides: what is beside the contexts, and two triangle4s where they are in the scene. */
const SIDES: u32 = MOVED + Triangle4.ID
export const PLACED: u32 = SIDES + LANES * SIDE_BYTES
const STACKS: u32 = PLACED + 2 * Triangle4.ID

export let workspace: u32 = 0
/** Distance in memory from a stacked child to its key. */
export let toKeys: u32 = 0
/** Whether the scene has instances. */
export let wide: bool = false
/** Whether it has masks or blends, which are met a little before what they lie on (`triangle4-step.ts`). */
export let leans: bool = false

/** Bytes of one stack of children, or of distances. */
@inline
function stackBytes(): u32 {
  return ((4 + 7 * Scene.depth() + 1 + 8) * 4 + 15) & ~15
}

/** Bytes of the workspace for the scene in the header. */
export function workspaceBytes(): u32 {
  return STACKS + (LANES + BUNDLES) * 2 * stackBytes()
}

/** Initialises a workspace of workspaceBytes() bytes at `start`, a multiple of 128. */
export function makeWorkspace(start: u32): void {
  workspace = start
  toKeys = stackBytes()
  wide = Scene.instanceCount() > 0
  leans = (Scene.passing() & Passing.SOME) != 0
  fillSortTable(workspace + SORT_TABLE)
  fillPackTable(workspace + PACK_TABLE)
  fillAxesTable(workspace + AXES_TABLE)
  for (let i: u32 = 0; i < LANES; i++) {
    makeStack(workspace + CONTEXTS + i * CONTEXT_BYTES, i, 0)
    store<u32>(workspace + CONTEXTS + i * CONTEXT_BYTES, workspace + SIDES + i * SIDE_BYTES, SIDE)
  }
  for (let i: u32 = 0; i < BUNDLES; i++) {
    const bundle = workspace + BUNDLE_CONTEXTS + i * BUNDLE_BYTES
    makeStack(bundle, LANES + i, bundle + NOWHERE)
    store<u32>(bundle, 0, NOWHERE)
  }
}

/** Assigns a context its stack, above the sentinel that ends a ray. */
function makeStack(context: u32, i: u32, sentinel: u32): void {
  const bottom = workspace + STACKS + i * 2 * toKeys
  // The sentinel is nearer than anything.
  v128.store(bottom, i32x4.splat(sentinel))
  v128.store(bottom + toKeys, i32x4.splat(i32.MIN_VALUE))
  store<u32>(context, bottom, BOTTOM)
}

/** Empties the lists that a step fills: rays that continue to nodes and triangle4s are listed at the given addresses. */
@inline
export function startStep(nodes: u32, triangle4s: u32): void {
  const ends = workspace + ENDS
  store<u32>(ends, nodes, NODES)
  store<u32>(ends, triangle4s, TRIANGLE4S)
  store<u32>(ends, workspace + ENDED_LIST, ENDED)
  store<u32>(ends, workspace + POPPING_LIST, POPPING)
  store<u32>(ends, workspace + SINGLE_LIST, SINGLE)
  store<u32>(ends, workspace + SEVERAL_LIST, SEVERAL)
  store<u32>(ends, workspace + INSTANCE_LIST, INSTANCES)
}
