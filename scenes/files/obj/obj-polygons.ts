/**
 * Cuts polygons of very many corners into small ones. three's loader cuts each into a fan around its first corner: of a disc, that is as
 * many slivers that all meet there, and a ray near it has to be tested against all of them. Halved again and again, the same disc is
 * triangles of all sizes that lie side by side.
 */
import { BadMeshError } from '../../errors.ts'

/** Of an ordinary mesh, what the loader makes of polygons stays. */
const LONGEST_PLAIN = 1024
/** Of those that cannot be halved. */
const LONGEST_FAN = 2 ** 16
/** Corners of the pieces that are left to the loader. */
const PIECE = 8
/** What may overlap, as a share of a polygon's area: its corners are rounded. */
const OVERLAP = 1e-3

/** A face with very many corners. */
export interface Polygon {
  /** Its line, from 0. */
  readonly line: number
  /** Number of vertices before it: what negative indices count from. */
  readonly vertices: number
}

export const isLong = (words: readonly string[]): boolean => words.length - 1 > LONGEST_PLAIN

/**
 * Replaces lines of long polygons by several each.
 * @param coordinates xyz per vertex
 * @throws BadMeshError for a polygon that is too long, and cannot be halved
 */
export function cutPolygons(
  lines: string[],
  polygons: readonly Polygon[],
  coordinates: Float64Array,
  path: string,
): void {
  for (const { line, vertices } of polygons) {
    const words = lines[line]!.trim().split(/\s+/).slice(1)
    const corners = Uint32Array.from(words, word => {
      const index = Number.parseInt(word, 10)
      return index > 0 ? index - 1 : vertices + index
    })
    const isShort = corners.length <= LONGEST_FAN
    const overlap = overlapOf(inHalves, corners, coordinates)
    if (overlap <= OVERLAP || (isShort && overlap <= overlapOf(asFan, corners, coordinates))) {
      const faces: string[] = []
      inHalves(0, corners.length - 1, (from, to, middle) =>
        faces.push(
          `f ${(middle === undefined ? words.slice(from, to + 1) : [words[from], words[middle], words[to]]).join(' ')}`,
        ),
      )
      lines[line] = faces.join('\n')
    } else if (!isShort)
      throw new BadMeshError(
        path,
        `line ${line + 1}: expected a polygon of at most ${LONGEST_FAN} corners, or one that is flat and convex, got ${corners.length} corners; triangulate it`,
      )
  }
}

/** Calls `act` for each piece: a triangle, or else a fan of all corners from the first to the last. */
type Cut = (from: number, to: number, act: (from: number, to: number, middle?: number) => void) => void

const asFan: Cut = (from, to, act) => act(from, to)

const inHalves: Cut = (from, to, act) => {
  if (to - from < PIECE) return act(from, to)
  const middle = (from + to) >> 1
  act(from, to, middle)
  inHalves(from, middle, act)
  inHalves(middle, to, act)
}

/**
 * The area that pieces cover more than once or outside of the polygon, as a share of its own. If all triangles have the same sense, there
 * is none: their signed areas add up to the polygon's.
 */
function overlapOf(cut: Cut, corners: Uint32Array, coordinates: Float64Array): number {
  const area = [0, 0, 0]
  const each = new Float64Array(3)
  const forEach = (act: () => void) => {
    const triangle = (a: number, b: number, c: number) => {
      areaOf(corners[a]!, corners[b]!, corners[c]!, coordinates, each)
      act()
    }
    cut(0, corners.length - 1, (from, to, middle) => {
      if (middle !== undefined) triangle(from, middle, to)
      else for (let i = from + 1; i < to; i++) triangle(from, i, i + 1)
    })
  }
  forEach(() => {
    for (let axis = 0; axis < 3; axis++) area[axis]! += each[axis]!
  })
  const all = Math.hypot(...area)
  if (!(all > 0)) return Number.POSITIVE_INFINITY
  let overlap = 0
  forEach(() => {
    const signed = (each[0]! * area[0]! + each[1]! * area[1]! + each[2]! * area[2]!) / all
    overlap -= Math.min(0, signed)
  })
  return overlap / all
}

/** The normal of a triangle, as long as twice its area. */
function areaOf(a: number, b: number, c: number, xyz: Float64Array, out: Float64Array): void {
  const [x, y, z] = [xyz[a * 3]!, xyz[a * 3 + 1]!, xyz[a * 3 + 2]!]
  const [bx, by, bz] = [xyz[b * 3]! - x, xyz[b * 3 + 1]! - y, xyz[b * 3 + 2]! - z]
  const [cx, cy, cz] = [xyz[c * 3]! - x, xyz[c * 3 + 1]! - y, xyz[c * 3 + 2]! - z]
  out[0] = by * cz - bz * cy
  out[1] = bz * cx - bx * cz
  out[2] = bx * cy - by * cx
}
