/** What counts as work, so that it is in proportion to the time that pixels take. */

/** Traversal steps that take as long as what every pixel takes beside its steps. */
export const PIXEL_WORK = 20
