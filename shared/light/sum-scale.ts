/**
 * What light is multiplied with before it is added up. Sums have a grid of 2^-32 and an end at 2^20 (`accumulate.ts`), which suit pictures that
 * are shown with an exposure near 1. Where it is far from that, light is added up about as bright as it is shown, so that neither dim scenes fall
 * through the grid nor bright ones reach the end. A power of two changes no digits: it is divided out where sums become pictures or light.
 */
import { exposureOf, type Look } from './tone-map.ts'

/**
 * Sums are shown with exposures from 1/NEAR to NEAR. Light is scaled no more than that needs: files of linear light have all of it, also what
 * is too bright or too dim to be seen in the picture.
 */
const NEAR = 64

/** A function of how frames are shown alone: the same for all workers, passes and frames of a session. */
export function sumScale(look: Look): number {
  const exposure = exposureOf(look)
  let scale = 1
  while (exposure > NEAR * scale) scale *= 2
  while (exposure * NEAR < scale) scale /= 2
  return scale
}
