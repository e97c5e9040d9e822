/** Writes a view, and the requested range of its samples, to where the kernel reads them. */

import type { SampleRange, Vec3, View } from '../../../shared/frame/view.ts'
import { relativeTo } from '../../../shared/scene/centre.ts'
import {
  FLAG_ALONE,
  FLAG_GAUSSIAN,
  FLAG_ORTHOGRAPHIC,
  FLAG_SINGLE,
  FLAG_TRANSPARENT,
  INTEGRATOR_AMBIENT,
  INTEGRATOR_PATH,
  VIEW_AMBIENT_RAYS,
  VIEW_BACK,
  VIEW_BOUNCES,
  VIEW_EXPOSURE,
  VIEW_FAR,
  VIEW_FIRST_HITS,
  VIEW_FLAGS,
  VIEW_FRAME,
  VIEW_FROM_SAMPLE,
  VIEW_GOES_ON,
  VIEW_HEIGHT,
  VIEW_INTEGRATOR,
  VIEW_LENS_BLADES,
  VIEW_LENS_FOCUS,
  VIEW_LENS_RADIUS,
  VIEW_LENS_ROTATION,
  VIEW_MAX_DEPTH,
  VIEW_NEAR,
  VIEW_ORIGIN,
  VIEW_RIGHT,
  VIEW_SAMPLES,
  VIEW_TAN_HALF_X,
  VIEW_TAN_HALF_Y,
  VIEW_TO_SAMPLE,
  VIEW_UP,
  VIEW_WIDTH,
} from './kernel/layout.ts'
import type { KernelMemory } from './memory.ts'

/**
 * @param centre of the scene: the kernel's coordinates are relative to it
 * @param alone whether rays are traced one by one
 */
export function putView(
  { words, doubles }: KernelMemory,
  block: number,
  view: View,
  centre: Vec3,
  alone: boolean,
): void {
  const { size, quality } = view
  const camera = relativeTo(centre, view.camera)
  const putDoubles = (at: number, ...values: readonly number[]) => doubles.set(values, (block + at) >>> 3)
  const putWord = (at: number, value: number) => {
    words[(block + at) >>> 2] = value
  }
  putDoubles(VIEW_ORIGIN, ...camera.origin)
  putDoubles(VIEW_RIGHT, ...camera.right)
  putDoubles(VIEW_UP, ...camera.up)
  putDoubles(VIEW_BACK, ...camera.back)
  putDoubles(VIEW_TAN_HALF_X, camera.tanHalfX)
  putDoubles(VIEW_TAN_HALF_Y, camera.tanHalfY)
  putDoubles(VIEW_NEAR, camera.near)
  putDoubles(VIEW_FAR, camera.far)
  putDoubles(VIEW_EXPOSURE, view.exposure)
  putWord(VIEW_FRAME, view.frame)
  putWord(VIEW_WIDTH, size[0])
  putWord(VIEW_HEIGHT, size[1])
  putWord(VIEW_SAMPLES, quality.samples)
  putWord(VIEW_AMBIENT_RAYS, quality.ambientRays)
  putWord(VIEW_MAX_DEPTH, quality.maxDepth)
  putWord(VIEW_INTEGRATOR, quality.bounces === undefined ? INTEGRATOR_AMBIENT : INTEGRATOR_PATH)
  putWord(VIEW_BOUNCES, quality.bounces ?? 0)
  putWord(
    VIEW_FLAGS,
    (quality.filter === 'gaussian' ? FLAG_GAUSSIAN : 0) |
      (camera.orthographic ? FLAG_ORTHOGRAPHIC : 0) |
      (alone ? FLAG_ALONE : 0) |
      (view.transparent ? FLAG_TRANSPARENT : 0) |
      (quality.singleScattering ? FLAG_SINGLE : 0),
  )
  const { radius = 0, focus = 1, rotation = 0, blades = 0 } = camera.lens ?? {}
  putDoubles(VIEW_LENS_RADIUS, radius)
  putDoubles(VIEW_LENS_FOCUS, focus)
  putDoubles(VIEW_LENS_ROTATION, rotation)
  putWord(VIEW_LENS_BLADES, blades)
}

/**
 * @param countHits whether what camera rays hit is counted
 * @param goesOn whether they are added to later samples of the same pixels, which were traced last
 */
export function putSamples(
  { words }: KernelMemory,
  block: number,
  { from, to }: SampleRange,
  countHits: boolean,
  goesOn: boolean,
): void {
  words[(block + VIEW_FROM_SAMPLE) >>> 2] = from
  words[(block + VIEW_TO_SAMPLE) >>> 2] = to
  words[(block + VIEW_FIRST_HITS) >>> 2] = countHits ? 1 : 0
  words[(block + VIEW_GOES_ON) >>> 2] = goesOn ? 1 : 0
}
