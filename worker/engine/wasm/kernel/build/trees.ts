/**
 * The trees of a build: the scene's, then those of meshes that are instanced. All are built at once, by the same threads, and end up in one
 * structure. Items are instances, baked triangles, and the triangles of each mesh, in this order; so every tree has a range of them.
 *
 *     f32 least widening of its boxes | u32 number of its root | zeros
 */
import { Instance, Scene, Tree } from '../records'
import { marginOf } from './boxes'
import { TREE_NODE_BYTES } from './chunks'
import { measure } from './binned-split'
import { collapse } from './collapse'
import { joinBounds, RECORD_BYTES } from './records'
import { DEPTH, RECORDS, TOP_END, TOP_NODES, TREES, TRIANGLE4S, WIDE_NODES } from './state'
import { listTask } from './tasks'
import { countVisits } from './visits'
import { BOX_HIGH, BOX_LOW } from './workspace'

export const TREE_STATE_BYTES: u32 = 16
export const TREE_MARGIN: u32 = 0
const TREE_ROOT: u32 = 4
/** Rays that visit the trees, each of them as many as it has of the items; but not more for each item than this. */
const RAYS: u64 = 1024
const MOST_RAYS: u64 = 8

/** How many there are. */
@inline
export function treeCount(): u32 {
  return 1 + Scene.treeCount()
}

/** Instances and triangles. */
@inline
export function itemCount(): u32 {
  return Scene.instanceCount() + Scene.triangleCount()
}

/** After all records are made: measures the trees, and lists the range of each as a task. */
export function openTrees(state: u32, workspace: u32): void {
  const trees = treeCount()
  const roots = load<u32>(state, TOP_NODES)
  store<u32>(state, roots + trees * TREE_NODE_BYTES, TOP_END)
  for (let number: u32 = 0; number < trees; number++) {
    const tree = load<u32>(state, TREES) + number * TREE_STATE_BYTES
    const first = recordOf(state, firstItem(number))
    const end = recordOf(state, endItem(number))
    if (trees == 1) joinBounds(state, workspace + BOX_LOW)
    else measure(workspace, first, end)
    store<f32>(tree, marginOf(v128.load(workspace, BOX_LOW), v128.load(workspace, BOX_HIGH)), TREE_MARGIN)
    listTask(state, tree, roots + number * TREE_NODE_BYTES, first, end, 0)
  }
}

/** Has rays visit the trees. `stack` is free memory. */
export function visitTrees(state: u32, stack: u32): void {
  const items = <u64>itemCount()
  for (let number: u32 = 0; number < treeCount(); number++) {
    const own = <u64>(endItem(number) - firstItem(number))
    if (own > 0) countVisits(load<u32>(state, TOP_NODES) + number * TREE_NODE_BYTES, <u32>min(own * MOST_RAYS, (own * RAYS) / items), stack)
  }
}

/** Lists the nodes of all trees, and counts the levels that a ray may go down. */
export function collapseTrees(state: u32, stack: u32): void {
  store<u32>(state, 0, WIDE_NODES)
  store<u32>(state, 0, TRIANGLE4S)
  let levels: u32 = 0
  let deepest: u32 = 0
  for (let number: u32 = 0; number < treeCount(); number++) {
    const tree = load<u32>(state, TREES) + number * TREE_STATE_BYTES
    store<u32>(tree, load<u32>(state, WIDE_NODES), TREE_ROOT)
    const below = collapse(state, tree, load<u32>(state, TOP_NODES) + number * TREE_NODE_BYTES, stack)
    if (number == 0) levels = below
    // One more for the way back.
    else deepest = max(deepest, below + 1)
  }
  store<u32>(state, levels + deepest, DEPTH)
}

/** Writes the roots of their meshes into the instances. */
export function linkInstances(state: u32, base: u32, nodeBytes: u32): void {
  let instance = Scene.instances()
  for (let i: u32 = 0; i < Scene.instanceCount(); i++, instance += Instance.BYTES) {
    const tree = load<u32>(state, TREES) + Instance.root(instance) * TREE_STATE_BYTES
    Instance.setRoot(instance, base + load<u32>(tree, TREE_ROOT) * nodeBytes)
  }
}

@inline
function recordOf(state: u32, item: u32): u32 {
  return load<u32>(state, RECORDS) + item * RECORD_BYTES
}

/** The first item of a tree. */
function firstItem(tree: u32): u32 {
  if (tree == 0) return 0
  return Scene.instanceCount() + Tree.first(Scene.trees() + (tree - 1) * Tree.BYTES)
}

function endItem(tree: u32): u32 {
  const instances = Scene.instanceCount()
  if (tree == 0) return treeCount() == 1 ? itemCount() : instances + Scene.bakedCount()
  return instances + Tree.end(Scene.trees() + (tree - 1) * Tree.BYTES)
}
