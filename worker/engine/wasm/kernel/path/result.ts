/** What the lobes and the lights answer. Globals, because a function returns one value; per thread, like all globals. */

/** Value of a scattering function times the cosine, or a weight: red, green, blue. */
export let red: f64 = 0
export let green: f64 = 0
export let blue: f64 = 0
/** Density per solid angle; 0 for a direction that has none, as of a mirror. */
export let density: f64 = 0
/** A unit direction: in the local frame where a lobe answers, in the world where a light does. */
export let x: f64 = 0
export let y: f64 = 0
export let z: f64 = 0
/** How far away a light is in that direction. */
export let reach: f64 = 0

@inline
export function answer(newRed: f64, newGreen: f64, newBlue: f64, newDensity: f64): void {
  red = newRed
  green = newGreen
  blue = newBlue
  density = newDensity
}

/** Nothing is scattered or emitted. */
@inline
export function answerNothing(): void {
  answer(0, 0, 0, 0)
}

@inline
export function point(newX: f64, newY: f64, newZ: f64): void {
  x = newX
  y = newY
  z = newZ
}

@inline
export function setReach(distance: f64): void {
  reach = distance
}
