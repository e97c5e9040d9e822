/**
 * The list of ranges of items that are still to become subtrees; it grows while threads work on it. A thread draws the number
 * of its next task before that task exists, and waits until the list reaches it or everything is done.
 */
import { FAILED, NEWS, NEXT_TASK, PHASE, TASK_LIST, TASKS } from './state'

/** u32 node, first record, end, depth; 1 once all that is written; tree; zeros. */
export const TASK_BYTES: u32 = 32
export const TASK_NODE: u32 = 0
export const TASK_FIRST: u32 = 4
export const TASK_END: u32 = 8
export const TASK_DEPTH: u32 = 12
const TASK_LISTED: u32 = 16
/** The state of the tree that it is part of. */
export const TASK_TREE: u32 = 20

/** Appends a range to the list. */
export function listTask(state: u32, tree: u32, node: u32, first: u32, end: u32, depth: u32): void {
  const task = load<u32>(state, TASK_LIST) + atomic.add<u32>(state, 1, TASKS) * TASK_BYTES
  store<u32>(task, node, TASK_NODE)
  store<u32>(task, first, TASK_FIRST)
  store<u32>(task, end, TASK_END)
  store<u32>(task, depth, TASK_DEPTH)
  store<u32>(task, tree, TASK_TREE)
  atomic.store<u32>(task, 1, TASK_LISTED)
  tell(state)
}

/** Address of the next task of this thread, 0 if there will be no more. */
export function takeTask(state: u32): u32 {
  const task = load<u32>(state, TASK_LIST) + atomic.add<u32>(state, 1, NEXT_TASK) * TASK_BYTES
  while (true) {
    // Read before checking, so that no change between the check and the wait is missed.
    const news = atomic.load<u32>(state, NEWS)
    if (atomic.load<u32>(task, TASK_LISTED)) return task
    if (atomic.load<u32>(state, PHASE)) return 0
    atomic.wait<i32>(state + NEWS, news, -1)
  }
}

/** Waits while the build is in a phase; returns the one that follows. */
export function afterPhase(state: u32, phase: u32): u32 {
  while (true) {
    // As above.
    const news = atomic.load<u32>(state, NEWS)
    const now = atomic.load<u32>(state, PHASE)
    if (now != phase) return now
    atomic.wait<i32>(state + NEWS, news, -1)
  }
}

/** Ends a phase by entering another. A build that has failed, on whichever thread, stays so. */
export function enterPhase(state: u32, phase: u32): void {
  const before = atomic.load<u32>(state, PHASE)
  if (phase == FAILED) atomic.store<u32>(state, FAILED, PHASE)
  // Nobody else enters another phase meanwhile, but FAILED.
  else if (before != FAILED) atomic.cmpxchg<u32>(state, before, phase, PHASE)
  tell(state)
}

function tell(state: u32): void {
  atomic.add<u32>(state, 1, NEWS)
  atomic.notify(state + NEWS, -1)
}
