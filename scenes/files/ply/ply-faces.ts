/** Reads the triangles of a PLY file: from polygons, which become fans, and from triangle strips. */
import { BadIndexError } from '../../errors.ts'
import { readTriangles } from './ply-bulk.ts'
import type { PlyElement, PlyType } from './ply-header.ts'
import { isCorners, type Rows, readRow } from './ply-rows.ts'

/** Three vertex numbers per triangle, each below `vertices`. @throws BadIndexError, BadMeshError, TruncatedMeshError */
export function readFaces(element: PlyElement, vertices: number, rows: Rows): Uint32Array {
  const { body } = rows.numbers
  const triangles = body && element.properties.every(isCorners) && readTriangles(element, vertices, body)
  if (triangles) return triangles
  const ignored = new Float64Array(element.properties.length)
  const corners: number[] = []
  const indices = new TriangleList(element.count)
  for (let face = 0; face < element.count; face++) {
    readRow(element, face, rows, ignored, corners)
    for (let corner = 0; corner < corners.length; corner++) {
      const index = corners[corner]!
      if (!isVertex(index, vertices)) throw new BadIndexError(rows.path, face, index, `a vertex below ${vertices}`)
    }
    for (let corner = 2; corner < corners.length; corner++)
      indices.add(corners[0]!, corners[corner - 1]!, corners[corner]!)
  }
  return indices.all()
}

/**
 * The same from strips (Stanford's `tristrips`): each vertex makes a triangle with the two before it, every other one of them
 * turned around, and -1 begins a new strip. Triangles with a vertex twice are skipped; writers use them to turn a strip.
 * @throws BadIndexError, BadMeshError, TruncatedMeshError
 */
export function readStrips(element: PlyElement, vertices: number, rows: Rows): Uint32Array {
  const restart = LARGEST[element.properties.find(isCorners)!.type]
  const ignored = new Float64Array(element.properties.length)
  const strip: number[] = []
  const indices = new TriangleList(element.count)
  for (let row = 0; row < element.count; row++) {
    readRow(element, row, rows, ignored, strip)
    let length = 0
    for (let i = 0; i < strip.length; i++) {
      const c = strip[i]!
      if (!isVertex(c, vertices)) {
        if (c !== -1 && c !== restart)
          throw new BadIndexError(rows.path, row, c, `a vertex below ${vertices} or -1`, element.name)
        length = 0
        continue
      }
      if (++length < 3) continue
      const a = strip[i - 2]!
      const b = strip[i - 1]!
      if (a === b || b === c || c === a) continue
      if (length % 2 === 1) indices.add(a, b, c)
      else indices.add(b, a, c)
    }
  }
  return indices.all()
}

/** What -1 becomes in types without a sign. */
const LARGEST: Readonly<Partial<Record<PlyType, number>>> = { u8: 0xff, u16: 0xffff, u32: 0xffffffff }

const isVertex = (index: number, vertices: number): boolean => index >= 0 && index < vertices && Number.isInteger(index)

/** Indices of triangles, as many as come. */
class TriangleList {
  #indices: Uint32Array
  #used = 0

  /** @param expected number of triangles; more take time to copy */
  constructor(expected: number) {
    this.#indices = new Uint32Array(expected * 3)
  }

  add(a: number, b: number, c: number): void {
    const at = this.#used
    if (at + 3 > this.#indices.length) {
      const grown = new Uint32Array(Math.max(at * 2, 96))
      grown.set(this.#indices)
      this.#indices = grown
    }
    this.#indices[at] = a
    this.#indices[at + 1] = b
    this.#indices[at + 2] = c
    this.#used = at + 3
  }

  /** Borrowed. */
  all(): Uint32Array {
    return this.#indices.subarray(0, this.#used)
  }
}
