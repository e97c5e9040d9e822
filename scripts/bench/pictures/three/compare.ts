/**
 * Which pixels of two flat pictures differ. Renderers never agree on the pixels of an edge: its place is rounded differently, and so is
 * the share of a pixel on either side. So a pixel that differs is excused if its value occurs around it in the other picture, and the
 * other's around it in this one; an object that only one of them shows is not excused, however thin it is. A value occurs around a
 * pixel if it is a mixture of two of those in the 3 × 3 px: between two surfaces, that is what antialiasing makes.
 */
import { srgbFromLinear } from '../../../../shared/math/srgb.ts'
import { CHANNELS, COVERAGE, type FlatPicture } from './flat-picture.ts'

export interface Tolerance {
  /** Of a colour channel in sRGB, of 255. */
  readonly color: number
  /** Of the coverage, a share. */
  readonly coverage: number
  /** Most pixels that may differ, a share of those that show something. */
  readonly pixels: number
}

export const TOLERANCE: Tolerance = { color: 10, coverage: 0.1, pixels: 0.005 }

/** What became of a pixel. */
export const [SAME, EXCUSED, OTHER_COLOR, OTHER_COVERAGE] = [0, 1, 2, 3] as const

export interface Comparison {
  /** Of each pixel: SAME, EXCUSED, OTHER_COLOR or OTHER_COVERAGE. */
  readonly marks: Uint8Array
  /** Pixels in which either picture shows something, a share of all. The other shares are of these: the background is always the same. */
  readonly shown: number
  /** Pixels that differ. */
  readonly differing: number
  /** Those of them that one of the two covers less. */
  readonly uncovered: number
  /** Pixels that differ, but as edges do. */
  readonly excused: number
  /** Pixels that are compared as blended ones. */
  readonly blended: number
}

/** Half the side of the square that blended pixels are averaged over, px. */
const SMOOTHED = 3

/**
 * @param blended pixels that show a surface through which others shine: opacity may be a matter of chance, so they are compared as
 * means over 7 × 7 px. None if absent
 */
export function comparePictures(
  a: FlatPicture,
  b: FlatPicture,
  blended?: Uint8Array,
  tolerance: Tolerance = TOLERANCE,
): Comparison {
  const [width, height] = a.size
  const pixels = width * height
  const marks = new Uint8Array(pixels)
  const some = blended?.includes(1) === true
  const [smoothA, smoothB] = some ? [smoothed(a), smoothed(b)] : [a, b]
  for (let pixel = 0; pixel < pixels; pixel++)
    marks[pixel] = blended?.[pixel] ? markOf(smoothA, smoothB, pixel, tolerance) : markOf(a, b, pixel, tolerance)
  const count = (is: (pixel: number) => boolean): number => {
    let found = 0
    for (let pixel = 0; pixel < pixels; pixel++) if (is(pixel)) found++
    return found
  }
  const covered = ({ values }: FlatPicture, pixel: number) => values[pixel * CHANNELS + COVERAGE]! > 0
  const shown = count(pixel => covered(a, pixel) || covered(b, pixel))
  const share = (found: number): number => (shown > 0 ? found / shown : 0)
  return {
    marks,
    shown: shown / pixels,
    differing: share(count(pixel => marks[pixel]! >= OTHER_COLOR)),
    uncovered: share(count(pixel => marks[pixel] === OTHER_COVERAGE)),
    excused: share(count(pixel => marks[pixel] === EXCUSED)),
    blended: share(count(pixel => blended?.[pixel] === 1)),
  }
}

function markOf(a: FlatPicture, b: FlatPicture, pixel: number, tolerance: Tolerance): number {
  const [ours, theirs] = [valueAt(a, pixel), valueAt(b, pixel)]
  if (isSame(ours, theirs, tolerance)) return SAME
  if (occurs(ours, b, pixel, tolerance) && occurs(theirs, a, pixel, tolerance)) return EXCUSED
  return Math.abs(ours[COVERAGE] - theirs[COVERAGE]) > tolerance.coverage ? OTHER_COVERAGE : OTHER_COLOR
}

type Value = readonly [red: number, green: number, blue: number, coverage: number]

function valueAt({ values }: FlatPicture, pixel: number): Value {
  const at = pixel * CHANNELS
  return [values[at]!, values[at + 1]!, values[at + 2]!, values[at + COVERAGE]!]
}

function isSame(a: Value, b: Value, tolerance: Tolerance): boolean {
  if (Math.abs(a[COVERAGE] - b[COVERAGE]) > tolerance.coverage) return false
  for (let channel = 0; channel < COVERAGE; channel++)
    if (Math.abs(srgbFromLinear(a[channel]!) - srgbFromLinear(b[channel]!)) * 255 > tolerance.color) return false
  return true
}

/** Whether a value is a mixture of two that a picture has in the 3 × 3 px around a pixel. */
function occurs(value: Value, picture: FlatPicture, pixel: number, tolerance: Tolerance): boolean {
  const around = valuesAround(picture, pixel)
  return around.some((from, i) => around.slice(i).some(to => isSame(nearestMixture(value, from, to), value, tolerance)))
}

function valuesAround(picture: FlatPicture, pixel: number): Value[] {
  const [width, height] = picture.size
  const [x, y] = [pixel % width, Math.floor(pixel / width)]
  const values: Value[] = []
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
      values.push(valueAt(picture, row * width + column))
  return values
}

/** The mixture of two values, in linear light, that is nearest to a third. */
function nearestMixture(value: Value, from: Value, to: Value): Value {
  let [along, length] = [0, 0]
  for (let channel = 0; channel < CHANNELS; channel++) {
    const step = to[channel]! - from[channel]!
    along += (value[channel]! - from[channel]!) * step
    length += step * step
  }
  const share = length > 0 ? Math.min(1, Math.max(0, along / length)) : 0
  const mixed = (channel: number): number => from[channel]! + share * (to[channel]! - from[channel]!)
  return [mixed(0), mixed(1), mixed(2), mixed(COVERAGE)]
}

/** Means over 7 × 7 px, fewer at the rim: by rows, then by columns. */
function smoothed({ size, values }: FlatPicture): FlatPicture {
  const [width, height] = size
  const rows = meansAlong(values, width, height, CHANNELS, width * CHANNELS)
  return { size, values: meansAlong(rows, height, width, width * CHANNELS, CHANNELS) }
}

/** Of `lines` lines of `count` pixels each; strides are distances in numbers, from pixel to pixel and from line to line. */
function meansAlong(
  values: Float32Array,
  count: number,
  lines: number,
  stride: number,
  lineStride: number,
): Float32Array {
  const means = new Float32Array(values.length)
  for (let line = 0; line < lines; line++)
    for (let place = 0; place < count; place++) {
      const [first, last] = [Math.max(0, place - SMOOTHED), Math.min(count - 1, place + SMOOTHED)]
      for (let channel = 0; channel < CHANNELS; channel++) {
        const at = line * lineStride + channel
        let sum = 0
        for (let each = first; each <= last; each++) sum += values[at + each * stride]!
        means[at + place * stride] = sum / (last - first + 1)
      }
    }
  return means
}
