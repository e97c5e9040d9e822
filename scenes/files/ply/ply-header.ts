/**
 * The text at the top of a PLY file: which elements follow, how many of each, with which properties.
 * Turk, "The PLY Polygon File Format", Stanford 1994.
 */
import { BadMeshError, TruncatedMeshError } from '../../errors.ts'

export type PlyFormat = 'ascii' | 'binary_little_endian' | 'binary_big_endian'

/** Number types by meaning; a file may use either of two names for each. */
export type PlyType = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64'

export interface PlyProperty {
  readonly name: string
  readonly type: PlyType
  /** Type of the length in front of a list; absent for a scalar. */
  readonly countType?: PlyType
}

export interface PlyElement {
  readonly name: string
  readonly count: number
  readonly properties: readonly PlyProperty[]
}

export interface PlyHeader {
  readonly format: PlyFormat
  readonly elements: readonly PlyElement[]
  /** Images named in comments, as written by MeshLab and Blender. */
  readonly textures: readonly string[]
  /** Offset of the first byte after the header. */
  readonly bodyStart: number
}

/** @throws BadMeshError, TruncatedMeshError */
export function parsePlyHeader(bytes: Uint8Array, path: string): PlyHeader {
  const { lines, bodyStart } = headerLines(bytes, path)
  const bad = (line: string, expected: string) =>
    new BadMeshError(path, `PLY header: expected ${expected}, got '${line.slice(0, 60)}'`)
  let format: PlyFormat | undefined
  const textures: string[] = []
  const elements: { name: string; count: number; properties: PlyProperty[] }[] = []
  for (const line of lines) {
    const words = line.trim().split(/\s+/)
    switch (words[0]) {
      case 'format':
        format = FORMATS.find(known => known === words[1])
        if (!format) throw bad(line, `one of the formats ${FORMATS.join(', ')}`)
        break
      case 'element': {
        const count = Number(words[2])
        if (!words[1] || !words[2] || !Number.isInteger(count) || count < 0) throw bad(line, 'element NAME COUNT')
        elements.push({ name: words[1], count, properties: [] })
        break
      }
      case 'property': {
        const property = parseProperty(words.slice(1))
        const element = elements.at(-1)
        if (!property || !element) throw bad(line, 'property [list COUNT-TYPE] TYPE NAME after an element')
        element.properties.push(property)
        break
      }
      case 'comment':
        if (words[1] === 'TextureFile' && words[2]) textures.push(words.slice(2).join(' ').slice(0, 200))
        break
      case '':
      case 'obj_info':
        break
      default:
        throw bad(line, 'format, comment, element, property or end_header')
    }
  }
  if (!format) throw new BadMeshError(path, 'PLY header: expected a line with the format, got none')
  return { format, elements, textures, bodyStart }
}

const FORMATS: readonly PlyFormat[] = ['ascii', 'binary_little_endian', 'binary_big_endian']

const TYPES: ReadonlyMap<string, PlyType> = new Map([
  ['char', 'i8'],
  ['int8', 'i8'],
  ['uchar', 'u8'],
  ['uint8', 'u8'],
  ['short', 'i16'],
  ['int16', 'i16'],
  ['ushort', 'u16'],
  ['uint16', 'u16'],
  ['int', 'i32'],
  ['int32', 'i32'],
  ['uint', 'u32'],
  ['uint32', 'u32'],
  ['float', 'f32'],
  ['float32', 'f32'],
  ['double', 'f64'],
  ['float64', 'f64'],
])

function parseProperty(words: readonly string[]): PlyProperty | undefined {
  const [countName, typeName, name] = words[0] === 'list' ? words.slice(1) : [undefined, ...words]
  const type = TYPES.get(typeName ?? '')
  const countType = countName === undefined ? undefined : TYPES.get(countName)
  if (!type || !name || (countName !== undefined && !countType)) return undefined
  return countType ? { name, type, countType } : { name, type }
}

/** A header is a few lines of text; a file without one within this many bytes is not a PLY file. */
const LONGEST_HEADER_BYTES = 1 << 16

function headerLines(bytes: Uint8Array, path: string): { lines: string[]; bodyStart: number } {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, LONGEST_HEADER_BYTES))
  if (!/^ply\s/.test(text)) throw new BadMeshError(path, "is not a PLY file: expected it to begin with 'ply'")
  const end = /(?:\r\n|\r|\n)end_header[ \t]*(\r\n|\r|\n)/.exec(text)
  if (!end) throw new TruncatedMeshError(path, 'a PLY header', "got no line 'end_header'")
  return { lines: text.slice(3, end.index).split(/\r\n|\r|\n/), bodyStart: end.index + end[0].length }
}
