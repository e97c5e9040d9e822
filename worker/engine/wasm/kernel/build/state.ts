/**
 * The state of a build in progress in shared memory. Instances of the kernel share nothing else, so every address and
 * counter that threads exchange is a word of this block; its own address is a word of the scene header.
 *
 *     state | trees | top nodes | their costs | tasks | workspaces | bounds of parts | ids | tree nodes | records
 *
 * Once the ids have been written in order, the list of wide nodes and the final structure replace the records.
 */
import { Scene } from '../records'

export const STATE_BYTES: u32 = 128
/** First item whose record no thread has taken yet, and how many records are complete. */
export const NEXT_RECORD: u32 = 0
export const DONE_RECORDS: u32 = 4
/** Number of tasks ever listed, of tasks drawn by threads, and of items that are not in a subtree yet. */
export const TASKS: u32 = 8
export const NEXT_TASK: u32 = 12
export const OPEN_ITEMS: u32 = 16
/** 0 while subtrees are built, then WEIGHING, then WRITING, or FAILED if memory could not grow or a helper failed. */
export const PHASE: u32 = 20
/** Changes with every new task and with the phase; idle threads wait on it. */
export const NEWS: u32 = 24
/** First node of the wide list that no thread has taken for writing yet. */
export const NEXT_WIDE: u32 = 28
/** Number of threads that have begun to help. */
export const HELPERS: u32 = 32
/** Addresses of the sections listed in the header comment. */
export const TOP_NODES: u32 = 36
export const TOP_COSTS: u32 = 40
export const TASK_LIST: u32 = 44
export const WORKSPACES: u32 = 48
export const PART_BOUNDS: u32 = 52
export const IDS: u32 = 56
export const TREE_NODES: u32 = 60
export const RECORDS: u32 = 64
export const WIDE_LIST: u32 = 68
export const STRUCTURE: u32 = 72
/** First top node that is not in use. */
export const TOP_END: u32 = 76
/** Leaves of all trees so far; each becomes a triangle4, or is an instance. */
export const LEAVES: u32 = 80
export const WIDE_NODES: u32 = 84
export const DEPTH: u32 = 88
/** f32: largest absolute coordinate of triangles, while a tree is refitted. */
export const MARGIN: u32 = 92
/** Triangle4s of the collapsed trees. */
export const TRIANGLE4S: u32 = 96
/** First free address. */
export const FREE: u32 = 100
/** Address of the trees (`trees.ts`). */
export const TREES: u32 = 104
/** First tree node that no thread has taken. */
export const NEXT_CHUNK: u32 = 108
/** First top node that no thread has taken for weighing yet, and how many are done. */
export const NEXT_WEIGHED: u32 = 112
export const DONE_WEIGHED: u32 = 116

export const WEIGHING: u32 = 1
export const WRITING: u32 = 2
export const FAILED: u32 = 3

/** Address of the state block. */
@inline
export function buildState(): u32 {
  return Scene.building()
}

/** Clears a state block at `state`, after which memory is free; false if memory cannot grow. */
export function openState(state: u32): bool {
  if (!growTo(<u64>state + STATE_BYTES)) return false
  Scene.setBuilding(state)
  memory.fill(state, 0, STATE_BYTES)
  store<u32>(state, state + STATE_BYTES, FREE)
  return true
}

/** Allocates bytes at a multiple of 128 and stores their address in the word `field`, growing memory; false if it cannot grow. */
export function reserve(state: u32, field: u32, bytes: u64): bool {
  const at = load<u32>(state, FREE)
  const end = (<u64>at + bytes + 127) & ~(<u64>127)
  if (!growTo(end)) return false
  store<u32>(state + field, at)
  store<u32>(state, <u32>end, FREE)
  return true
}

/** Makes memory reach at least to `end`. The last page stays unused: the end of all memory does not fit in a word. */
function growTo(end: u64): bool {
  const pages = (end + 0xffff) >> 16
  if (pages > 0xffff) return false
  const missing = <i32>pages - memory.size()
  return missing <= 0 || memory.grow(missing) >= 0
}
