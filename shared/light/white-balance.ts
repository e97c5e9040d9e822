/**
 * White balance: light of a given colour temperature is shown as white. Linear sRGB is adapted by von Kries' scaling of cone responses in
 * the Bradford space (Lam, "Metamerism and Colour Constancy", PhD thesis, University of Bradford 1985; ICC.1:2022, Annex E). It is a matrix
 * on light, applied before exposure and tone mapping. The arithmetic is + − × ÷ of doubles alone, so it is the same on every machine.
 *
 * A temperature stands for the light that lamps and skies of it have, the reference of ANSI/IES TM-30-18, §3.4: a black body's below
 * 4,000 K (Krystek, "An algorithm to calculate correlated colour temperature", Color Research and Application 10, 1985), daylight from
 * 5,000 K on (CIE 15:2018, §4.1.2), and a mixture between. So 6,504 K is the white of sRGB, and changes nothing.
 *
 * A tint is how far the light lies off that curve, in 3,000ths of the CIE 1960 (u, v) plane, perpendicular to the black bodies':
 * positive towards green, so that the picture turns towards magenta. This is the scale of raw converters and of Blender, whose tints
 * count from black bodies at all temperatures: daylight has 10 there.
 */
import { NEUTRAL_KELVIN } from '../frame/frame-limits.ts'

export interface WhiteBalance {
  /** Of the light that is shown as white, K. */
  readonly temperature: number
  readonly tint: number
}

/** Row by row. */
type Matrix = readonly [number, number, number, number, number, number, number, number, number]
type Triple = readonly [number, number, number]

/** Linear sRGB to XYZ (IEC 61966-2-1), whose white has Y = 1. */
const XYZ_OF_RGB: Matrix = [0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505]
/** XYZ to responses of the cones, sharpened. */
const CONES_OF_XYZ: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296]

/** Light as a white balance shows it. */
export class LightBalance {
  readonly #matrix: Matrix
  readonly #pixel = new Float64Array(3)

  constructor(balance: WhiteBalance) {
    this.#matrix = matrixOf(balance)
  }

  /** Writes linear sRGB to `out`. What a display could not show of a saturated colour, its part below 0, is left out. */
  put(red: number, green: number, blue: number, out: Float64Array): void {
    const m = this.#matrix
    out[0] = Math.max(0, m[0] * red + m[1] * green + m[2] * blue)
    out[1] = Math.max(0, m[3] * red + m[4] * green + m[5] * blue)
    out[2] = Math.max(0, m[6] * red + m[7] * green + m[8] * blue)
  }

  /** Of a whole picture, RGB, in place. */
  apply(light: Float32Array): void {
    for (let at = 0; at < light.length; at += 3) {
      this.put(light[at]!, light[at + 1]!, light[at + 2]!, this.#pixel)
      light.set(this.#pixel, at)
    }
  }
}

/** Black bodies of 1,000 K have 90 times less of blue than white has; no lamp has so little. */
const MOST_GAIN = 100

/** Whether there is light of that colour: what glows red or orange cannot be as green as a tint can say. */
export const isLight = (balance: WhiteBalance): boolean => gainsOf(balance).every(gain => gain > 0 && gain < MOST_GAIN)

/** On linear sRGB as a column. */
function matrixOf(balance: WhiteBalance): Matrix {
  const cones = times(CONES_OF_XYZ, XYZ_OF_RGB)
  const [l, m, s] = gainsOf(balance)
  return times(inverse(cones), times([l, 0, 0, 0, m, 0, 0, 0, s], cones))
}

function gainsOf(balance: WhiteBalance): Triple {
  const from = applied(CONES_OF_XYZ, whiteOf(balance))
  const to = applied(CONES_OF_XYZ, whiteOf({ temperature: NEUTRAL_KELVIN, tint: 0 }))
  return [to[0] / from[0], to[1] / from[1], to[2] / from[2]]
}

/** XYZ of the light that is shown as white, with Y = 1. */
export function whiteOf({ temperature, tint }: WhiteBalance): Triple {
  const [x, , z] = locusAt(temperature)
  if (tint === 0) return [x, 1, z]
  const sum = x + 15 + 3 * z
  const [alongU, alongV] = alongBlackBodies(temperature)
  const length = Math.sqrt(alongU * alongU + alongV * alongV)
  // The normal that points up in the plane: towards green.
  const distance = tint / (TINTS_PER_UNIT * length)
  return fromUv((4 * x) / sum - alongV * distance, 6 / sum + alongU * distance)
}

const TINTS_PER_UNIT = 3000

/** Where black bodies end, and where daylight begins, K. */
const WARMEST = 4000
const COOLEST = 5000

function locusAt(kelvin: number): Triple {
  if (kelvin <= WARMEST) return blackBody(kelvin)
  if (kelvin >= COOLEST) return daylight(kelvin)
  const share = (kelvin - WARMEST) / (COOLEST - WARMEST)
  const [warm, cool] = [blackBody(kelvin), daylight(kelvin)]
  const mixed = (i: 0 | 2) => warm[i] * (1 - share) + cool[i] * share
  return [mixed(0), 1, mixed(2)]
}

const blackBody = (kelvin: number): Triple => fromUv(...blackBodyUv(kelvin))

/** CIE 1960 (u, v), within 1e-4 from 1,000 to 15,000 K. */
function blackBodyUv(t: number): readonly [u: number, v: number] {
  const square = t * t
  return [
    (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * square) / (1 + 8.42420235e-4 * t + 7.08145163e-7 * square),
    (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * square) / (1 - 2.89741816e-5 * t + 1.61456053e-7 * square),
  ]
}

/** Where black bodies go as they cool; beyond 15,000 K only the direction is good. */
function alongBlackBodies(kelvin: number): readonly [number, number] {
  const [warm, cool] = [blackBodyUv(kelvin * 0.999), blackBodyUv(kelvin * 1.001)]
  return [warm[0] - cool[0], warm[1] - cool[1]]
}

/** Of the CIE's daylight illuminants from 4,000 to 25,000 K; beyond, the same curve goes on. */
function daylight(t: number): Triple {
  const x =
    t <= 7000
      ? 0.244063 + (0.09911e3 + (2.9678e6 - 4.607e9 / t) / t) / t
      : 0.23704 + (0.24748e3 + (1.9018e6 - 2.0064e9 / t) / t) / t
  const y = -3 * x * x + 2.87 * x - 0.275
  return [x / y, 1, (1 - x - y) / y]
}

const fromUv = (u: number, v: number): Triple => [(1.5 * u) / v, 1, (4 - u - 10 * v) / (2 * v)]

function applied(m: Matrix, [x, y, z]: Triple): Triple {
  return [m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z]
}

function times(a: Matrix, b: Matrix): Matrix {
  const columns = [0, 1, 2].map(i => applied(a, [b[i]!, b[i + 3]!, b[i + 6]!]))
  return [0, 1, 2].flatMap(row => columns.map(column => column[row]!)) as unknown as Matrix
}

/** By cofactors. */
function inverse([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const [p, q, r] = [e * i - f * h, f * g - d * i, d * h - e * g]
  const all = [p, c * h - b * i, b * f - c * e, q, a * i - c * g, c * d - a * f, r, b * g - a * h, a * e - b * d]
  const determinant = a * p + b * q + c * r
  return all.map(each => each / determinant) as unknown as Matrix
}
