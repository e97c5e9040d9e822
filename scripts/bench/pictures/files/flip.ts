/**
 * Differences that people see who flip between two pictures: Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström and Fairchild,
 * "FLIP: A Difference Evaluator for Alternating Images", HPG 2020. Colours are blurred as the eye blurs them, and compared by their
 * distance in CIELAB with Hunt's effect; edges and points that only one picture has make differences larger.
 */

import type { Size } from '../../../../shared/frame/rect.ts'
import { linearFromSrgb } from '../../../../shared/math/srgb.ts'

/** What the paper assumes: 0.7 m before a display that is 0.7 m and 3840 px wide. */
const PIXELS_PER_DEGREE = 67

/** Contrast sensitivity, table 1: heights and widths of Gaussians, in degrees. */
const ACHROMATIC = [[1, 0.0047]] as const
const RED_GREEN = [[1, 0.0053]] as const
const BLUE_YELLOW = [
  [34.1, 0.04],
  [13.5, 0.025],
] as const
/** Of all three filters, as wide as the widest: px. */
const REACH = Math.ceil(3 * Math.sqrt(0.04 / (2 * Math.PI ** 2)) * PIXELS_PER_DEGREE)

/** Exponents of colours and of features; where the range of colour differences is bent. Sections 4.1.3 and 4.2. */
const [COLOR_POWER, FEATURE_POWER, BEND, BENT] = [0.7, 0.5, 0.4, 0.95]
/** Width of edges and points, degrees. */
const FEATURE = 0.082

/** White of D65. */
const WHITE = [0.950428545, 1, 1.088900371] as const
const TO_XYZ = [
  [10135552 / 24577794, 8788810 / 24577794, 4435075 / 24577794],
  [2613072 / 12288897, 8788810 / 12288897, 887015 / 12288897],
  [1425312 / 73733382, 8788810 / 73733382, 70074185 / 73733382],
] as const
const FROM_XYZ = [
  [3.241003275, -1.537398934, -0.498615861],
  [-0.969224334, 1.875930071, 0.041554224],
  [0.055639423, -0.204011202, 1.057148933],
] as const

type Triple = readonly [number, number, number]
type Planes = readonly [Float64Array, Float64Array, Float64Array]

/** From 0 (the same) to 1, per pixel. @param a, b sRGB bytes, three per pixel */
export function flip(a: Uint8Array, b: Uint8Array, size: Size): Float64Array {
  const [one, other] = [opponentPlanes(a), opponentPlanes(b)]
  const [seen, otherSeen] = [asSeen(one, size), asSeen(other, size)]
  const [features, otherFeatures] = [featuresOf(one[0], size), featuresOf(other[0], size)]
  const largest = hyab(huntLab([0, 1, 0]), huntLab([0, 0, 1])) ** COLOR_POWER
  return Float64Array.from({ length: size[0] * size[1] }, (_, pixel) => {
    const distance = hyab(labAt(seen, pixel), labAt(otherSeen, pixel)) ** COLOR_POWER
    const colors =
      distance < BEND * largest
        ? (BENT / (BEND * largest)) * distance
        : BENT + ((distance - BEND * largest) / (largest - BEND * largest)) * (1 - BENT)
    const change = (kind: 0 | 1): number => Math.abs(features[kind][pixel]! - otherFeatures[kind][pixel]!)
    return colors ** (1 - (Math.max(change(0), change(1)) / Math.SQRT2) ** FEATURE_POWER)
  })
}

/** The linear space Y, Cx, Cz of CIELAB without its roots. */
function opponentPlanes(bytes: Uint8Array): Planes {
  const linear = Float64Array.from({ length: 256 }, (_, byte) => linearFromSrgb(byte / 255))
  const planes: Planes = planesOf(bytes.length / 3)
  for (let pixel = 0; pixel < planes[0].length; pixel++) {
    const at = (channel: number): number => linear[bytes[pixel * 3 + channel]!]!
    const [x, y, z] = relativeXyz([at(0), at(1), at(2)])
    planes[0][pixel] = 116 * y - 16
    planes[1][pixel] = 500 * (x - y)
    planes[2][pixel] = 200 * (y - z)
  }
  return planes
}

/** Blurred by contrast sensitivity: linear RGB. */
function asSeen(planes: Planes, size: Size): Planes {
  const [light, redGreen, blueYellow] = [ACHROMATIC, RED_GREEN, BLUE_YELLOW].map((gaussians, i) =>
    blurred(planes[i]!, size, gaussians),
  ) as unknown as Planes
  const seen = planesOf(light.length)
  for (let pixel = 0; pixel < light.length; pixel++) {
    const y = (light[pixel]! + 16) / 116
    const xyz = [y + redGreen[pixel]! / 500, y, y - blueYellow[pixel]! / 200].map((value, i) => value * WHITE[i]!)
    FROM_XYZ.forEach((row, channel) => {
      seen[channel]![pixel] = Math.min(1, Math.max(0, row[0] * xyz[0]! + row[1] * xyz[1]! + row[2] * xyz[2]!))
    })
  }
  return seen
}

