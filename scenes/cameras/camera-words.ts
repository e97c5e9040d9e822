/** Names and bounds of cameras that users say. Without three.js: all commands know them. */

/**
 * - `orbit`: around the subject at constant height · `fast-orbit`: the same, 5° per frame
 * - `fly-through`: close past the subject; the framing says how
 * - `pan`: the camera turns 14° to either side, about 4° per frame, while it slowly dollies in and out
 * - `cut`: the orbit, interrupted by a close-up from elsewhere for ten frames out of twenty
 * - `still`: the first frame of the orbit, forever
 */
export const CAMERA_PATHS = ['orbit', 'fast-orbit', 'fly-through', 'pan', 'cut', 'still'] as const
export type CameraPathName = (typeof CAMERA_PATHS)[number]

/** Beyond these, a lens is a pinhole or larger than any scene. */
export const F_NUMBERS = { least: 1e-3, most: 1e6 } as const
/** Sides of an aperture. */
export const BLADES = { least: 3, most: 16 } as const
