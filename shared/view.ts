/**
 * Everything besides the packed scene that decides a pixel: the camera, the frame's size and number, and how much
 * light transport is traced. A pixel is a function of (packed scene, view, pixel, sample) only.
 */
import { z } from 'zod'
import { type Immutable, whole } from './numbers.ts'
import { sizeSchema } from './rect-schema.ts'

export const vec3Schema = z.tuple([z.number(), z.number(), z.number()]).readonly()

/**
 * A pinhole. The ray through the image-plane point (u, v), both in [-1, 1] with v up, starts at `origin` and goes along
 * `back * -1 + right * u * tanHalfX + up * v * tanHalfY` (not normalised: along it the distance t is camera depth).
 * Only hits with `near <= depth <= far` of camera rays count.
 */
export const cameraSchema = z.object({
  /** World position of the eye, scene units. */
  origin: vec3Schema,
  /** Unit vectors of the camera's axes in world space; `back` points from the scene to the eye. */
  right: vec3Schema,
  up: vec3Schema,
  back: vec3Schema,
  /** Tangent of half the horizontal and vertical field of view. */
  tanHalfX: z.number().positive(),
  tanHalfY: z.number().positive(),
  /** Depth range of camera rays, scene units, 0 < near < far. */
  near: z.number().positive(),
  far: z.number().positive(),
})

/** How much is traced for every pixel. */
export const qualitySchema = z.object({
  /** Camera rays per pixel, 1 to 1024. @default 2 */
  samples: z.int().min(1).max(1024),
  /** Ambient-occlusion rays at the first hit of each camera ray, 0 to 64; later hits use half, at least one. @default 2 */
  ambientRays: z.int().min(0).max(64),
  /** Longest chain of mirror and glass hits, 0 to 16. @default 6 */
  maxDepth: z.int().min(0).max(16),
})

/** Samples of a pixel, numbered from 0: the first inclusive, the last exclusive. */
export const sampleRangeSchema = z.object({ from: whole.max(1023), to: z.int().min(1).max(1024) })

/** One frame as every tracer of it must see it. */
export const viewSchema = z.object({
  frame: whole.max(0xffffffff),
  size: sizeSchema,
  camera: cameraSchema,
  quality: qualitySchema,
  /** Linear scale before tone mapping, above 0. */
  exposure: z.number().positive(),
})

export type Vec3 = Immutable<z.infer<typeof vec3Schema>>
export type Camera = Immutable<z.infer<typeof cameraSchema>>
export type Quality = Immutable<z.infer<typeof qualitySchema>>
export type SampleRange = Immutable<z.infer<typeof sampleRangeSchema>>
export type View = Immutable<z.infer<typeof viewSchema>>

/** Rays of a pixel, about: a camera ray mostly leads to one shadow ray and its ambient rays. */
export const raysPerPixel = ({ samples, ambientRays }: Pick<Quality, 'samples' | 'ambientRays'>): number =>
  samples * (2 + ambientRays)

/** All samples of a view's pixels. */
export const allSamples = ({ quality }: View): SampleRange => ({ from: 0, to: quality.samples })
