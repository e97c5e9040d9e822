/**
 * The top of the tree, on which several threads work: a thread with a large range splits it, leaves one part to other threads
 * and continues with the other, until it is small enough for a subtree that one thread builds alone.
 *
 * A top node is a tree node (`tree.ts`), except that until all subtrees are known, its surface area takes the place of its choices.
 */
import { WORKSPACE_PAIRS, WORKSPACE_SCALE, BOX_HIGH, BOX_LOW, MAX_LEVELS } from './workspace'
import { measure } from './binned-split'
import { TREE_NODE_BYTES } from './chunks'
import { COST_BYTES, COST_PAD, innerCosts, padCosts } from './costs'
import { RECORD_BYTES } from './records'
import { LEAVES, TOP_COSTS, TOP_END, TOP_NODES } from './state'
import { listTask, TASK_DEPTH, TASK_END, TASK_FIRST, TASK_NODE, TASK_TREE } from './tasks'
import { TREE_SCALE } from './trees'
import { buildSubtree, relativeArea, splitRange, TREE_KIND, TREE_LINK } from './tree'

/** A range is large if it has more items than SMALL_RANGE, and more than 1 / LARGE_PART of those of all trees. */
const SMALL_RANGE: u32 = 4096
const LARGE_PART: u32 = 64
/** Fewer than LARGE_PART ranges of one depth are split, each into two; besides there is one for each tree of a mesh. */
export const MAX_TOP_NODES: u32 = (LARGE_PART - 1) * 2 * MAX_LEVELS + 1

/** Roughly how many threads find work at the same time. */
export function usefulThreads(items: u32): u32 {
  return min(LARGE_PART, (items + SMALL_RANGE - 1) / SMALL_RANGE)
}

/** Splits a task's range down to one subtree, listing the parts cut off; returns the number of items in that subtree. */
export function runTask(state: u32, workspace: u32, task: u32, items: u32): u32 {
  const limit = max(SMALL_RANGE, items / LARGE_PART) * RECORD_BYTES
  const tree = load<u32>(task, TASK_TREE)
  store<f32>(workspace, load<f32>(tree, TREE_SCALE), WORKSPACE_SCALE)
  let node = load<u32>(task, TASK_NODE)
  const first = load<u32>(task, TASK_FIRST)
  let end = load<u32>(task, TASK_END)
  let depth = load<u32>(task, TASK_DEPTH)
  while (end - first > limit) {
    measure(workspace, first, end)
    const low = v128.load(workspace, BOX_LOW)
    const high = v128.load(workspace, BOX_HIGH)
    const middle = splitRange(workspace, first, end, depth)
    const left = atomic.add<u32>(state, 2 * TREE_NODE_BYTES, TOP_END)
    v128.store(node, i32x4.replace_lane(low, 3, left))
    v128.store(node, f32x4.replace_lane(high, 3, relativeArea(low, high, load<f32>(workspace, WORKSPACE_SCALE))), 16)
    depth++
    listTask(state, tree, left + TREE_NODE_BYTES, middle, end, depth)
    node = left
    end = middle
  }
  const pairs = load<u32>(workspace, WORKSPACE_PAIRS)
  buildSubtree(workspace, node, first, end, depth, topCosts(state, node))
  // Each inner node has two more nodes, and there is one leaf more than inner nodes.
  atomic.add<u32>(state, load<u32>(workspace, WORKSPACE_PAIRS) - pairs + 1, LEAVES)
  return (end - first) / RECORD_BYTES
}

/** Computes the choices of the top nodes. Children come after their parents, so a backward loop visits them first. */
export function chooseTop(state: u32): void {
  const root = load<u32>(state, TOP_NODES)
  const end = load<u32>(state, TOP_END)
  for (let node = end - TREE_NODE_BYTES; node >= root; node -= TREE_NODE_BYTES) {
    padCosts(topCosts(state, node))
    const left = load<u32>(node, TREE_LINK)
    // The roots of subtrees are complete; their children lie elsewhere.
    if (left <= node || left >= end) continue
    const right = left + TREE_NODE_BYTES
    const area = load<f32>(node, TREE_KIND)
    const choices = innerCosts(topCosts(state, node), topCosts(state, left), topCosts(state, right), area)
    store<u32>(node, choices, TREE_KIND)
  }
}

/** Address of the cost block of a top node. */
@inline
function topCosts(state: u32, node: u32): u32 {
  return load<u32>(state, TOP_COSTS) + (node - load<u32>(state, TOP_NODES)) * (COST_BYTES / TREE_NODE_BYTES) + COST_PAD
}
