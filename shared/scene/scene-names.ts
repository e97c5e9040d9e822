/**
 * Names of the objects and materials of a scene. They are no part of what is sent to workers, which know numbers only: in pictures, the
 * number plus 1, so that 0 is nothing.
 */

/** The number of all that has none of its own, as what is added to a scene during a film: 1 more, as in pictures, is the last that fits 16 bits. */
export const OTHERS = 65534

export interface SceneNames {
  /** By number. */
  readonly objects: readonly string[]
  readonly materials: readonly string[]
}
