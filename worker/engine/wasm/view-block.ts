/** Writes a view, and the requested range of its samples, to where the kernel reads them. */

import { frameAround } from '../../../shared/frame/region.ts'
import { sharedBy, stretchBits, weightedFor } from '../../../shared/frame/sample-layout.ts'
import type { SampleRange, Vec3, View } from '../../../shared/frame/view.ts'
import { sumScale } from '../../../shared/light/sum-scale.ts'
import { relativeTo } from '../../../shared/scene/centre.ts'
import type { KernelMemory } from './memory.ts'
import { put } from './records/access.ts'
import { COVERED_BY, INTEGRATORS, VIEW, VIEW_FLAGS } from './records/view.ts'
import { reachOf, type SceneExtent } from './scene-extent.ts'

/** Where a scene is; the kernel's coordinates are relative to its centre. */
export interface ScenePlace {
  readonly centre: Vec3
  readonly extent: SceneExtent
}

/**
 * @param alone whether rays are traced one by one
 */
export function putView(memory: KernelMemory, block: number, view: View, place: ScenePlace, alone: boolean): void {
  const { size, quality } = view
  const camera = relativeTo(place.centre, view.camera)
  const { frame } = frameAround(camera, size)
  const { radius = 0, focus = 1, rotation = 0, blades = 0 } = camera.lens ?? {}
  put(memory, VIEW, block, {
    origin: camera.origin,
    right: camera.right,
    up: camera.up,
    back: camera.back,
    tanHalfX: camera.tanHalfX,
    tanHalfY: camera.tanHalfY,
    near: camera.near,
    far: camera.far,
    exposure: view.exposure,
    clamp: quality.clamp ?? Number.POSITIVE_INFINITY,
    sumScale: sumScale(view),
    frame: seededFrame(view),
    width: frame[0],
    height: frame[1],
    samples: quality.samples,
    weightedFor: weightedFor(quality),
    sharedBy: sharedBy(quality),
    stretchBits: stretchBits(quality),
    ambientRays: quality.ambientRays,
    maxDepth: quality.maxDepth,
    integrator: quality.bounces === undefined ? INTEGRATORS.ambient : INTEGRATORS.path,
    bounces: quality.bounces ?? 0,
    flags:
      (quality.filter === 'gaussian' ? VIEW_FLAGS.gaussian : 0) |
      (camera.orthographic ? VIEW_FLAGS.orthographic : 0) |
      (alone ? VIEW_FLAGS.alone : 0) |
      (view.transparent ? VIEW_FLAGS.transparent : 0) |
      (quality.singleScattering ? VIEW_FLAGS.single : 0) |
      (quality.caustics === 'off' ? VIEW_FLAGS.plain : 0),
    lensRadius: radius,
    lensFocus: focus,
    lensRotation: rotation,
    reach: reachOf(place.extent, camera.origin),
    lensBlades: blades,
  })
}

/** The number from which the kernel draws a frame's samples. A multiple of the golden ratio keeps seeds apart from frames nearby. */
const seededFrame = ({ frame, quality: { seed = 1, pattern } }: View): number =>
  ((pattern === 'film' ? 0 : frame) + Math.imul(seed - 1, 0x9e3779b9)) >>> 0

/** What is added up beside light: what camera rays hit, and what a denoiser wants to know. */
export interface Counted {
  readonly hits: boolean
  readonly features: boolean
  /** What covers pixels: objects, and materials by their names. */
  readonly objects: boolean
  readonly labels: boolean
}

/** @param goesOn whether they are added to other samples of the same pixels, which were traced last */
export function putSamples(
  memory: KernelMemory,
  block: number,
  { from, to }: SampleRange,
  { hits, features, objects, labels }: Counted,
  goesOn: boolean,
): void {
  put(memory, VIEW, block, {
    fromSample: from,
    toSample: to,
    firstHits: Number(hits),
    features: Number(features),
    coveredBy: (objects ? COVERED_BY.objects : 0) | (labels ? COVERED_BY.labels : 0),
    goesOn: Number(goesOn),
  })
}
