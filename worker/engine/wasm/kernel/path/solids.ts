/** What a hit on a solid means for the media of a path. Globals of the newest one, because a function returns one value. */
import { Scene } from '../records'
import { secondCrossing } from './coincident'
import { setRatio } from './lobes/boundary'
import { before, crossed, crossingOf, indexOf, innermost, isBoundary, outerOf } from './media'

/** The media behind its surface. */
export let behind: u32 = 0
/** Whether there is anything at which light is scattered. */
export let scatters: bool = true
/** Whether another solid's surface is in the same place. */
export let isDouble: bool = false
/**
 * Factor of light that passes: radiance is scaled with the square of the index, but only from one medium that the path knows of to another. What it
 * has missed must not make light.
 */
export let known: f64 = 1

/** @param next queue of the ray's children */
export function meetSolid(material: u32, ray: u32, media: u32, side: f64, next: u32): void {
  const crossing = crossingOf(material, outerOf(ray), side > 0)
  behind = crossed(media, crossing)
  const second = Scene.touching() != 0 ? load<u32>(secondCrossing(1 - next, ray)) : 0
  isDouble = second != 0
  if (isDouble) behind = crossed(behind, second)
  const near = before(media, crossing)
  scatters = near != innermost(behind) || !isBoundary(material)
  const index = indexOf(near)
  const missed = near == innermost(media) ? 1 : indexOf(innermost(media)) / index
  known = missed * missed
  setRatio(material, side, indexOf(innermost(behind)) / index)
}
