/**
 * The records that shading keeps of a hit, and of four surfaces: their sizes and offsets. Imports nothing, so that the
 * layout of workspaces can use them.
 *
 * Hit, 32 bytes: u32 ray | weight | instance | unused | vertices a, b, c | material                     addresses all
 *
 * The vertices of a hit on an instance are its mesh's, until it is placed (`placed-hits.ts`).
 *
 * Surfaces come in fours, with v128 fields at multiples of 16: the first one's address is the group's, the others' are 4, 8 and 12
 * more, and field k of each is the f32 at address + 16 k.
 */

export const HIT_RAY: u32 = 0
export const HIT_WEIGHT: u32 = 4
/** 0 if the triangle is baked, or once it is placed. */
export const HIT_INSTANCE: u32 = 8
/** The parts of the triangle (`triangle-parts.ts`). */
export const HIT_PARTS: u32 = 16
export const HIT_VERTEX_A: u32 = 16
export const HIT_VERTEX_B: u32 = 20
export const HIT_VERTEX_C: u32 = 24
export const HIT_MATERIAL: u32 = 28
export const HIT_BYTES: u32 = 32

/** The hit point. */
export const SURFACE_X: u32 = 0
export const SURFACE_Y: u32 = 16
export const SURFACE_Z: u32 = 32
/** Unit direction in which the ray arrived. */
export const SURFACE_DX: u32 = 48
export const SURFACE_DY: u32 = 64
export const SURFACE_DZ: u32 = 80
/** Unit normal of the triangle and shading normal, both towards the ray's side. */
export const SURFACE_GX: u32 = 96
export const SURFACE_GY: u32 = 112
export const SURFACE_GZ: u32 = 128
export const SURFACE_NX: u32 = 144
export const SURFACE_NY: u32 = 160
export const SURFACE_NZ: u32 = 176
/** How far rays start from the surface. */
export const SURFACE_OFFSET: u32 = 192
/** 1 if the ray came from outside, -1 if from inside. */
export const SURFACE_SIDE: u32 = 208
/** Origin of shadow and ambient rays. */
export const SURFACE_LIT_X: u32 = 224
export const SURFACE_LIT_Y: u32 = 240
export const SURFACE_LIT_Z: u32 = 256
/** Weights of the triangle's corners b and c at the hit point. */
export const SURFACE_ON_B: u32 = 272
export const SURFACE_ON_C: u32 = 288
/** u32 address of the material as it is at the hit point (vary.ts). */
export const SURFACE_MATERIAL: u32 = 304
export const SURFACES_BYTES: u32 = 320
