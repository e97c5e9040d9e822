/** Packs and unpacks the costs and depths of cells for the wire: to about half a percent of the size of their pixels. */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Rect } from '../../frame/rect.ts'
import { cellRange, decodeCells, encodeCells, encodedBytes, type TileCells } from '../cell-costs.ts'
import { ProtocolError } from '../protocol-error.ts'

export const packCells = (cells: TileCells): Uint8Array =>
  deflateRawSync(encodeCells(cells), { level: constants.Z_BEST_SPEED })

/**
 * The cells of a tile; their costs add up to `total`, in its unit.
 * @throws ProtocolError if the bytes do not match the cells of the rectangle, before they are decoded
 */
export function unpackCells(bytes: Uint8Array, rect: Rect, cell: number, total: number): TileCells {
  const { columns, rows } = cellRange(rect, cell)
  let encoded: Uint8Array
  try {
    encoded = inflateRawSync(bytes, { maxOutputLength: encodedBytes(columns * rows) })
  } catch {
    throw new ProtocolError('cell costs: the packed bytes are damaged')
  }
  return decodeCells(encoded, rect, cell, total)
}
