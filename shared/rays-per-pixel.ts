/** How much a pixel is, for whoever cuts work into portions. Apart from the schemas of views, which tracing threads do without. */
import type { Quality } from './view.ts'

/** Rays of a pixel, about: a camera ray mostly leads to one shadow ray and its ambient rays. */
export const raysPerPixel = ({ samples, ambientRays }: Pick<Quality, 'samples' | 'ambientRays'>): number =>
  samples * (2 + ambientRays)
