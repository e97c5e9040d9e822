/** Bounds of what may be asked of a frame, for the schemas of the wire and the options of users alike. Without a parser: all commands know them. */

/** Longest side of a frame, px. */
export const MAX_SIDE_PX = 16384
/** The most pixels of a frame: complete frames are held in memory, several at a time. */
export const MAX_FRAME_PX = 64 * 2 ** 20

/** Most samples of a pixel; of the ambient integrator, which keeps a table of their positions. */
export const MAX_SAMPLES = 16384
export const MAX_AMBIENT_SAMPLES = 1024
/** Samples that the first pass of an adaptive frame takes of every pixel; the second takes as many, and so there are two estimates. */
export const FIRST_SAMPLES = 16
export const MIN_ADAPTIVE_SAMPLES = 2 * FIRST_SAMPLES
/** Most bounces of the path tracer; rays to the sky and hits in a chain of the ambient integrator. */
export const MAX_BOUNCES = 1024
export const MAX_AMBIENT_RAYS = 64
export const MAX_DEPTH = 16

/** The most time that a frame may be given, ms: thirty days. */
export const MAX_FRAME_MS = 30 * 86_400_000
/** The most passes that samples are divided into. */
export const MAX_PASSES = 1024
/** The most moments of a frame with motion blur. */
export const MAX_MOMENTS = 64
/** The most frames of a film that may be in progress at once. */
export const MAX_IN_FLIGHT = 4

/** Radiance that indirect light may be limited to. */
export const CLAMPS = { least: 1e-6, most: 1e6 } as const

/** Linear scale before tone mapping. */
export const EXPOSURES = { least: 1e-6, most: 1e6 } as const

/** Colour temperature of light that is shown as white, K, and how far off the curve of temperatures it may lie (`light/white-balance.ts`). */
export const TEMPERATURES = { least: 1000, most: 40000 } as const
export const TINTS = { least: -100, most: 100 } as const
/** The white of sRGB, D65, K. */
export const NEUTRAL_KELVIN = 6504

/** Vertical fields of view, degrees. */
export const FOV_DEGREES = { least: 0.1, most: 179 } as const
/** Limit for points and vectors that users say, scene units. */
export const FARTHEST = 1e12

/** How a cost was measured: in the worker's own CPU time (valid on any host), or in wall time. */
export const CLOCKS = ['cpu', 'wall'] as const
export type Clock = (typeof CLOCKS)[number]
