/**
 * The pixels of a block, one after the other: square by square, within a square in Morton order, so that consecutive pixels are
 * close to each other.
 *
 * A block is a rectangle, its pixels numbered row by row, or a list of squares with a bit for each requested pixel, numbered in
 * the order of the list.
 */
import { Listed } from '../records'
import { curveAtSquare, evenBits, hilbertIndex, SQUARE } from './hilbert'
import { curve, listed } from './workspace'

/** Pixels of a square in its first column (indices without bits 0, 2 and 4), and in its first row. */
const FIRST_COLUMN: u64 = 0x0000050500000505
const FIRST_ROW: u64 = 0x0000000000330033

/** The newest pixel: its place in the frame, and its number in the block. */
export let pixelX: u32 = 0
export let pixelY: u32 = 0
export let pixelNumber: u32 = 0
/** Its place in its square, in Morton order. */
let pixelPlace: u32 = 0

// The rectangle; unused for a list.
let left: u32 = 0
let top: u32 = 0
let width: u32 = 0
let height: u32 = 0
// The list: its next square, and its end.
let nextListed: u32 = 0
let listEnd: u32 = 0
// The current square, its pixels still to be visited, and for a list the number of the next one.
let squareX: u32 = 0
let squareY: u32 = 0
let squareCurve: u32 = 0
let waiting: u64 = 0
let turn: u32 = 0

/** Begins with the block of w × h pixels at (x, y) of the frame. */
export function startBlock(x: u32, y: u32, w: u32, h: u32): void {
  left = x
  top = y
  width = w
  height = h
  listEnd = 0
  // Begin one square before the first.
  squareX = (x & ~(SQUARE - 1)) - SQUARE
  squareY = y & ~(SQUARE - 1)
  waiting = 0
}

/** Begins with the first `squares` of the list. */
export function startListed(squares: u32): void {
  nextListed = listed
  listEnd = listed + squares * Listed.BYTES
  turn = 0
  waiting = 0
}

/** Goes to the next pixel; false at the end of the block. */
@inline
export function nextPixel(): bool {
  if (waiting == 0 && !nextSquare()) return false
  const place = <u32>ctz(waiting)
  waiting &= waiting - 1
  pixelPlace = place
  // The bits of `place` alternate between x and y.
  pixelX = squareX + evenBits(place)
  pixelY = squareY + evenBits(place >> 1)
  pixelNumber = listEnd != 0 ? turn++ : (pixelY - top) * width + (pixelX - left)
  return true
}

/** Position of the newest pixel along the Hilbert curve. */
@inline
export function pixelCurve(): u32 {
  return hilbertIndex(curve, squareCurve, pixelPlace)
}

/** Advances to the next square that has pixels; false at the end of the block. */
function nextSquare(): bool {
  if (listEnd != 0) {
    do {
      if (nextListed == listEnd) return false
      waiting = Listed.pixels(nextListed)
      nextListed += Listed.BYTES
    } while (waiting == 0)
    squareX = Listed.x(nextListed - Listed.BYTES)
    squareY = Listed.y(nextListed - Listed.BYTES)
  } else {
    squareX += SQUARE
    if (<i32>(squareX - left - width) >= 0) {
      squareX = left & ~(SQUARE - 1)
      squareY += SQUARE
    }
    if (squareY >= top + height) return false
    const columns = between(FIRST_COLUMN, 0, left, left + width, squareX)
    waiting = columns & between(FIRST_ROW, 1, top, top + height, squareY)
  }
  squareCurve = curveAtSquare(squareX, squareY)
  return true
}

/**
 * Pixels of a square that begins at `corner` whose column (or row) lies in [from, to); `first` is the mask of its first column
 * (or row), and `shift` is 0 for columns and 1 for rows.
 */
function between(first: u64, shift: u32, from: u32, to: u32, corner: u32): u64 {
  if (from <= corner && corner + SQUARE <= to) return ~(<u64>0)
  let pixels: u64 = 0
  for (let i: u32 = 0; i < SQUARE; i++) {
    if (corner + i < from || corner + i >= to) continue
    const place = (i & 1) | ((i & 2) << 1) | ((i & 4) << 2)
    pixels |= first << (place << shift)
  }
  return pixels
}
