/**
 * Reads the numbers in a PLY body one by one, as text or binary, so that one reader serves both.
 * Past the end every number is NaN and `ended` is true, so the calling loops need only one check per row.
 */
import type { PlyFormat, PlyType } from './ply-header.ts'

export interface NumberSource {
  /** The next number. A word that is not a number gives NaN and is kept in `badWord`. */
  next(type: PlyType): number
  /** Whether `next` was called with nothing left. */
  readonly ended: boolean
  /** The first word that was not a number. */
  readonly badWord: string | undefined
  /** Present for a binary body, which can also be read in other ways. */
  readonly body?: BinaryBody
}

/** A binary body and the read position, bytes. */
export interface BinaryBody {
  readonly view: DataView
  readonly littleEndian: boolean
  at: number
}

export const numbersOf = (bytes: Uint8Array, format: PlyFormat): NumberSource =>
  format === 'ascii' ? new TextNumbers(bytes) : new BinaryNumbers(bytes, format === 'binary_little_endian')

class BinaryNumbers implements NumberSource {
  readonly badWord = undefined
  ended = false
  readonly body: BinaryBody

  constructor(bytes: Uint8Array, littleEndian: boolean) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.body = { view, littleEndian, at: 0 }
  }

  next(type: PlyType): number {
    const { view, littleEndian, at } = this.body
    this.body.at += BYTES[type]
    if (this.body.at > view.byteLength) {
      this.ended = true
      return Number.NaN
    }
    switch (type) {
      case 'f32':
        return view.getFloat32(at, littleEndian)
      case 'i32':
        return view.getInt32(at, littleEndian)
      case 'u8':
        return view.getUint8(at)
      case 'u32':
        return view.getUint32(at, littleEndian)
      case 'f64':
        return view.getFloat64(at, littleEndian)
      case 'i8':
        return view.getInt8(at)
      case 'i16':
        return view.getInt16(at, littleEndian)
      case 'u16':
        return view.getUint16(at, littleEndian)
    }
  }
}

export const BYTES: Readonly<Record<PlyType, number>> = { i8: 1, u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, f32: 4, f64: 8 }

/**
 * Decimal text without a string per number. Up to 15 digits and a power of ten up to 22 are exact in a double, so one
 * multiplication or division rounds correctly (Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990);
 * anything longer goes through the platform's parser.
 */
class TextNumbers implements NumberSource {
  ended = false
  badWord: string | undefined
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  next(): number {
    const bytes = this.#bytes
    let at = this.#at
    while (at < bytes.length && bytes[at]! <= SPACE) at++
    const start = at
    if (at === bytes.length) {
      this.#at = at
      this.ended = true
      return Number.NaN
    }
    const negative = bytes[at] === MINUS
    if (negative || bytes[at] === PLUS) at++
    let mantissa = 0
    let digits = 0
    let decimals = 0
    let afterPoint = false
    for (; at < bytes.length; at++) {
      const code = bytes[at]!
      if (code >= ZERO && code <= NINE) {
        mantissa = mantissa * 10 + (code - ZERO)
        digits++
        if (afterPoint) decimals++
      } else if (code === POINT && !afterPoint) afterPoint = true
      else break
    }
    if ((at < bytes.length && bytes[at]! > SPACE) || digits === 0 || digits > 15) return this.#slow(start)
    this.#at = at
    const value = mantissa / POWERS_OF_TEN[decimals]!
    return negative ? -value : value
  }

  /** Exponents, long mantissas, the common names of NaN and infinity, and words that are not numbers. */
  #slow(start: number): number {
    let end = start
    while (end < this.#bytes.length && this.#bytes[end]! > SPACE) end++
    this.#at = end
    const word = String.fromCharCode(...this.#bytes.subarray(start, Math.min(end, start + LONGEST_WORD)))
    const named = /^([+-]?)(nan|inf|infinity)$/i.exec(word)
    if (named) return named[2]!.toLowerCase() === 'nan' ? Number.NaN : Number(`${named[1]}Infinity`)
    const value = Number(word)
    if (Number.isNaN(value)) this.badWord ??= word
    return value
  }
}

const [SPACE, PLUS, MINUS, POINT, ZERO, NINE] = [32, 43, 45, 46, 48, 57]
const LONGEST_WORD = 64
const POWERS_OF_TEN = Array.from({ length: 16 }, (_, i) => 10 ** i)
