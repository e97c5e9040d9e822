/**
 * Everything besides the packed scene that determines a pixel: the camera, the frame's size and number, and how much
 * light transport is traced. A pixel is a function of (packed scene, view, pixel, sample) only.
 */
import * as z from 'zod'
import { TONE_MAPPINGS } from '../light/tone-mapping.ts'
import { isLight } from '../light/white-balance.ts'
import { type Immutable, whole } from '../text/numbers.ts'
import {
  CLAMPS,
  EXPOSURES,
  MAX_AMBIENT_RAYS,
  MAX_AMBIENT_SAMPLES,
  MAX_BOUNCES,
  MAX_DEPTH,
  MAX_MOMENTS,
  MAX_SAMPLES,
  TEMPERATURES,
  TINTS,
} from './frame-limits.ts'
import { regionSchema, sizeSchema } from './rect-schema.ts'

const vec3Schema = (most: number) => {
  const coordinate = z.number().min(-most).max(most)
  return z.tuple([coordinate, coordinate, coordinate]).readonly()
}
/** How far the dot products of a camera's axes may be from those of an orthonormal basis. */
const AXES_TOLERANCE = 1e-3
const axis = vec3Schema(2)
const tangent = z.number().min(1e-6).max(1e6)
const depth = z.number().positive().max(1e30)

/** Linear scale before tone mapping. */
export const exposureSchema = z.number().min(EXPOSURES.least).max(EXPOSURES.most)
/** What makes of light what a display can show. @default aces */
export const toneMappingSchema = z.enum(TONE_MAPPINGS)
/** Of which light is shown as white. */
export const whiteBalanceSchema = z
  .object({
    /** K */
    temperature: z.number().min(TEMPERATURES.least).max(TEMPERATURES.most),
    tint: z.number().min(TINTS.least).max(TINTS.most),
  })
  .refine(isLight, { error: 'expected a tint that light of the temperature can have' })

/** A thin lens: points at camera depth `focus` are sharp. */
const lensSchema = z.object({
  /** Of the aperture, scene units. */
  radius: z.number().positive().max(1e6),
  /** Camera depth, scene units. */
  focus: depth,
  /** Sides of a polygonal aperture, 3 to 16; absent for a round one. */
  blades: z.int().min(3).max(16).exactOptional(),
  /** Of a polygonal aperture, turns. */
  rotation: z.number().min(-1).max(1).exactOptional(),
})

/**
 * The ray through the image-plane point (u, v), both in [-1, 1] with v up, starts at `origin` and goes along
 * `back * -1 + right * u * tanHalfX + up * v * tanHalfY` (not normalised: along it the distance t is camera depth).
 * Only hits of camera rays with `near <= depth <= far` count. The bounds keep every ray finite and its direction nonzero.
 */
export const cameraSchema = z
  .object({
    /** World position of the eye, scene units. */
    origin: vec3Schema(1e12),
    /** The camera's axes in world space, orthonormal; `back` points from the scene to the eye. */
    right: axis,
    up: axis,
    back: axis,
    /** Tangent of half the horizontal and vertical field of view. */
    tanHalfX: tangent,
    tanHalfY: tangent,
    /** Depth range of camera rays, scene units, 0 < near < far. */
    near: depth,
    far: depth,
    /**
     * Parallel rays: the ray through (u, v) starts at `origin + right * u * tanHalfX + up * v * tanHalfY`, the half sides of the
     * picture in scene units then, and goes along `back * -1`. Absent for perspective.
     */
    orthographic: z.literal(true).exactOptional(),
    /** A lens with depth of field; absent for a pinhole. */
    lens: lensSchema.exactOptional(),
    /** The part of what it sees that the picture is; absent for all. Points of the image plane, and rays, are those of the whole frame. */
    region: regionSchema.exactOptional(),
  })
  .refine(({ right, up, back }) => areAxes([right, up, back]), {
    error: 'expected unit vectors at right angles as axes of the camera',
  })
  .refine(({ near, far }) => near < far, { error: 'expected a near end of the depth range before its far end' })

/** Radiance. */
const clampSchema = z.number().min(CLAMPS.least).max(CLAMPS.most)

