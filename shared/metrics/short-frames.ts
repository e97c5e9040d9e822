/** Frames too short to compare strategies by. Pure. */

/** Frames shorter than this measure timers, messages and OS time slices as much as the strategies. */
export const SHORTEST_FRAME_MS = 20

export const isShort = ({ frameMs }: { readonly frameMs: { readonly mean: number } }): boolean =>
  frameMs.mean < SHORTEST_FRAME_MS
