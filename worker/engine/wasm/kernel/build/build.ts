/**
 * Builds the tree of the scene in the header, and those of meshes that are instanced (`trees.ts`). `buildBegin` on one thread allocates memory; `buildHelp` on any number of
 * threads at once does everything else; after all have returned, `buildFinish` on one thread completes the structure.
 * The same scene gives the same bytes with any number of threads.
 *
 *     triangles -> records -> binary tree, its top by several threads, each subtree by one
 *               -> visits of rays, counted by one thread -> the nodes' choices, by all
 *               -> list of wide nodes, by one thread -> nodes and triangle4s, by all
 */
import { Node, Scene, Triangle4 } from '../records'
import { WORKSPACE_BYTES, prepareWorkspace } from './workspace'
import { CHUNK_BYTES, openChunk, TREE_NODE_BYTES } from './chunks'
import { ENTRY_BYTES } from './collapse'
import { COST_BYTES } from './costs'
import { emit, relocate } from './emit'
import { setOdds } from './odds'
import {
  firstInstanceKey,
  helpWithRecords,
  PART_BOUNDS_BYTES,
  RECORDS_PART,
} from './records'
import {
  WORKSPACES,
  buildState,
  DEPTH,
  FAILED,
  FREE,
  HELPERS,
  IDS,
  LEAVES,
  NEXT_CHUNK,
  NEXT_WIDE,
  OPEN_ITEMS,
  openState,
  PART_BOUNDS,
  PHASE,
  RECORDS,
  reserve,
  STRUCTURE,
  TASK_LIST,
  TOP_COSTS,
  TOP_NODES,
  TREE_NODES,
  TREES,
  TRIANGLE4S,
  WEIGHING,
  WIDE_LIST,
  WIDE_NODES,
  WRITING,
} from './state'
import { afterPhase, enterPhase, TASK_BYTES, takeTask } from './tasks'
import { MAX_TOP_NODES, runTask, usefulThreads } from './top'
import { collapseTrees, itemCount, linkInstances, openTrees, TREE_STATE_BYTES, treeCount, visitTrees } from './trees'
import { chooseTop, helpToWeigh, weighTop } from './weights'

export { refitBegin, refitFinish, refitHelp, treeCost, treeShape } from './refit'

/** Threads that can help with one build; any more find nothing to do. */
const MAX_HELPERS: u32 = 128
/** Every second top node comes from a task on the list, as do those of roots, and every thread draws one number too many. */
const LISTED_TASKS: u32 = MAX_TOP_NODES / 2 + MAX_HELPERS
/** Bytes of tree nodes per item: two nodes suffice even if every triangle4 has only one triangle; where that is too much for memory, most meshes need 0.53. */
const MOST_NODE_BYTES: u32 = 2 * TREE_NODE_BYTES
const LEAST_NODE_BYTES: u32 = (5 * TREE_NODE_BYTES) / 8
/** Bytes per item of the structure that replaces the records (32), and of the list of its nodes, for most meshes. */
const STRUCTURE_BYTES: u32 = 59
/** Nodes written at a time. */
const WIDE_PART: u32 = 256

/**
 * Allocates memory for a build from `scratch` (a multiple of 128) on. Returns how many threads can help at the same time,
 * at least 1, or 0 if memory cannot grow enough.
 */
export function buildBegin(scratch: u32): u32 {
  const items = itemCount()
  const trees = treeCount()
  const state = scratch
  const taskBytes = (LISTED_TASKS + trees) * TASK_BYTES
  if (!openState(state)) return 0
  if (!reserve(state, TREES, trees * TREE_STATE_BYTES)) return 0
  if (!reserve(state, TOP_NODES, (MAX_TOP_NODES + trees) * TREE_NODE_BYTES)) return 0
  if (!reserve(state, TOP_COSTS, (MAX_TOP_NODES + trees) * COST_BYTES)) return 0
  if (!reserve(state, TASK_LIST, taskBytes)) return 0
  if (!reserve(state, WORKSPACES, MAX_HELPERS * WORKSPACE_BYTES)) return 0
  if (!reserve(state, PART_BOUNDS, (items / RECORDS_PART + 1) * PART_BOUNDS_BYTES)) return 0
  const free = load<u32>(state, FREE)
  if (!reserveItems(state, items, MOST_NODE_BYTES)) {
    store<u32>(state, free, FREE)
    if (!reserveItems(state, items, LEAST_NODE_BYTES)) return 0
  }
  memory.fill(load<u32>(state, TASK_LIST), 0, taskBytes)
  store<u32>(state, items, OPEN_ITEMS)
  return usefulThreads(items)
}

