/** Reads the rows of a PLY body, whatever their properties, and says what is wrong with one. */
import { BadMeshError, TruncatedMeshError } from '../../errors.ts'
import type { PlyElement, PlyHeader, PlyProperty } from './ply-header.ts'
import type { NumberSource } from './ply-numbers.ts'

export interface Rows {
  readonly header: PlyHeader
  readonly numbers: NumberSource
  readonly path: string
  /** The whole file, for the numbers of lines in messages. */
  readonly bytes: Uint8Array
}

/** The list of vertices of a face or strip. */
export const isCorners = (property: PlyProperty): boolean =>
  property.countType !== undefined && (property.name === 'vertex_indices' || property.name === 'vertex_index')

/** Most in one list, such as a strip of a whole scan: longer arrays end the program. */
const MOST_CORNERS = 2 ** 26

/** Reads one element: scalars into `out` by column, the vertex list (if requested) into `corners`. */
export function readRow(
  element: PlyElement,
  row: number,
  rows: Rows,
  out: Float64Array,
  corners: number[] | undefined,
): void {
  const { properties } = element
  const { numbers, path } = rows
  for (let column = 0; column < properties.length; column++) {
    const property = properties[column]!
    if (property.countType === undefined) {
      out[column] = numbers.next(property.type)
      continue
    }
    const count = numbers.next(property.countType)
    if (count < 0 || (count > 0 && !Number.isInteger(count)))
      throw new BadMeshError(path, `${element.name} ${row}: expected the length of a list, got ${count}`)
    const kept = corners && isCorners(property) ? corners : undefined
    if (kept) kept.length = 0
    if (kept && count > MOST_CORNERS)
      throw new BadMeshError(path, `${element.name} ${row}: expected at most ${MOST_CORNERS} corners, got ${count}`)
    for (let item = 0; item < count && !numbers.ended; item++) {
      const value = numbers.next(property.type)
      if (kept) kept.push(value)
    }
  }
  if (numbers.badWord !== undefined)
    throw new BadMeshError(path, `${element.name} ${row}: expected a number, got '${numbers.badWord}'`)
  if (numbers.ended) throw truncated(element, row, rows)
  if (numbers.lines && !numbers.lines.endRow()) throw unequalRows(rows)
}

export function skipRows(element: PlyElement, rows: Rows): void {
  if (element.properties.length === 0) return // takes no bytes, whatever its count
  const ignored = new Float64Array(element.properties.length)
  for (let row = 0; row < element.count; row++) readRow(element, row, rows, ignored, undefined)
}

/** One sentence if lines of text have more words than a row, as other readers ignore. */
export function longRows({ header, numbers: { lines }, bytes }: Rows): string[] {
  if (!lines?.long) return []
  const first = lineAt(bytes, header.bodyStart + lines.firstLong)
  const these = lines.long === 1 ? `line ${first} has` : `${lines.long} lines have`
  const since = lines.long === 1 ? '' : `, the first is line ${first}`
  return [`${these} more words than the header promises${since}: the rest of the line was ignored`]
}

function truncated({ name }: PlyElement, row: number, rows: Rows): TruncatedMeshError {
  const promised = `${rows.header.elements.map(({ name, count }) => `${count} ${name}`).join(' and ')} elements`
  const hint = longRows(rows).map(sentence => `; ${sentence}`)
  return new TruncatedMeshError(rows.path, promised, `the file ends within ${name} ${row}${hint.join('')}`)
}

/** Rows may span lines, and lines may have words to spare; with both in one file, words are missing somewhere. */
function unequalRows({ header, numbers, path, bytes }: Rows): BadMeshError {
  const { firstBroken, firstLong } = numbers.lines!
  const [short, long] = [firstBroken, firstLong].map(at => lineAt(bytes, header.bodyStart + at))
  return new BadMeshError(
    path,
    `line ${short}: expected as many words as the header promises, got fewer (and more in line ${long})`,
  )
}

/** The number of the line at an offset, from 1. A line ends with \n, \r\n or \r. */
function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1
  for (let at = 0; at < offset; at++)
    if (bytes[at] === LINE_FEED || (bytes[at] === RETURN && bytes[at + 1] !== LINE_FEED)) line++
  return line
}

const [LINE_FEED, RETURN] = [10, 13]
