/** The Hilbert curve through the pixels of a frame, square by square. */

/** Bits per coordinate of the Hilbert curve: frames are at most 65536 pixels wide. */
const CURVE_BITS: u32 = 16
/** Side of the squares whose pixels are traced one after the other, and its logarithm. */
export const SQUARE: u32 = 8
const SQUARE_BITS: u32 = 3

/**
 * State of the Hilbert curve at the square around pixel (x, y): its index there, with bit 0 set if coordinates are swapped
 * in the square and bit 1 if they are mirrored; the index of a square's corner does not need those bits.
 */
export function curveAtSquare(x: u32, y: u32): u32 {
  const walked = walk(x, y, 1 << (CURVE_BITS - 1), SQUARE)
  return ((walked >> 2) << (2 * SQUARE_BITS)) | (walked & 3)
}

/** Pixels of a square; those of all its four orientations. */
const SQUARE_PIXELS: u32 = SQUARE * SQUARE
export const CURVE_BYTES: u32 = 4 * SQUARE_PIXELS

/** Writes a table of bytes: the curve positions of a square's pixels in Morton order, for each state of its two bits. */
export function fillCurve(table: u32): void {
  for (let place: u32 = 0; place < SQUARE_PIXELS; place++) {
    for (let turned: u32 = 0; turned < 4; turned++) {
      const mirror: u32 = (turned & 2) != 0 ? SQUARE - 1 : 0
      const x = evenBits(place) ^ mirror
      const y = evenBits(place >> 1) ^ mirror
      const swapped = (turned & 1) != 0
      const position = walk(swapped ? y : x, swapped ? x : y, SQUARE >> 1, 1) >> 2
      store<u8>(table + turned * SQUARE_PIXELS + place, position)
    }
  }
}

/**
 * Index from the coordinates' bits `from` down to `to`, times four; plus 1 if they end up swapped, 2 if mirrored.
 */
function walk(x: u32, y: u32, from: u32, to: u32): u32 {
  let index: u32 = 0
  let turned: u32 = 0
  for (let bit = from; bit >= to; bit >>= 1) {
    const right: u32 = (x & bit) > 0 ? 1 : 0
    const below: u32 = (y & bit) > 0 ? 1 : 0
    index = (index << 2) | ((3 * right) ^ below)
    if (below == 1) continue
    if (right == 1) {
      x = ~x
      y = ~y
      turned ^= 2
    }
    const swap = x
    x = y
    y = swap
    turned ^= 1
  }
  return (index << 2) | turned
}

/** Position along the Hilbert curve of a square's pixel, given by its place in Morton order. */
@inline
export function hilbertIndex(table: u32, square: u32, place: u32): u32 {
  return (square & ~3) | <u32>load<u8>(table + (square & 3) * SQUARE_PIXELS + place)
}

/** Bits 0, 2 and 4, compacted: x of a place in Morton order. */
@inline
export function evenBits(bits: u32): u32 {
  return (bits & 1) | ((bits >> 1) & 2) | ((bits >> 2) & 4)
}
