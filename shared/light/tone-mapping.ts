/**
 * How light that exceeds what a display can show becomes what it can: the operators of three.js r187 (`tonemapping_pars_fragment`),
 * by its names and with its constants, so that a picture looks the same there and here. Each takes linear sRGB light times the
 * exposure, and gives linear sRGB from 0 to 1; sRGB's transfer function comes after it.
 *
 * - `none`: clamps, and ignores the exposure, as three.js does.
 * - `linear`: clamps.
 * - `reinhard`: Reinhard, Stark, Shirley and Ferwerda, "Photographic Tone Reproduction for Digital Images", SIGGRAPH 2002, Eq. (3).
 * - `cineon`: the filmic curve of Hejl and Burgess-Dawson, 2010, whose result it linearises with a gamma of 2.2.
 * - `aces`: Stephen Hill's fit of the ACES RRT and ODT, "BakingLab", 2016, brightened by 1/0.6.
 * - `agx`: Troy Sobotka's AgX with Rec. 2020 primaries, as in Filament, and Benjamin Wrensch's fit of its curve.
 * - `neutral`: the Khronos PBR Neutral tone mapper, which keeps base colours.
 */
import { log2, power } from '../math/exponential.ts'

export const TONE_MAPPINGS = ['none', 'linear', 'reinhard', 'cineon', 'aces', 'agx', 'neutral'] as const
export type ToneMapping = (typeof TONE_MAPPINGS)[number]
export const DEFAULT_TONE_MAPPING: ToneMapping = 'aces'

/** Writes red, green and blue of what the display shows to `out`; values beyond [0, 1] remain to be clamped. */
export type Operator = (red: number, green: number, blue: number, out: Float64Array) => void

export const operators: Readonly<Record<ToneMapping, Operator>> = {
  none: put,
  linear: put,
  reinhard: (red, green, blue, out) => put(red / (1 + red), green / (1 + green), blue / (1 + blue), out),
  cineon: (red, green, blue, out) => put(hejl(red), hejl(green), hejl(blue), out),
  aces,
  agx,
  neutral,
}

function put(red: number, green: number, blue: number, out: Float64Array): void {
  out[0] = red
  out[1] = green
  out[2] = blue
}

function hejl(x: number): number {
  const toe = Math.max(0, x - 0.004)
  return power((toe * (6.2 * toe + 0.5)) / (toe * (6.2 * toe + 1.7) + 0.06), 2.2)
}

const f = Math.fround
/** Light that is as white as any; the square of more might not be a float. */
const WHITE = 2 ** 30

/**
 * In floats, as the kernel reckons it, four pixels at a time. The matrices are from linear sRGB to the ACES working space, where the curve
 * is applied per channel, and back. Written out: a frame calls this for each of its pixels.
 */
function aces(red: number, green: number, blue: number, out: Float64Array): void {
  const r = f(red > WHITE ? WHITE : red)
  const g = f(green > WHITE ? WHITE : green)
  const b = f(blue > WHITE ? WHITE : blue)
  const x = hill(f(f(f(TO_XR * r) + f(TO_XG * g)) + f(TO_XB * b)))
  const y = hill(f(f(f(TO_YR * r) + f(TO_YG * g)) + f(TO_YB * b)))
  const z = hill(f(f(f(TO_ZR * r) + f(TO_ZG * g)) + f(TO_ZB * b)))
  out[0] = f(f(f(FROM_RX * x) + f(FROM_RY * y)) + f(FROM_RZ * z))
  out[1] = f(f(f(FROM_GX * x) + f(FROM_GY * y)) + f(FROM_GZ * z))
  out[2] = f(f(f(FROM_BX * x) + f(FROM_BY * y)) + f(FROM_BZ * z))
}

