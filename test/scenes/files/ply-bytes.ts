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
