/**
 * Accumulated light for the wire. Every value is a multiple of 2^-32 from 0 to 2^20 (`light/accumulate.ts`), that is an integer of
 * 53 bits. Each value of a tile is sent with as many bytes as the largest needs, first the lowest bytes of all values, then the
 * second ones and so on:
 *
 *     0  u8 bytes per value, 0 to 7
 *     1  u8 lowest byte of each value, then the next byte of each, …
 *
 * Exact. A rendered tile takes 12 to 15 bytes a pixel instead of 24, and 3 to 11 after LZ4, which cannot compress the lowest two or
 * three planes of noisy images but removes nearly all of the others; f64 itself compresses to 5 to 18. Separate planes per colour,
 * differences to the previous pixel or colour, and XOR with it were no better over both noisy and clean tiles.
 */
import { ProtocolError } from './protocol-error.ts'

/** The most bytes that a value needs: 2^20 is 2^52 steps. */
export const MAX_PLANES = 7

const LARGEST = 2 ** 20
const STEPS = 2 ** 32
/** What a byte of each plane counts; exact. */
const PLACES = [1, 2 ** 8, 2 ** 16, 2 ** 24, 2 ** 32, 2 ** 40, 2 ** 48, 2 ** 56]

/** Packed size of `values` values with `planes` bytes each. */
export const planesBytes = (values: number, planes: number): number => 1 + values * planes

/** Packs values, each a multiple of 2^-32 from 0 to 2^20. */
export function packLight(light: Float64Array): Uint8Array<ArrayBuffer> {
  const count = light.length
  let anyFraction = 0
  let anyWhole = 0
  for (let i = 0; i < count; i++) {
    const whole = Math.floor(light[i]!)
    anyWhole |= whole
    anyFraction |= (light[i]! - whole) * STEPS
  }
  const planes = anyWhole !== 0 ? 4 + usedBytes(anyWhole) : usedBytes(anyFraction)
  const bytes = new Uint8Array(planesBytes(count, planes))
  bytes[0] = planes
  for (let i = 0, at = 1; i < count; i++, at++) {
    const whole = Math.floor(light[i]!)
    const fraction = (light[i]! - whole) * STEPS
    if (planes > 0) bytes[at] = fraction
    if (planes > 1) bytes[at + count] = fraction >>> 8
    if (planes > 2) bytes[at + 2 * count] = fraction >>> 16
    if (planes > 3) bytes[at + 3 * count] = fraction >>> 24
    if (planes > 4) {
      bytes[at + 4 * count] = whole
      if (planes > 5) bytes[at + 5 * count] = whole >>> 8
      if (planes > 6) bytes[at + 6 * count] = whole >>> 16
    }
  }
  return bytes
}

/**
 * Unpacks exactly `count` values.
 * @throws ProtocolError if the bytes do not match the count, or a value exceeds 2^20
 */
export function unpackLight(bytes: Uint8Array, count: number): Float64Array<ArrayBuffer> {
  const planes = bytes[0]
  if (planes === undefined || planes > MAX_PLANES || bytes.length !== planesBytes(count, planes))
    throw new ProtocolError(`light: ${bytes.length} bytes are not ${count} values of ${planes} bytes each`)
  const light = new Float64Array(count)
  // A frame has a hundred million values: the usual numbers of planes are unrolled.
  if (planes < 4) {
    for (let plane = 0; plane < planes; plane++)
      for (let i = 0; i < count; i++) light[i] = light[i]! + (bytes[1 + plane * count + i]! * PLACES[plane]!) / STEPS
    return light
  }
  const [second, third, fourth] = [count, 2 * count, 3 * count]
  const [fifth, sixth, seventh] = [4 * count, 5 * count, 6 * count]
  let most = 0
  for (let i = 0, at = 1; i < count; i++, at++) {
    const low = bytes[at]! | (bytes[at + second]! << 8)
    const fraction = low | (bytes[at + third]! << 16) | (bytes[at + fourth]! << 24)
    let whole = 0
    if (planes > 4) {
      whole = bytes[at + fifth]!
      if (planes > 5) whole |= bytes[at + sixth]! << 8
      if (planes > 6) whole |= bytes[at + seventh]! << 16
    }
    const value = whole + (fraction >>> 0) / STEPS
    if (value > most) most = value
    light[i] = value
  }
  if (most > LARGEST) throw new ProtocolError(`light: expected at most ${LARGEST}, got ${most}`)
  return light
}

/** Number of bytes of a word up to the highest that is not 0. */
const usedBytes = (word: number): number => Math.ceil((32 - Math.clz32(word)) / 8)
