/** Names that the look of a scene is said with. Without three.js: all commands know them. */

/** The axis of a mesh that points up. */
export const UP_AXES = ['x', 'y', 'z', '-x', '-y', '-z'] as const
export type UpAxis = (typeof UP_AXES)[number]

/**
 * Which suns a scene has, apart from one that is placed: its own alone, that of daylight alone, or none. @default its own, and that of daylight
 * if nothing else lights it
 */
export const SUNS = ['file', 'default', 'none'] as const
export type SunName = (typeof SUNS)[number]

/** How a mesh interacts with light; metal is a perfect mirror. */
export const SURFACES = ['matte', 'coated', 'metal', 'glass'] as const
export type SurfaceName = (typeof SURFACES)[number]
