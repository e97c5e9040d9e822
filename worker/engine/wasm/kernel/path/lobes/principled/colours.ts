/**
 * By which colour's index a path is refracted where indices differ: chosen in proportion to what it still carries of each, behind the surface. Then all
 * colours together weigh after a crossing what they did before, however many there are; equally probable ones would weigh three times as much after
 * each. A path whose colours have parted keeps the one that is left. (Single-wavelength sampling with the density of all of them: Wilkie et al.,
 * "Hero Wavelength Spectral Sampling", CGF 33(4), 2014, §3.)
 */

/** Share of the light along the path's ray that reaches the eye. */
export let carriedRed: f64 = 1
export let carriedGreen: f64 = 1
export let carriedBlue: f64 = 1

/** Probabilities of the indices; their sum is 1. */
export let choosesRed: f64 = 0
export let choosesGreen: f64 = 0
export let choosesBlue: f64 = 0

/** Of the path whose hit is next. */
@inline
export function carry(weightRed: f64, weightGreen: f64, weightBlue: f64): void {
  carriedRed = weightRed
  carriedGreen = weightGreen
  carriedBlue = weightBlue
}

/** Sets the probabilities for a facet that lets so much of each colour pass. */
export function setColours(red: f64, green: f64, blue: f64): void {
  const passingRed = carriedRed * red
  const passingGreen = carriedGreen * green
  const passingBlue = carriedBlue * blue
  const sum = passingRed + passingGreen + passingBlue
  // Of nothing, all are equal.
  choosesRed = sum > 0 ? passingRed / sum : 1.0 / 3
  choosesGreen = sum > 0 ? passingGreen / sum : 1.0 / 3
  choosesBlue = sum > 0 ? passingBlue / sum : 1.0 / 3
}

/** The index that a number in [0, 1) chooses. */
@inline
export function indexFor(w: f64, ofRed: f64, ofGreen: f64, ofBlue: f64): f64 {
  if (w < choosesRed) return ofRed
  return choosesBlue == 0 || w < 1 - choosesBlue ? ofGreen : ofBlue
}
