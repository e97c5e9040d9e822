/**
 * The lists of rays that the steps of a stream pass on to each other: addresses of contexts, a word each. Where they end
 * is kept in memory, one word per list side by side, so that a step can append to one of several lists without a branch.
 */

// Words from a thread's `ends` on. Next come rays that are at a node, at a packet, at the end of their way …
export const NODES: u32 = 0
export const PACKETS: u32 = 4
export const ENDED: u32 = 8
/** … and in between those that pop, enter one child of their node, or several. */
export const POPPING: u32 = 12
export const SINGLE: u32 = 16
export const SEVERAL: u32 = 20
export const ENDS_BYTES: u32 = 32

/** Appends a ray to the list whose end is kept at `end`. */
// @ts-ignore: decorator
@inline
export function append(end: u32, ray: u32): void {
  const at = load<u32>(end)
  store<u32>(at, ray)
  store<u32>(end, at + 4)
}
