/** Writes small PLY files for tests. */

export interface PlyParts {
  readonly vertices: readonly (readonly (number | string)[])[]
  readonly faces: readonly (readonly number[])[]
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const header = (format: string, { vertices, faces }: PlyParts): string =>
  `ply\nformat ${format} 1.0\nelement vertex ${vertices.length}\nproperty float x\nproperty float y\nproperty float z\n` +
  `element face ${faces.length}\nproperty list uchar int vertex_indices\nend_header\n`

export const textPly = (parts: PlyParts): string =>
  header('ascii', parts) +
  parts.vertices.map(vertex => `${vertex.join(' ')}\n`).join('') +
  parts.faces.map(face => `${face.length} ${face.join(' ')}\n`).join('')

export function binaryPly(parts: PlyParts, littleEndian: boolean): Uint8Array {
  const head = bytesOf(header(littleEndian ? 'binary_little_endian' : 'binary_big_endian', parts))
  const faceBytes = parts.faces.reduce((sum, face) => sum + 1 + face.length * 4, 0)
  const bytes = new Uint8Array(head.length + parts.vertices.length * 12 + faceBytes)
  bytes.set(head)
  const view = new DataView(bytes.buffer)
  let at = head.length
  for (const vertex of parts.vertices)
    for (const value of vertex) {
      view.setFloat32(at, Number(value), littleEndian)
      at += 4
    }
  for (const face of parts.faces) {
    view.setUint8(at++, face.length)
    for (const index of face) {
      view.setInt32(at, index, littleEndian)
      at += 4
    }
  }
  return bytes
}

/** An element of any properties. */
export interface PlyTable {
  readonly name: string
  /** Type, with `list uchar` or the like in front for a list, and name. */
  readonly properties: readonly (readonly [type: string, name: string])[]
  readonly rows: readonly (readonly (number | readonly number[])[])[]
}

export type Format = 'ascii' | 'binary_little_endian' | 'binary_big_endian'
export const FORMATS: readonly Format[] = ['ascii', 'binary_little_endian', 'binary_big_endian']

export function plyOf(format: Format, tables: readonly PlyTable[]): Uint8Array {
  const head = tables.map(
    ({ name, properties, rows }) =>
      `element ${name} ${rows.length}\n${properties.map(([type, name]) => `property ${type} ${name}\n`).join('')}`,
  )
  const start = bytesOf(`ply\nformat ${format} 1.0\n${head.join('')}end_header\n`)
  const flat = (cell: number | readonly number[]) => (typeof cell === 'number' ? [cell] : [cell.length, ...cell])
  const lines = tables.flatMap(({ rows }) => rows.map(row => `${row.flatMap(flat).join(' ')}\n`))
  if (format === 'ascii') return Uint8Array.of(...start, ...bytesOf(lines.join('')))
  const body: number[] = []
  const put = (type: string, value: number) => {
    const view = new DataView(new ArrayBuffer(8))
    const [bytes, write] = WRITERS[type]!
    write.call(view, 0, value, format === 'binary_little_endian')
    body.push(...new Uint8Array(view.buffer, 0, bytes))
  }
  for (const { properties, rows } of tables)
    for (const row of rows)
      for (const [column, cell] of row.entries()) {
        const types = properties[column]![0].split(' ')
        if (typeof cell === 'number') put(types[0]!, cell)
        else {
          put(types[1]!, cell.length)
          for (const item of cell) put(types[2]!, item)
        }
      }
  return Uint8Array.of(...start, ...body)
}

type Write = (this: DataView, at: number, value: number, littleEndian: boolean) => void
const { prototype } = DataView

/** Bytes of a type, and the function that writes it. */
const WRITERS: Readonly<Record<string, readonly [number, Write]>> = {
  char: [1, prototype.setInt8],
  uchar: [1, prototype.setUint8],
  short: [2, prototype.setInt16],
  ushort: [2, prototype.setUint16],
  int: [4, prototype.setInt32],
  uint: [4, prototype.setUint32],
  float: [4, prototype.setFloat32],
  double: [8, prototype.setFloat64],
}