/** How light is computed for each pixel. */
export const qualitySchema = z
  .object({
    /** Camera rays per pixel. @default 2 */
    samples: z.int().min(1).max(MAX_SAMPLES),
    /** Ambient-occlusion rays at the first hit of each camera ray, 0 to 64; later hits use half, at least one. @default 2 */
    ambientRays: z.int().min(0).max(MAX_AMBIENT_RAYS),
    /** Longest chain of mirror and glass hits of the ambient integrator, 0 to 16. @default 6 */
    maxDepth: z.int().min(0).max(MAX_DEPTH),
    /**
     * Present for the path tracer: how often light is scattered before it reaches the surface that the camera sees, 0 (direct light
     * only) to 1024, counted as Cycles does. Absent for the ambient integrator.
     */
    bounces: z.int().min(0).max(MAX_BOUNCES).exactOptional(),
    /** Over what the samples of a pixel are averaged; absent for a box of one pixel. Path tracer only. */
    filter: z.literal('gaussian').exactOptional(),
    /** Whether rough metal and glass lose the light that microfacets scatter several times, as older renderers do. Path tracer only. */
    singleScattering: z.literal(true).exactOptional(),
    /** The most radiance that light scattered twice or more often adds to a sample, per light found; absent for any. Path tracer only. */
    clamp: clampSchema.exactOptional(),
    /**
     * Absent for all light. Without caustics: once a path has been scattered widely, it gets no light of lamps, suns, what glows and environment maps
     * that a smooth or glossy surface concentrates. Path tracer only.
     */
    caustics: z.literal('off').exactOptional(),
    /** Of the numbers that decide where samples go: another one gives an independent picture. Path tracer only. @default 1 */
    seed: whole.max(0xffffffff).exactOptional(),
    /** Present if all frames of a film have the same of these numbers: what noise is left then stands still. Absent: each its own. Path tracer only. */
    pattern: z.literal('film').exactOptional(),
  })
  .refine(({ samples, bounces }) => bounces !== undefined || samples <= MAX_AMBIENT_SAMPLES, {
    error: `expected at most ${MAX_AMBIENT_SAMPLES} samples of a pixel without bounces`,
  })

/** The most noise of an adaptive frame's cells: standard error as a share of their light. */
export const noiseSchema = z.number().positive().max(1)

/** A range of a pixel's samples, numbered from 0: `from` inclusive, `to` exclusive. */
export const sampleRangeSchema = z.object({ from: whole.max(MAX_SAMPLES - 1), to: z.int().min(1).max(MAX_SAMPLES) })

/** One frame, identical for every tracer of it. */
export const viewSchema = z.object({
  frame: whole.max(0xffffffff),
  size: sizeSchema,
  camera: cameraSchema,
  quality: qualitySchema,
  exposure: exposureSchema,
  toneMapping: toneMappingSchema.exactOptional(),
  /** Absent: light is shown as it is. */
  whiteBalance: whiteBalanceSchema.exactOptional(),
  /** Camera rays that hit nothing carry no light; `alpha` says how many these are. Absent: they see the background. */
  transparent: z.literal(true).exactOptional(),
  /** Whether some pixels get fewer samples, those of the first passes. */
  adaptive: z.literal(true).exactOptional(),
  /** Whether passes are as long as there is time for: each range of samples that is traced is one. */
  timed: z.literal(true).exactOptional(),
  /** Of motion blur, each with as many of the samples within one. @default 1 */
  moments: z.int().min(2).max(MAX_MOMENTS).exactOptional(),
})

export type Vec3 = readonly [number, number, number]
export type Camera = Immutable<z.infer<typeof cameraSchema>>
export type Quality = Immutable<z.infer<typeof qualitySchema>>
export type SampleRange = Immutable<z.infer<typeof sampleRangeSchema>>
export type View = Immutable<z.infer<typeof viewSchema>>

/** All samples of a view's pixels. */
export const allSamples = ({ quality }: View): SampleRange => ({ from: 0, to: quality.samples })

const areAxes = (axes: readonly Vec3[]): boolean =>
  axes.every((a, i) =>
    axes.every((b, j) => Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i === j ? 1 : 0)) <= AXES_TOLERANCE),
  )
