/** The work of a pixel, for sizing batches and tiles. Apart from the schemas of views, which tracing threads do not load. */
import type { Quality } from './view.ts'

/** Approximate number of rays per pixel: a camera ray usually leads to one shadow ray and its ambient rays. */
export const raysPerPixel = ({ samples, ambientRays, bounces }: RayCounts): number =>
  samples * (bounces === undefined ? 2 + ambientRays : 1 + RAYS_PER_BOUNCE * Math.min(bounces + 1, USUAL_BOUNCES))

export type RayCounts = Pick<Quality, 'samples' | 'ambientRays' | 'bounces'>

/** Of a path: to a light, and on; few paths are scattered more often than this. */
const RAYS_PER_BOUNCE = 2
const USUAL_BOUNCES = 4
