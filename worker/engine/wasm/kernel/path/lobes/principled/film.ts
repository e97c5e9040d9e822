/**
 * Reflection of a surface under a film that is as thin as light's wavelength: Belcour and Barla, "A Practical Extension to Microfacet
 * Theory for the Modeling of Varying Iridescence", ACM TOG 36(4), 2017, as KHR_materials_iridescence uses it: Schlick's formula at
 * both boundaries, two orders of interference, and the eye's sensitivity as Gaussians of the phase.
 */
import { normalReflectance, schlick } from '../../../surface/fresnel'
import { exponential } from '../../../surface/math/exponential'
import { onCircle } from '../../../surface/math/trig'

export let filmRed: f64 = 0
export let filmGreen: f64 = 0
export let filmBlue: f64 = 0

/** The film's index fades to that of air where the film is thinner, nm. */
const FADES_BELOW: f64 = 0.03

/** Sets the reflected shares at a cosine. @param thickness nm @param baseRed and the others: F₀ of the surface below */
export function setFilm(index: f64, thickness: f64, cosine: f64, baseRed: f64, baseGreen: f64, baseBlue: f64): void {
  const t = min<f64>(1, max<f64>(0, thickness / FADES_BELOW))
  const inFilm = 1 + (index - 1) * t * t * (3 - 2 * t)
  const square = 1 - (1 - cosine * cosine) / (inFilm * inFilm)
  if (square <= 0) {
    filmRed = 1
    filmGreen = 1
    filmBlue = 1
    return
  }
  const inside = sqrt<f64>(square)
  const outer = schlick(normalReflectance(inFilm), cosine)
  const passed = (1 - outer) * (1 - outer)
  const path = 2 * inFilm * thickness * inside
  const innerRed = innerAt(baseRed, inFilm, inside)
  const innerGreen = innerAt(baseGreen, inFilm, inside)
  const innerBlue = innerAt(baseBlue, inFilm, inside)
  const turnedRed = halfTurn(baseRed, inFilm)
  const turnedGreen = halfTurn(baseGreen, inFilm)
  const turnedBlue = halfTurn(baseBlue, inFilm)
  const bothRed = outer * innerRed
  const bothGreen = outer * innerGreen
  const bothBlue = outer * innerBlue
  const shareRed = (passed * innerRed) / (1 - bothRed)
  const shareGreen = (passed * innerGreen) / (1 - bothGreen)
  const shareBlue = (passed * innerBlue) / (1 - bothBlue)
  let red = outer + shareRed
  let green = outer + shareGreen
  let blue = outer + shareBlue
  let orderRed = shareRed - (1 - outer)
  let orderGreen = shareGreen - (1 - outer)
  let orderBlue = shareBlue - (1 - outer)
  for (let order: f64 = 1; order <= 2; order++) {
    orderRed *= sqrt<f64>(bothRed)
    orderGreen *= sqrt<f64>(bothGreen)
    orderBlue *= sqrt<f64>(bothBlue)
    setSensitivity(order * path, order * turnedRed, order * turnedGreen, order * turnedBlue)
    red += 2 * orderRed * seenRed
    green += 2 * orderGreen * seenGreen
    blue += 2 * orderBlue * seenBlue
  }
  filmRed = min<f64>(1, max<f64>(0, red))
  filmGreen = min<f64>(1, max<f64>(0, green))
  filmBlue = min<f64>(1, max<f64>(0, blue))
}

/** Index of a surface in air with a reflectance. */
@inline
function indexOf(base: f64): f64 {
  const root = sqrt<f64>(min<f64>(base, 0.9999))
  return (1 + root) / (1 - root)
}

/** Reflection at the surface below, from within the film. */
@inline
function innerAt(base: f64, inFilm: f64, inside: f64): f64 {
  const index = indexOf(base)
  const root = (index - inFilm) / (index + inFilm)
  return schlick(root * root, inside)
}

/** Phase shift of both boundaries, turns: half a turn at the one to what is denser. That at the film's top is half a turn less, or more. */
@inline
function halfTurn(base: f64, inFilm: f64): f64 {
  const top: f64 = inFilm < 1 ? 0 : 0.5
  return (indexOf(base) < inFilm ? 0.5 : 0) + top
}

let seenRed: f64 = 0
let seenGreen: f64 = 0
let seenBlue: f64 = 0

/** What the eye sees of interference: the Fourier transform of its sensitivity, Gaussians for X (two), Y and Z. */
function setSensitivity(path: f64, shiftRed: f64, shiftGreen: f64, shiftBlue: f64): void {
  // Phase in radians per metre, path in nm.
  const phase = 6.283185307179586e-9 * path
  const square = phase * phase
  // Of the three shifts two at most differ: each channel of XYZ has that of its own.
  const x =
    gaussian(5.4856e-13, 4.3278e9, square) * wave(1.6810e6 * phase, shiftRed) +
    gaussian(9.7470e-14, 4.5282e9, square) * wave(2.2399e6 * phase, shiftRed)
  const y = gaussian(4.4201e-13, 9.3046e9, square) * wave(1.7953e6 * phase, shiftGreen)
  const z = gaussian(5.2481e-13, 6.6121e9, square) * wave(2.2084e6 * phase, shiftBlue)
  seenRed = 3.2404542 * x - 1.5371385 * y - 0.4985314 * z
  seenGreen = -0.969266 * x + 1.8760108 * y + 0.041556 * z
  seenBlue = 0.0556434 * x - 0.2040259 * y + 1.0572252 * z
}

/** A Gaussian of the phase, relative to the sum of the sensitivities. */
@inline
function gaussian(height: f64, variance: f64, square: f64): f64 {
  return (height * sqrt<f64>(6.283185307179586 * variance) * exponential(-square * variance)) / 1.0685e-7
}

/** Cosine of an angle in radians and a shift in turns. */
@inline
function wave(angle: f64, shift: f64): f64 {
  const turns = angle / 6.283185307179586 + shift
  return f64x2.extract_lane(onCircle(turns - floor<f64>(turns)), 0)
}
