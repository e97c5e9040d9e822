/**
 * The lists of rays that the steps of a stream pass to each other: addresses of contexts, a word each. A step appends to one
 * of several lists without a branch: it writes the ray to all of them and advances the end of the one that it belongs to.
 * Between steps the ends are kept in memory, side by side; within a step in registers, because a store that waits for the end
 * that the previous ray has just written costs more than it saves.
 */

// Word offsets in a thread's `ends`: rays that are at a node, at a triangle4, or ended …
export const NODES: u32 = 0
export const TRIANGLE4S: u32 = 4
export const ENDED: u32 = 8
// … and, within a step, those that pop, enter one child of their node, or several.
export const POPPING: u32 = 12
export const SINGLE: u32 = 16
export const SEVERAL: u32 = 20
/** Those that enter or leave an instance. */
export const INSTANCES: u32 = 24
export const ENDS_BYTES: u32 = 32

// What is listed: rays in scenes without instances and with them, or bundles.
export const NARROW: i32 = 0
export const WIDE: i32 = 1
export const BUNDLED: i32 = 2