const planesOf = (pixels: number): Planes => [
  new Float64Array(pixels),
  new Float64Array(pixels),
  new Float64Array(pixels),
]

function relativeXyz(rgb: Triple): Triple {
  const value = (row: 0 | 1 | 2): number =>
    (TO_XYZ[row][0] * rgb[0] + TO_XYZ[row][1] * rgb[1] + TO_XYZ[row][2] * rgb[2]) / WHITE[row]
  return [value(0), value(1), value(2)]
}

const labAt = (planes: Planes, pixel: number): Triple =>
  huntLab([planes[0][pixel]!, planes[1][pixel]!, planes[2][pixel]!])

/** CIELAB, its colours scaled by lightness: dark ones look less colourful. */
function huntLab(rgb: Triple): Triple {
  const root = (t: number): number => (t > (6 / 29) ** 3 ? Math.cbrt(t) : t / (3 * (6 / 29) ** 2) + 4 / 29)
  const [x, y, z] = relativeXyz(rgb).map(root) as [number, number, number]
  const lightness = 116 * y - 16
  return [lightness, 0.01 * lightness * 500 * (x - y), 0.01 * lightness * 200 * (y - z)]
}

const hyab = (a: Triple, b: Triple): number => Math.abs(a[0] - b[0]) + Math.hypot(a[1] - b[1], a[2] - b[2])

/** By a sum of Gaussians; each is a product of one along rows and one along columns. */
function blurred(plane: Float64Array, size: Size, gaussians: readonly (readonly [number, number])[]): Float64Array {
  const parts = gaussians.map(([height, width]) => {
    const weights = kernelOf(REACH, x => Math.exp((-(Math.PI ** 2) * (x / PIXELS_PER_DEGREE) ** 2) / width))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    const share = height * Math.sqrt(Math.PI / width) * sum ** 2
    const normal = weights.map(weight => weight / sum)
    return { share, values: filtered(plane, size, normal, normal) }
  })
  const all = parts.reduce((sum, { share }) => sum + share, 0)
  return plane.map((_, i) => parts.reduce((sum, { share, values }) => sum + (share / all) * values[i]!, 0))
}

/** How strong edges and points are: lengths of the first and of the second derivatives of a blurred plane. */
function featuresOf(light: Float64Array, size: Size): readonly [edges: Float64Array, points: Float64Array] {
  const sigma = 0.5 * FEATURE * PIXELS_PER_DEGREE
  const reach = Math.ceil(3 * sigma)
  const bell = (x: number): number => Math.exp(-(x ** 2) / (2 * sigma ** 2))
  const smooth = normalized(kernelOf(reach, bell))
  const plane = light.map(value => (value + 16) / 116)
  const lengths = (across: Float64Array): Float64Array => {
    const [x, y] = [filtered(plane, size, across, smooth), filtered(plane, size, smooth, across)]
    return x.map((value, i) => Math.hypot(value, y[i]!))
  }
  const edge = normalized(kernelOf(reach, x => -x * bell(x)))
  return [lengths(edge), lengths(normalized(kernelOf(reach, x => ((x / sigma) ** 2 - 1) * bell(x))))]
}

const kernelOf = (reach: number, of: (x: number) => number): Float64Array =>
  Float64Array.from({ length: 2 * reach + 1 }, (_, i) => of(i - reach))

/** So that what is positive adds up to 1, and what is negative to −1. */
function normalized(kernel: Float64Array): Float64Array {
  const sum = (sign: number): number => kernel.reduce((total, value) => total + Math.max(0, sign * value), 0)
  const [positive, negative] = [sum(1), sum(-1)]
  return kernel.map(value => value / (value > 0 ? positive : negative || 1))
}

/** Along rows, then along columns; beyond the rim, its pixels go on. */
function filtered(plane: Float64Array, [width, height]: Size, across: Float64Array, down: Float64Array): Float64Array {
  const rows = convolved(plane, { count: width, stride: 1, lines: height, lineStride: width }, across)
  return convolved(rows, { count: height, stride: width, lines: width, lineStride: 1 }, down)
}

interface Lines {
  readonly count: number
  readonly stride: number
  readonly lines: number
  readonly lineStride: number
}

function convolved(plane: Float64Array, { count, stride, lines, lineStride }: Lines, kernel: Float64Array) {
  const result = new Float64Array(plane.length)
  const reach = (kernel.length - 1) / 2
  for (let line = 0; line < lines; line++)
    for (let place = 0; place < count; place++) {
      let sum = 0
      for (let i = 0; i < kernel.length; i++) {
        const from = Math.min(count - 1, Math.max(0, place + i - reach))
        sum += kernel[i]! * plane[line * lineStride + from * stride]!
      }
      result[line * lineStride + place * stride] = sum
    }
  return result
}
