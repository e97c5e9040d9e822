/**
 * The top of the tree, on which several threads work: a thread with a large range splits it, leaves one part to other threads
 * and continues with the other, until it is small enough for a subtree that one thread builds alone.
 */
import { WORKSPACE_PAIRS, BOX_HIGH, BOX_LOW, MAX_LEVELS } from './workspace'
import { measure } from './binned-split'
import { TREE_NODE_BYTES } from './chunks'
import { RECORD_BYTES } from './records'
import { LEAVES, TOP_END } from './state'
import { listTask, TASK_DEPTH, TASK_END, TASK_FIRST, TASK_NODE, TASK_TREE } from './tasks'
import { buildSubtree, splitRange, storeInner } from './tree'

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
    storeInner(node, low, high, left)
    depth++
    listTask(state, tree, left + TREE_NODE_BYTES, middle, end, depth)
    node = left
    end = middle
  }
  const pairs = load<u32>(workspace, WORKSPACE_PAIRS)
  buildSubtree(workspace, node, first, end, depth)
  // Each inner node has two more nodes, and there is one leaf more than inner nodes.
  atomic.add<u32>(state, load<u32>(workspace, WORKSPACE_PAIRS) - pairs + 1, LEAVES)
  return (end - first) / RECORD_BYTES
}