/** Reserves what the builder needs of each item; false if memory cannot grow. Untouched memory costs nothing. */
function reserveItems(state: u32, items: u64, nodeBytes: u64): bool {
  if (!reserve(state, IDS, items * 4)) return false
  if (!reserve(state, TREE_NODES, items * nodeBytes + MAX_HELPERS * CHUNK_BYTES)) return false
  if (!reserve(state, RECORDS, items * STRUCTURE_BYTES)) return false
  store<u32>(state, load<u32>(state, TREE_NODES) + MAX_HELPERS * CHUNK_BYTES, NEXT_CHUNK)
  return true
}

/** Works on the build until nothing is left to do. Waits for other helpers where their work is needed. */
export function buildHelp(): void {
  const state = buildState()
  const helper = atomic.add<u32>(state, 1, HELPERS)
  if (helper >= MAX_HELPERS) return
  const workspace = load<u32>(state, WORKSPACES) + helper * WORKSPACE_BYTES
  if (helpWithRecords(state)) openTrees(state, workspace)

  const items = itemCount()
  let task = takeTask(state)
  if (task) {
    prepareWorkspace(workspace, load<u32>(state, IDS) - load<u32>(state, RECORDS) / 8, firstInstanceKey())
    openChunk(state, workspace, helper)
  }
  for (; task; task = takeTask(state)) {
    const done = runTask(state, workspace, task, items)
    // The thread that builds the last subtree has rays visit them all, while the others wait.
    if (atomic.sub<u32>(state, done, OPEN_ITEMS) == done && load<u32>(state, PHASE) != FAILED) {
      visitTrees(state, workspace)
      weighTop(state, treeCount())
      enterPhase(state, WEIGHING)
    }
  }

  if (load<u32>(state, PHASE) == WEIGHING && helpToWeigh(state, workspace)) {
    // The thread that weighs the last subtree joins them all, while the others wait.
    enterPhase(state, load<u32>(state, PHASE) != FAILED && joinSubtrees(state, workspace) ? WRITING : FAILED)
  }
  if (afterPhase(state, WEIGHING) == FAILED) return
  const nodes = load<u32>(state, WIDE_NODES)
  while (true) {
    const first = atomic.add<u32>(state, WIDE_PART, NEXT_WIDE)
    if (first >= nodes) break
    emit(state, first, min(first + WIDE_PART, nodes))
  }
}

/**
 * Abandons the build: threads that wait for the task of a failed helper stop waiting. No structure results.
 */
export function buildAbandon(): void {
  enterPhase(buildState(), FAILED)
}

/**
 * Completes the header and the structure, for its final address `base` (a multiple of 128) in this memory or another.
 * Returns its current address, 0 if memory could not grow.
 */
export function buildFinish(base: u32): u32 {
  const state = buildState()
  // Does everything if no thread has helped, otherwise nothing.
  buildHelp()
  if (load<u32>(state, PHASE) != WRITING) return 0
  const structure = load<u32>(state, STRUCTURE)
  const nodes = load<u32>(state, WIDE_NODES)
  const triangle4s = load<u32>(state, TRIANGLE4S)
  // In scenes with instances no ray asks for odds.
  if (treeCount() == 1) setOdds(structure, 0)
  relocate(structure, nodes, base - structure)
  linkInstances(state, base, Node.BYTES)
  Scene.setRoot(base)
  Scene.setStructure(base)
  Scene.setStructureBytes(nodes * Node.BYTES + triangle4s * Triangle4.BYTES)
  Scene.setNodeCount(nodes)
  Scene.setTriangle4Count(triangle4s)
  Scene.setDepth(load<u32>(state, DEPTH))
  return structure
}

/**
 * Joins the subtrees into trees, lists their wide nodes, and allocates the structure; false if memory cannot grow. `stack` is free memory.
 */
function joinSubtrees(state: u32, stack: u32): bool {
  const leaves = load<u32>(state, LEAVES)
  chooseTop(state)
  // The memory of the records is free again. There are never more wide nodes than leaves.
  const list = load<u32>(state, RECORDS)
  store<u32>(state, list, FREE)
  if (!reserve(state, WIDE_LIST, <u64>leaves * ENTRY_BYTES)) return false
  collapseTrees(state, stack)
  const nodes = load<u32>(state, WIDE_NODES)
  store<u32>(state, list + ((nodes * ENTRY_BYTES + 127) & ~127), FREE)
  return reserve(state, STRUCTURE, <u64>nodes * Node.BYTES + <u64>load<u32>(state, TRIANGLE4S) * Triangle4.BYTES)
}
