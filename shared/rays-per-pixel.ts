/** The work of a pixel, for sizing batches and tiles. Apart from the schemas of views, which tracing threads do not load. */
import type { Quality } from './view.ts'

/** Approximate number of rays per pixel: a camera ray usually leads to one shadow ray and its ambient rays. */
export const raysPerPixel = ({ samples, ambientRays }: Pick<Quality, 'samples' | 'ambientRays'>): number =>
  samples * (2 + ambientRays)
