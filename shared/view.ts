/**
 * Everything besides the packed scene that decides a pixel: the camera, the frame's size and number, and how much
 * light transport is traced. A pixel is a function of (packed scene, view, pixel, sample) only.
 */
import type { Size } from './rect.ts'

export type Vec3 = readonly [x: number, y: number, z: number]

/**
 * A pinhole. The ray through the image-plane point (u, v), both in [-1, 1] with v up, starts at `origin` and goes along
 * `back * -1 + right * u * tanHalfX + up * v * tanHalfY` (not normalised: along it the distance t is camera depth).
 * Only hits with `near <= depth <= far` of camera rays count.
 */
export interface Camera {
  /** World position of the eye, scene units. */
  readonly origin: Vec3
  /** Unit vectors of the camera's axes in world space; `back` points from the scene to the eye. */
  readonly right: Vec3
  readonly up: Vec3
  readonly back: Vec3
  /** Tangent of half the horizontal and vertical field of view. */
  readonly tanHalfX: number
  readonly tanHalfY: number
  /** Depth range of camera rays, scene units, 0 < near < far. */
  readonly near: number
  readonly far: number
}

/** How much is traced for every pixel. */
export interface Quality {
  /** Camera rays per pixel, 1 to 1024. @default 2 */
  readonly samples: number
  /** Ambient-occlusion rays at the first hit of each camera ray, 0 to 64; later hits use half, at least one. @default 2 */
  readonly ambientRays: number
  /** Longest chain of mirror and glass hits, 0 to 16. @default 6 */
  readonly maxDepth: number
}

/** Samples of a pixel, numbered from 0: the first inclusive, the last exclusive. */
export interface SampleRange {
  readonly from: number
  readonly to: number
}

/** One frame as every tracer of it must see it. */
export interface View {
  readonly frame: number
  readonly size: Size
  readonly camera: Camera
  readonly quality: Quality
  /** Linear scale before tone mapping, above 0. */
  readonly exposure: number
}

/** All samples of a view's pixels. */
export const allSamples = ({ quality }: View): SampleRange => ({ from: 0, to: quality.samples })
