/**
 * What a build in progress keeps in shared memory. Instances of the kernel share nothing else, so every address and
 * counter that goes from one thread to another is a word of this block; its own address is a word of the scene header.
 *
 *     state | top nodes | their costs | tasks | work areas | bounds of parts | ids | tree nodes | records
 *
 * Once the records are ids in order, the list of wide nodes and the finished structure take their place.
 */
import { SCENE } from '../layout'

/** Word of the scene header with the state block's address. */
const STATE_ADDRESS: u32 = SCENE + 192

export const STATE_BYTES: u32 = 128
/** First triangle whose record nobody makes yet, and how many records are made. */
export const NEXT_RECORD: u32 = 0
export const DONE_RECORDS: u32 = 4
/** Tasks ever listed, tasks promised to threads, triangles that are in no subtree yet. */
export const TASKS: u32 = 8
export const NEXT_TASK: u32 = 12
export const OPEN_TRIANGLES: u32 = 16
/** 0 while subtrees are built, then WRITING, or FAILED when memory could not grow or a helper failed. */
export const PHASE: u32 = 20
/** Changes with every new task and with the phase: what idle threads wait for. */
export const NEWS: u32 = 24
/** First node of the wide list that nobody writes out yet. */
export const NEXT_WIDE: u32 = 28
/** Threads that have come to help. */
export const HELPERS: u32 = 32
/** Addresses of what the header comment lists. */
export const TOP_NODES: u32 = 36
export const TOP_COSTS: u32 = 40
export const TASK_LIST: u32 = 44
export const AREAS: u32 = 48
export const PART_BOUNDS: u32 = 52
export const IDS: u32 = 56
export const TREE_NODES: u32 = 60
export const RECORDS: u32 = 64
export const WIDE_LIST: u32 = 68
export const STRUCTURE: u32 = 72
/** First top node that is not in use. */
export const TOP_END: u32 = 76
/** Leaves of the tree so far; each becomes a packet. */
export const LEAVES: u32 = 80
export const WIDE_NODES: u32 = 84
export const DEPTH: u32 = 88
/** f32: least widening of boxes, and one over the scene's largest side. */
export const MARGIN: u32 = 92
export const SCALE: u32 = 96
/** First address nothing uses. */
export const FREE: u32 = 100

export const WRITING: u32 = 1
export const FAILED: u32 = 2

/** Address of the state block. */
@inline
export function buildState(): u32 {
  return load<u32>(STATE_ADDRESS)
}

/** Clears a state block at `state`, behind which memory is free; false when memory ends there. */
export function openState(state: u32): bool {
  if (!growTo(<u64>state + STATE_BYTES)) return false
  store<u32>(STATE_ADDRESS, state)
  memory.fill(state, 0, STATE_BYTES)
  store<u32>(state, state + STATE_BYTES, FREE)
  return true
}

/** Takes so many bytes at a multiple of 128 for the word `field`, growing memory; false when there are not so many. */
export function reserve(state: u32, field: u32, bytes: u64): bool {
  const at = load<u32>(state, FREE)
  const end = (<u64>at + bytes + 127) & ~(<u64>127)
  if (!growTo(end)) return false
  store<u32>(state + field, at)
  store<u32>(state, <u32>end, FREE)
  return true
}

/** Makes memory reach at least to `end`. */
function growTo(end: u64): bool {
  const pages = (end + 0xffff) >> 16
  if (pages > 0x8000) return false
  const missing = <i32>pages - memory.size()
  return missing <= 0 || memory.grow(missing) >= 0
}
