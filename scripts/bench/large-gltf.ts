/**
 * A glTF file as large as those that people have: two halves of a hilly square with normals and texture coordinates, each with a
 * picture of its own. With 2.5 million triangles and pictures of 4096 px it has 100 MB, of which the pictures are a third.
 */
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import sharp from 'sharp'
import { hash32 } from '../../shared/math/random.ts'

export interface LargeGltf {
  readonly triangles: number
  readonly bytes: number
}

const FLOAT = 5126
const UINT = 5125
/** Targets of a buffer view. */
const VERTICES = 34962
const INDICES = 34963

/** @param side of each picture, px */
export async function writeLargeGltf(path: string, triangles: number, side: number): Promise<LargeGltf> {
  const squares = Math.max(1, Math.round(Math.sqrt(triangles / 4)))
  const grid = { columns: squares, rows: squares }
  const document = new Document()
  for (const half of [0, 1]) {
    const { positions, normals, uvs } = hills(grid, half)
    document.add(positions, normals, uvs, gridIndices(grid), await picture(side, half))
  }
  return { triangles: 4 * squares * squares, bytes: await document.write(path) }
}

interface Grid {
  readonly columns: number
  readonly rows: number
}

/** One half of the square, whose height is a sum of sines. */
function hills({ columns, rows }: Grid, half: number): Record<'positions' | 'normals' | 'uvs', Float32Array> {
  const count = (columns + 1) * (rows + 1)
  const positions = new Float32Array(count * 3)
  const normals = new Float32Array(count * 3)
  const uvs = new Float32Array(count * 2)
  for (let j = 0, i = 0; j <= rows; j++) {
    for (let column = 0; column <= columns; column++, i++) {
      const [u, v] = [column / columns, j / rows]
      const [x, z] = [half - 1 + u, 2 * v - 1]
      positions.set([x, 0.2 * Math.sin(9 * x) * Math.cos(7 * z) + 0.02 * Math.sin(80 * x * z), z], i * 3)
      const slopeX = 1.8 * Math.cos(9 * x) * Math.cos(7 * z) + 1.6 * z * Math.cos(80 * x * z)
      const slopeZ = -1.4 * Math.sin(9 * x) * Math.sin(7 * z) + 1.6 * x * Math.cos(80 * x * z)
      const length = Math.hypot(slopeX, 1, slopeZ)
      normals.set([-slopeX / length, 1 / length, -slopeZ / length], i * 3)
      uvs.set([u, v], i * 2)
    }
  }
  return { positions, normals, uvs }
}

function gridIndices({ columns, rows }: Grid): Uint32Array {
  const indices = new Uint32Array(columns * rows * 6)
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at += 6) {
      const corner = row * (columns + 1) + column
      const below = corner + columns + 1
      indices.set([corner, below, corner + 1, corner + 1, below, below + 1], at)
    }
  }
  return indices
}

/** Noise over a pattern: a JPEG of nearly eight bits per pixel. */
function picture(side: number, seed: number): Promise<Buffer> {
  const texels = Buffer.alloc(side * side * 3)
  for (let at = 0; at < texels.length; at++) texels[at] = 64 + 48 * Math.sin(at / 997) + (hash32(at, seed) & 127)
  return sharp(texels, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** A binary glTF file in the making. */
class Document {
  readonly #views: object[] = []
  readonly #accessors: object[] = []
  readonly #primitives: object[] = []
  readonly #images: object[] = []
  readonly #pieces: Uint8Array[] = []
  #bytes = 0

  /** Adds a mesh with a picture on it. */
  add(
    positions: Float32Array,
    normals: Float32Array,
    uvs: Float32Array,
    indices: Uint32Array,
    image: Uint8Array,
  ): void {
    const attributes = {
      POSITION: this.#accessor(positions, 3, VERTICES, bounds(positions)),
      NORMAL: this.#accessor(normals, 3, VERTICES),
      TEXCOORD_0: this.#accessor(uvs, 2, VERTICES),
    }
    const number = this.#primitives.length
    this.#primitives.push({ attributes, indices: this.#accessor(indices, 1, INDICES), material: number })
    this.#images.push({ bufferView: this.#view(image), mimeType: 'image/jpeg' })
  }

  #accessor(values: Float32Array | Uint32Array, size: 1 | 2 | 3, target: number, more: object = {}): number {
    return (
      this.#accessors.push({
        bufferView: this.#view(values, target),
        count: values.length / size,
        ...more,
        componentType: values instanceof Float32Array ? FLOAT : UINT,
        type: size === 1 ? 'SCALAR' : `VEC${size}`,
      }) - 1
    )
  }

  #view({ buffer, byteOffset, byteLength }: ArrayBufferView, target?: number): number {
    const padding = (4 - (byteLength % 4)) % 4
    this.#pieces.push(new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(padding))
    const view = { buffer: 0, byteOffset: this.#bytes, byteLength, ...(target === undefined ? {} : { target }) }
    this.#bytes += byteLength + padding
    return this.#views.push(view) - 1
  }

  async write(path: string): Promise<number> {
    const json = Buffer.from(
      JSON.stringify({
        asset: { version: '2.0' },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: this.#primitives }],
        materials: this.#images.map((_, index) => ({
          pbrMetallicRoughness: { baseColorTexture: { index }, metallicFactor: 0, roughnessFactor: 0.8 },
        })),
        textures: this.#images.map((_, source) => ({ source })),
        images: this.#images,
        accessors: this.#accessors,
        bufferViews: this.#views,
        buffers: [{ byteLength: this.#bytes }],
      }),
    )
    const text = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, ' ')])
    const total = 12 + 8 + text.length + 8 + this.#bytes
    const head = Buffer.alloc(20)
    head.write('glTF')
    head.writeUInt32LE(2, 4)
    head.writeUInt32LE(total, 8)
    head.writeUInt32LE(text.length, 12)
    head.write('JSON', 16)
    const middle = Buffer.alloc(8)
    middle.writeUInt32LE(this.#bytes, 0)
    middle.write('BIN\0', 4)
    const file = createWriteStream(path)
    for (const piece of [head, text, middle, ...this.#pieces]) file.write(piece)
    file.end()
    await finished(file)
    return total
  }
}

function bounds(positions: Float32Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  positions.forEach((value, i) => {
    min[i % 3] = Math.min(min[i % 3]!, value)
    max[i % 3] = Math.max(max[i % 3]!, value)
  })
  return { min, max }
}
