/** Small glTF files that tests write themselves. */

/** A document in the making: any of it may be wrong. */
// biome-ignore lint/suspicious/noExplicitAny: tests break it in every way
export type AnyGltf = any

export interface GltfParts {
  readonly document: AnyGltf
  readonly body: Uint8Array
}

export type Numbers = Float32Array | Uint32Array | Uint16Array | Int16Array | Uint8Array | Int8Array

/** Joins arrays into one buffer with a view of each. */
export function viewsOf(...arrays: readonly Numbers[]) {
  const bufferViews: object[] = []
  const parts: Uint8Array[] = []
  let at = 0
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bufferViews.push({ buffer: 0, byteOffset: at, byteLength })
    const padded = new Uint8Array(Math.ceil(byteLength / 4) * 4)
    padded.set(new Uint8Array(buffer, byteOffset, byteLength))
    parts.push(padded)
    at += padded.length
  }
  return { bufferViews, body: Uint8Array.from(parts.flatMap(part => [...part])) }
}

export const FLOAT = 5126
export const USHORT = 5123

/** One triangle with corners 0,0,0 1,0,0 0,1,0 in a node: accessor 0 positions, 1 indices. */
export function triangle(change: (document: AnyGltf) => void = () => {}): GltfParts {
  const { bufferViews, body } = viewsOf(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint16Array.of(0, 1, 2))
  const document: AnyGltf = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name: 'sail' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: FLOAT, count: 3, type: 'VEC3' },
      { bufferView: 1, componentType: USHORT, count: 3, type: 'SCALAR' },
    ],
    bufferViews,
    buffers: [{ byteLength: body.length }],
  }
  change(document)
  return { document, body }
}

/** A binary glTF file. */
export function glb({ document, body }: GltfParts): Uint8Array {
  const text = Buffer.from(JSON.stringify(document))
  const json = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')])
  const header = Buffer.alloc(20)
  header.write('glTF')
  header.writeUInt32LE(2, 4)
  header.writeUInt32LE(28 + json.length + body.length, 8)
  header.writeUInt32LE(json.length, 12)
  header.write('JSON', 16)
  const chunk = Buffer.alloc(8)
  chunk.writeUInt32LE(body.length, 0)
  chunk.write('BIN\0', 4)
  return Buffer.concat([header, json, chunk, body])
}

/** The same as text, with its bytes inside. */
export function gltfText({ document, body }: GltfParts): string {
  const [buffer] = document.buffers
  const uri = `data:application/octet-stream;base64,${Buffer.from(body).toString('base64')}`
  return JSON.stringify({ ...document, buffers: [{ ...buffer, uri }, ...document.buffers.slice(1)] })
}
