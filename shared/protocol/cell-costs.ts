/**
 * Costs and depths of a tile's cells as bytes: per cell one for its cost and one for its depth, both logarithmic. Cells lie
 * on the frame's grid; a tile's are those that its rectangle touches, row by row from the top left.
 *
 *     0  f32 nearest depth   4  f32 farthest depth
 *     8  u8 cost per cell:   0 none, else largest · 2^((code − 255) / 16)
 *        then u8 depth per cell: 0 unknown, 255 nothing there, else nearest · (farthest / nearest)^((code − 1) / 253)
 *
 * Codes are delta-encoded modulo 256: neighbours are similar, and small numbers compress well (`node/cell-packing.ts`).
 *
 * A code is off by at most 2.2 % of the cost; over the cells of a tile the errors cancel out, and the sum is corrected by the
 * time that the tile took. None of this can change a pixel, so the platform's logarithms suffice.
 */
import type { Rect } from '../frame/rect.ts'
import { ProtocolError } from './protocol-error.ts'

export interface TileCells {
  /** Side of a cell, px. */
  readonly cell: number
  /** Cost of the tile's own pixels in each cell, never negative. */
  readonly costs: Float64Array
  /** Camera depth of the pixel at the cell's centre; Infinity: nothing there; NaN: not one of the tile's pixels. */
  readonly depths: Float32Array
}

/** The columns and rows of cells that a rectangle touches: the first of each, and how many. */
export interface CellRange {
  readonly column: number
  readonly row: number
  readonly columns: number
  readonly rows: number
}

export function cellRange({ x, y, w, h }: Rect, cell: number): CellRange {
  const column = Math.floor(x / cell)
  const row = Math.floor(y / cell)
  return {
    column,
    row,
    columns: Math.floor((x + w - 1) / cell) - column + 1,
    rows: Math.floor((y + h - 1) / cell) - row + 1,
  }
}

/** Encoded size of so many cells, bytes. */
export const encodedBytes = (cells: number): number => HEADER_BYTES + 2 * cells

const HEADER_BYTES = 8
const STEPS_PER_OCTAVE = 16
const DEPTH_STEPS = 253
const UNKNOWN = 0
const NOTHING = 255

/** Encodes the cells of a tile; the unit of their costs is lost. */
export function encodeCells({ costs, depths }: TileCells): Uint8Array {
  const count = costs.length
  const bytes = new Uint8Array(encodedBytes(count))
  let largest = 0
  let nearest = Number.POSITIVE_INFINITY
  let farthest = 0
  for (const cost of costs) largest = Math.max(largest, cost)
  for (const depth of depths) {
    if (!(depth > 0 && depth < Number.POSITIVE_INFINITY)) continue
    nearest = Math.min(nearest, depth)
    farthest = Math.max(farthest, depth)
  }
  const header = new DataView(bytes.buffer)
  header.setFloat32(0, farthest > 0 ? nearest : 0, true)
  header.setFloat32(4, farthest, true)
  const ratio = farthest > nearest ? DEPTH_STEPS / Math.log2(farthest / nearest) : 0
  for (let i = 0; i < count; i++) {
    const cost = costs[i]!
    const octaves = cost > 0 ? Math.log2(cost / largest) : Number.NEGATIVE_INFINITY
    bytes[HEADER_BYTES + i] = Math.max(0, Math.round(255 + STEPS_PER_OCTAVE * octaves))
    const depth = depths[i]!
    bytes[HEADER_BYTES + count + i] = !(depth > 0)
      ? UNKNOWN
      : depth === Number.POSITIVE_INFINITY
        ? NOTHING
        : 1 + Math.round(ratio * Math.log2(depth / nearest))
  }
  for (let i = bytes.length - 1; i > HEADER_BYTES; i--) bytes[i]! -= bytes[i - 1]!
  return bytes
}

/**
 * Reads the cells of a tile; their costs add up to `total`, in its unit.
 * @throws ProtocolError if the bytes do not match the cells of the rectangle
 */
export function decodeCells(bytes: Uint8Array, rect: Rect, cell: number, total: number): TileCells {
  const { columns, rows } = cellRange(rect, cell)
  const count = columns * rows
  if (bytes.length !== encodedBytes(count))
    throw new ProtocolError(`cell costs: expected ${encodedBytes(count)} bytes, got ${bytes.length}`)
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const nearest = header.getFloat32(0, true)
  const farthest = header.getFloat32(4, true)
  if (!(nearest >= 0 && farthest >= nearest && farthest < Number.POSITIVE_INFINITY))
    throw new ProtocolError(`cell costs: expected a depth range, got ${nearest} to ${farthest}`)
  const codes = bytes.slice(HEADER_BYTES)
  for (let i = 1; i < codes.length; i++) codes[i]! += codes[i - 1]!
  const costs = new Float64Array(count)
  const depths = new Float32Array(count)
  const depthOf = Float32Array.from({ length: 256 }, (_, code) => depthAt(code, nearest, farthest))
  let sum = 0
  for (let i = 0; i < count; i++) {
    const cost = COST_OF[codes[i]!]!
    costs[i] = cost
    sum += cost
    depths[i] = depthOf[codes[count + i]!]!
  }
  // A tile without counted work took time, too.
  const scale = sum > 0 ? total / sum : 0
  for (let i = 0; i < count; i++) costs[i] = sum > 0 ? costs[i]! * scale : total / count
  return { cell, costs, depths }
}

/** Costs by their codes, as shares of the largest. */
const COST_OF = Float64Array.from({ length: 256 }, (_, code) =>
  code === 0 ? 0 : 2 ** ((code - 255) / STEPS_PER_OCTAVE),
)

function depthAt(code: number, nearest: number, farthest: number): number {
  if (code === UNKNOWN) return Number.NaN
  if (code === NOTHING) return Number.POSITIVE_INFINITY
  return nearest * (farthest / nearest) ** ((code - 1) / DEPTH_STEPS)
}
