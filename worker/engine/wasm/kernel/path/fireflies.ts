/**
 * What keeps rare bright samples away, if the view asks for it: a limit of indirect light, and no caustics. Whether a path was scattered
 * widely before its direction was chosen is the sign of its density.
 */
import { Path } from '../records'
import { most, plain } from './workspace'

/** Densities per solid angle above this are those of smooth and glossy lobes: of GGX facets with an α below 0.28. A diffuse surface has 1/π at most. */
const NARROW: f64 = 1

/** By what light that was scattered so often is to be multiplied, to add no more than the view allows. */
@inline
export function limitOf(scattered: u32, red: f64, green: f64, blue: f64): f64 {
  const largest = max<f64>(red, max<f64>(green, blue))
  return scattered > 1 && largest > most ? most / largest : 1
}

/** The density with which the direction of a path was chosen. */
@inline
export function densityOf(state: u32): f64 {
  return abs<f32>(Path.density(state))
}

/** Whether a path was scattered widely before its direction was chosen. */
@inline
export function wasWide(state: u32): bool {
  return (reinterpret<u32>(Path.density(state)) >> 31) != 0
}

/** Whether light that a path gets from a direction of a density, 0 for that of a smooth surface, is a caustic that is left out. */
@inline
export function isDropped(wide: bool, density: f64): bool {
  return plain && wide && (density == 0 || density > NARROW)
}

/** The same of the light along a path's ray. */
@inline
export function dropsLights(state: u32): bool {
  return isDropped(wasWide(state), densityOf(state))
}

/** Whether a path has been scattered widely by now: the mark of its next direction. */
@inline
export function isWideAt(state: u32): bool {
  const last = densityOf(state)
  return wasWide(state) || (last > 0 && last <= NARROW)
}
