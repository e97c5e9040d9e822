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
  /** Present for text, whose rows are lines. */
  readonly lines?: TextLines
}

/** How the lines of a text differ from its rows. Offsets are bytes from the start of the body, -1 if there is none. */
export interface TextLines {
  /** Ends a row, and its line. False if words are missing: some rows take several lines, and others leave words over. */
  endRow(): boolean
  /** Number of lines with words beyond their row's; the first such word. */
  readonly long: number
  readonly firstLong: number
  /** The first row that goes on in another line. */
  readonly firstBroken: number
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
    const { body } = this
    const { at } = body
    body.at = at + BYTES[type]
    if (body.at <= body.view.byteLength) return valueAt(body, type, at)
    this.ended = true
    return Number.NaN
  }
}

/** The number at an offset that lies within the body. */
export function valueAt({ view, littleEndian }: BinaryBody, type: PlyType, at: number): number {
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

export const BYTES: Readonly<Record<PlyType, number>> = { i8: 1, u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, f32: 4, f64: 8 }

/**
 * Decimal text without a string per number. Up to 15 digits and a power of ten up to 22 are exact in a double, so one
 * multiplication or division rounds correctly (Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990);
 * anything longer goes through the platform's parser.
 */
class TextNumbers implements NumberSource, TextLines {
  ended = false
  badWord: string | undefined
  readonly lines: TextLines = this
  long = 0
  firstLong = -1
  firstBroken = -1
  readonly #bytes: Uint8Array
  #at = 0
  #rowStart = 0
  /** Whether a line has ended within this row. */
  #broken = false

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#startRow(0)
  }

  endRow(): boolean {
    const bytes = this.#bytes
    if (this.#broken && this.firstBroken < 0) this.firstBroken = this.#rowStart
    let at = this.#at
    while (at < bytes.length && bytes[at]! <= SPACE && !isBreak(bytes[at]!)) at++
    if (at < bytes.length && !isBreak(bytes[at]!)) {
      if (this.long++ === 0) this.firstLong = at
      while (at < bytes.length && !isBreak(bytes[at]!)) at++
    }
    this.#startRow(at)
    return this.long === 0 || this.firstBroken < 0
  }

  /** At the first word from `at` on. */
  #startRow(at: number): void {
    let start = at
    while (start < this.#bytes.length && this.#bytes[start]! <= SPACE) start++
    this.#at = start
    this.#rowStart = start
    this.#broken = false
  }

  next(): number {
    const bytes = this.#bytes
    let at = this.#at
    for (; at < bytes.length && bytes[at]! <= SPACE; at++) if (isBreak(bytes[at]!)) this.#broken = true
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
const isBreak = (code: number): boolean => code === 10 || code === 13
const LONGEST_WORD = 64
const POWERS_OF_TEN = Array.from({ length: 16 }, (_, i) => 10 ** i)
