/**
 * Checks an OBJ text before three's loader parses it. The loader accepts any text as a mesh: missing numbers and
 * nonexistent vertices become NaN, and one line element makes a whole object's faces disappear.
 */
import type { Vec3 } from '../../../shared/frame/view.ts'
import { BadIndexError, BadMeshError, BadVertexError, EmptySceneError } from '../../errors.ts'
import { isZero, offsetFor } from '../near-origin.ts'
import { NumberList } from '../number-list.ts'
import { unifyColors } from './obj-colors.ts'
import { cutPolygons, isLong, type Polygon } from './obj-polygons.ts'

export interface CheckedObj {
  /** Text that is safe for three's loader, its vertices relative to `offset`. */
  readonly text: string
  /** Where the mesh is; zeros unless it is far from the origin. */
  readonly offset: Vec3
  /** Whether the file has normals. */
  readonly hasNormals: boolean
  /** Material files named by the text, in order. */
  readonly libraries: readonly string[]
  /** Statements left out because they are not triangles: lines, points, free-form curves and surfaces. */
  readonly ignored: number
  /** What else was left out, one sentence each. */
  readonly problems: readonly string[]
}

/** Beyond these, three's loader ends the program: its arrays have a double for each number of each corner. */
const MOST_LINES = 2 ** 24
const LONGEST_LINE = 2 ** 26
const MOST_TRIANGLES = 2 ** 23
/** Each becomes an object of three. */
const MOST_PARTS = 2 ** 18

/** @throws BadMeshError, BadVertexError, BadIndexError, EmptySceneError */
export function checkObj(source: string, path: string): CheckedObj {
  // A backslash at the end of a line continues it; some writers end the file with NUL characters.
  const text = source.replace(/\0+$/, '').replace(/\\\r?\n/g, ' ')
  if (text.includes('\0')) throw new BadMeshError(path, 'is not an OBJ file: expected text, got binary data')
  checkLines(text, path)
  const lines = text.split(/\r\n|\r|\n/)
  const libraries: string[] = []
  let [vertices, normals, faces, ignored, triangles, parts] = [0, 0, 0, 0, 0, 0]
  let hasColors = false
  const coordinates = new NumberList()
  const long: Polygon[] = []
  lines.forEach((line, i) => {
    const words = line.trim().split(/\s+/)
    const keyword = words[0]!
    if (keyword === 'v') {
      coordinates.push(...checkVertex(words, vertices++, i, path))
      hasColors ||= words.length >= 7
    } else if (keyword === 'f') {
      checkFace(words, faces++, vertices, i, path)
      triangles += words.length - 3
      if (isLong(words)) long.push({ line: i, vertices })
      if (triangles > MOST_TRIANGLES)
        throw new BadMeshError(
          path,
          `line ${i + 1}: expected at most ${MOST_TRIANGLES} triangles, got more; PLY can have them`,
        )
    } else if (keyword === 'vn') normals++
    else if (keyword === 'mtllib') libraries.push(line.trim().slice(6).trim())
    else if (keyword === 'o' || keyword === 'g') parts++
    else if (LEFT_OUT.has(keyword)) {
      ignored++
      lines[i] = ''
    } else if (!PASSED_ON.has(keyword) && !keyword.startsWith('#'))
      throw new BadMeshError(path, `line ${i + 1}: expected an OBJ statement, got '${line.trim().slice(0, 60)}'`)
  })
  if (parts > MOST_PARTS)
    throw new BadMeshError(path, `expected at most ${MOST_PARTS} objects and groups, got ${parts}`)
  if (faces === 0) throw new EmptySceneError(path, `: it has ${vertices} vertices and no faces`)
  cutPolygons(lines, long, coordinates.all(), path)
  const problem = hasColors ? unifyColors(lines) : undefined
  const offset = offsetFor(coordinates.all())
  if (!isZero(offset)) shiftVertices(lines, offset)
  const problems = problem === undefined ? [] : [problem]
  return { text: lines.join('\n'), offset, hasNormals: normals > 0, libraries, ignored, problems }
}

const PASSED_ON: ReadonlySet<string> = new Set(['', 'vt', 's', 'usemtl'])

const LEFT_OUT: ReadonlySet<string> = new Set(
  (
    'l p vp deg bmat step cstype curv curv2 surf parm trim hole scrv sp end con mg bevel c_interp d_interp lod ' +
    'shadow_obj trace_obj ctech stech call csh usemap maplib'
  ).split(' '),
)

/** Subtracts the offset in double precision, before three's loader rounds to single. */
function shiftVertices(lines: string[], offset: Vec3): void {
  lines.forEach((line, i) => {
    const words = line.trim().split(/\s+/)
    if (words[0] !== 'v') return
    const moved = offset.map((each, axis) => Number(words[axis + 1]) - each)
    lines[i] = ['v', ...moved, ...words.slice(4)].join(' ')
  })
}

/** Before they are split. @throws BadMeshError */
function checkLines(text: string, path: string): void {
  const breaks = /\r\n|\r|\n/g
  let [line, start] = [1, 0]
  for (let isLast = false; !isLast; line++) {
    const found = breaks.exec(text)
    isLast = found === null
    if ((found?.index ?? text.length) - start > LONGEST_LINE)
      throw new BadMeshError(path, `line ${line}: expected at most ${LONGEST_LINE} characters, got more`)
    start = breaks.lastIndex
  }
  if (line - 1 > MOST_LINES)
    throw new BadMeshError(path, `expected at most ${MOST_LINES} lines, got ${line - 1}; PLY can have more vertices`)
}

function checkVertex(words: readonly string[], vertex: number, line: number, path: string): number[] {
  const got = words.slice(1, 4)
  const numbers = got.map(Number)
  const spelled = got.some((word, i) => Number.isNaN(numbers[i]) && !/^[+-]?(nan|inf)/i.test(word))
  if (got.length < 3 || spelled)
    throw new BadMeshError(
      path,
      `line ${line + 1}: expected v and three numbers, got '${words.join(' ').slice(0, 60)}'`,
    )
  // Positions become single precision, so an overflow there is infinite too.
  if (!numbers.every(number => Number.isFinite(Math.fround(number)))) throw new BadVertexError(path, vertex, numbers)
  return numbers
}

function checkFace(words: readonly string[], face: number, vertices: number, line: number, path: string): void {
  if (words.length < 4)
    throw new BadMeshError(
      path,
      `line ${line + 1}: expected a face of three corners or more, got '${words.join(' ').slice(0, 60)}'`,
    )
  for (let corner = 1; corner < words.length; corner++) {
    const index = Number.parseInt(words[corner]!, 10)
    const exists = (index >= 1 && index <= vertices) || (index <= -1 && index >= -vertices)
    if (!exists) throw new BadIndexError(path, face, index, `a vertex from 1 to ${vertices} (line ${line + 1})`)
  }
}
