/**
 * How far away what a picture shows is, on its way to a page: a page that knows it can show the picture as it would look from elsewhere. Of each
 * cell, 16 bits, little-endian: how near it is, as a share of the nearest one, so that steps are finest where moves show most; 0: infinitely far.
 */
import type { FrameDepths } from '../session/session.ts'

/** What is said of them beside their bytes. */
export interface DepthFacts {
  /** Side of a cell, px of the picture; the last column and row may be narrower. */
  readonly cell: number
  readonly columns: number
  readonly rows: number
  /** Camera depth of the nearest cell, scene units; 1 if there is nothing. */
  readonly nearest: number
}

const STEPS = 0xffff
export const depthBytes = ({ columns, rows }: Pick<DepthFacts, 'columns' | 'rows'>): number => columns * rows * 2

export function packDepths({ cell, columns, rows, depths }: Omit<FrameDepths, 'costs'>): {
  facts: DepthFacts
  bytes: Uint8Array
} {
  let nearest = Number.POSITIVE_INFINITY
  for (const depth of depths) if (depth > 0 && depth < nearest) nearest = depth
  if (nearest === Number.POSITIVE_INFINITY) nearest = 1
  const facts = { cell, columns, rows, nearest }
  const bytes = new Uint8Array(depthBytes(facts))
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < depths.length; i++) {
    const depth = known(depths, i, columns)
    view.setUint16(i * 2, depth > 0 ? Math.round(Math.min(1, nearest / depth) * STEPS) : 0, true)
  }
  return { facts, bytes }
}

/** One over the depth of each cell, row by row. @throws RangeError if there are too few bytes */
export function unpackNearness(facts: DepthFacts, bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const { columns, rows, nearest } = facts
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: columns * rows }, (_, i) => view.getUint16(i * 2, true) / STEPS / nearest)
}

/** Where the depth of a cell is not known, that of the one before it in its row, or above it. */
function known(depths: Float32Array, i: number, columns: number): number {
  for (let at = i; at >= i - (i % columns); at--) if (!Number.isNaN(depths[at]!)) return depths[at]!
  for (let at = i; at >= 0; at -= columns) if (!Number.isNaN(depths[at]!)) return depths[at]!
  return Number.POSITIVE_INFINITY
}
