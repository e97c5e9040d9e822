/**
 * Tree nodes in chunks, each of one thread: how many a subtree needs is only known once it is built, some 0.53 per item where triangle4s are
 * well filled, two at most. Where a node lies has no effect on the structure.
 */
import { buildState, FAILED, NEXT_CHUNK, PHASE, RECORDS, TREE_NODES } from './state'
import { enterPhase } from './tasks'
import { WORKSPACE_CHUNK_END, WORKSPACE_NODE, WORKSPACE_PAIRS } from './workspace'

/** Of a node, as it is laid out in `tree.ts`. */
export const TREE_NODE_BYTES: u32 = 32
/** Bytes of two siblings. */
const PAIR_BYTES: u32 = 2 * TREE_NODE_BYTES
export const CHUNK_BYTES: u32 = 128 * PAIR_BYTES

/** Gives a thread its first chunk, which is there whatever the others have taken. */
export function openChunk(state: u32, workspace: u32, helper: u32): void {
  const chunk = load<u32>(state, TREE_NODES) + helper * CHUNK_BYTES
  store<u32>(workspace, chunk, WORKSPACE_NODE)
  store<u32>(workspace, chunk + CHUNK_BYTES, WORKSPACE_CHUNK_END)
  store<u32>(workspace, 0, WORKSPACE_PAIRS)
}

/** Address of two new siblings. If there is no room for another chunk, the build has failed, and the thread's last ones are overwritten. */
@inline
export function takePair(workspace: u32): u32 {
  const node = load<u32>(workspace, WORKSPACE_NODE)
  if (node == load<u32>(workspace, WORKSPACE_CHUNK_END)) return pairOfNextChunk(workspace)
  return givePair(workspace, node)
}

@inline
function givePair(workspace: u32, node: u32): u32 {
  store<u32>(workspace, node + PAIR_BYTES, WORKSPACE_NODE)
  store<u32>(workspace, load<u32>(workspace, WORKSPACE_PAIRS) + 1, WORKSPACE_PAIRS)
  return node
}

function pairOfNextChunk(workspace: u32): u32 {
  const state = buildState()
  if (atomic.load<u32>(state, PHASE) != FAILED) {
    const chunk = atomic.add<u32>(state, CHUNK_BYTES, NEXT_CHUNK)
    if (chunk + CHUNK_BYTES <= load<u32>(state, RECORDS)) {
      store<u32>(workspace, chunk + CHUNK_BYTES, WORKSPACE_CHUNK_END)
      return givePair(workspace, chunk)
    }
    enterPhase(state, FAILED)
  }
  return givePair(workspace, load<u32>(workspace, WORKSPACE_CHUNK_END) - CHUNK_BYTES)
}