const [TO_XR, TO_XG, TO_XB] = [f(0.59719), f(0.35458), f(0.04823)]
const [TO_YR, TO_YG, TO_YB] = [f(0.076), f(0.90834), f(0.01566)]
const [TO_ZR, TO_ZG, TO_ZB] = [f(0.0284), f(0.13383), f(0.83777)]
const [FROM_RX, FROM_RY, FROM_RZ] = [f(1.60475), f(-0.53108), f(-0.07367)]
const [FROM_GX, FROM_GY, FROM_GZ] = [f(-0.10208), f(1.10813), f(-0.00605)]
const [FROM_BX, FROM_BY, FROM_BZ] = [f(-0.00327), f(-0.07276), f(1.07602)]

/** three.js divides by 0.6, after Unreal's calibration. */
const ACES_SCALE = f(1 / 0.6)

function hill(light: number): number {
  const x = f(ACES_SCALE * light)
  return f(f(f(x * f(x + HILL_A)) - HILL_B) / f(f(x * f(f(HILL_C * x) + HILL_D)) + HILL_E))
}

const [HILL_A, HILL_B, HILL_C] = [f(0.0245786), f(0.000090537), f(0.983729)]
const [HILL_D, HILL_E] = [f(0.432951), f(0.238081)]

/** Exposures of AgX's black and white, log2 of light. */
const AGX_BLACK = -12.47393
const AGX_WHITE = 4.026069

function agx(red: number, green: number, blue: number, out: Float64Array): void {
  // To Rec. 2020, then inset: saturated colours move towards grey, so that they brighten like film.
  const r = 0.6274 * red + 0.3293 * green + 0.0433 * blue
  const g = 0.0691 * red + 0.9195 * green + 0.0113 * blue
  const b = 0.0164 * red + 0.088 * green + 0.8956 * blue
  const x = agxCurve(0.856627153315983 * r + 0.0951212405381588 * g + 0.0482516061458583 * b)
  const y = agxCurve(0.137318972929847 * r + 0.761241990602591 * g + 0.101439036467562 * b)
  const z = agxCurve(0.11189821299995 * r + 0.0767994186031903 * g + 0.811302368396859 * b)
  // Outset, linearise, and back to sRGB.
  const or = linear(1.1271005818144368 * x - 0.11060664309660323 * y - 0.016493938717834573 * z)
  const og = linear(-0.1413297634984383 * x + 1.157823702216272 * y - 0.016493938717834257 * z)
  const ob = linear(-0.14132976349843826 * x - 0.11060664309660294 * y + 1.2519364065950405 * z)
  out[0] = 1.6605 * or - 0.5876 * og - 0.0728 * ob
  out[1] = -0.1246 * or + 1.1329 * og - 0.0083 * ob
  out[2] = -0.0182 * or - 0.1006 * og + 1.1187 * ob
}

/** Position between black and white on a scale of exposures, and the fit of the sigmoid over it. */
function agxCurve(light: number): number {
  const position = (log2(Math.max(light, 1e-10)) - AGX_BLACK) / (AGX_WHITE - AGX_BLACK)
  const x = Math.min(1, Math.max(0, position))
  const x2 = x * x
  const x4 = x2 * x2
  return 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232
}

const linear = (x: number): number => power(Math.max(0, x), 2.2)

/** Where `neutral` begins to compress, and how fast highlights lose their colour. */
const NEUTRAL_START = 0.8 - 0.04
const NEUTRAL_DESATURATION = 0.15

function neutral(red: number, green: number, blue: number, out: Float64Array): void {
  // Takes the 4 % away that a dielectric reflects at normal incidence.
  const least = Math.min(red, green, blue)
  const offset = least < 0.08 ? least - 6.25 * least * least : 0.04
  const [r, g, b] = [red - offset, green - offset, blue - offset]
  const peak = Math.max(r, g, b)
  if (peak < NEUTRAL_START) return put(r, g, b, out)
  const room = 1 - NEUTRAL_START
  const newPeak = 1 - (room * room) / (peak + room - NEUTRAL_START)
  const scale = newPeak / peak
  const grey = 1 - 1 / (NEUTRAL_DESATURATION * (peak - newPeak) + 1)
  const mix = (x: number) => x * scale * (1 - grey) + newPeak * grey
  put(mix(r), mix(g), mix(b), out)
}
