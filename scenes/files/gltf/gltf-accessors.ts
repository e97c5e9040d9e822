/**
 * Reads accessors: numbers in the bytes of a glTF file, of any integer type or floats, side by side or interleaved, with replaced
 * elements if they are sparse, in buffer views that may be compressed. Every read is checked against the bytes that are there.
 */
import { BufferAttribute } from 'three'
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js'
import { messageOf } from '../../../shared/errors.ts'
import { BadMeshError, TruncatedMeshError } from '../../errors.ts'
import type { GltfBuffers } from './gltf-files.ts'
import { ELEMENTS, type Gltf, type GltfAccessor } from './gltf-schema.ts'

/** Most bytes of all that is decoded: more than a scene that fits into a kernel's memory has. */
const MOST_BYTES = 2 ** 31
/** Most bytes of accessors that have none in the file: zeros are cheap to ask for. */
const MOST_ZEROS = 2 ** 28
/** Most that a byte of meshopt data can stand for, with some to spare: 256 values in each of four channels. */
const MOST_PER_BYTE = 2048

const ARRAYS = {
  5120: Int8Array,
  5121: Uint8Array,
  5122: Int16Array,
  5123: Uint16Array,
  5125: Uint32Array,
  5126: Float32Array,
} as const
type Numbers = InstanceType<(typeof ARRAYS)[keyof typeof ARRAYS]>

export class GltfAccessors {
  readonly #document: Gltf
  readonly #buffers: GltfBuffers
  readonly #path: string
  readonly #views = new Map<number, Promise<Uint8Array>>()
  #bytes = 0
  #zeros = 0

  constructor(document: Gltf, buffers: GltfBuffers, path: string) {
    this.#document = document
    this.#buffers = buffers
    this.#path = path
  }

  /** Its own copy. Rejects with BadMeshError or TruncatedMeshError. */
  async read(number: number): Promise<BufferAttribute> {
    const accessor = this.#document.accessors[number]!
    const { type, componentType, count, normalized = false, sparse } = accessor
    const owner = `accessor ${number}`
    const size = ELEMENTS[type]
    const bytes = count * size * ARRAYS[componentType].BYTES_PER_ELEMENT
    this.#spend(owner, bytes, accessor.bufferView === undefined)
    const values = new ARRAYS[componentType](count * size)
    if (accessor.bufferView !== undefined) {
      const view = this.#document.bufferViews[accessor.bufferView]!
      const at = { offset: accessor.byteOffset ?? 0, stride: view.byteStride }
      take(values, size, await this.view(accessor.bufferView), at, problem => this.#cut(owner, problem))
    }
    if (sparse) await this.#replace(values, accessor, owner)
    return new BufferAttribute(values, size, normalized)
  }

  /** The bytes of a buffer view, decompressed: borrowed. Rejects with BadMeshError or TruncatedMeshError. */
  view(number: number): Promise<Uint8Array> {
    const known = this.#views.get(number) ?? this.#open(number)
    this.#views.set(number, known)
    return known
  }

  async #open(number: number): Promise<Uint8Array> {
    const { buffer, byteOffset = 0, byteLength, extensions = {} } = this.#document.bufferViews[number]!
    const packed = extensions.EXT_meshopt_compression ?? extensions.KHR_meshopt_compression
    const owner = `buffer view ${number}`
    if (!packed) return this.#part(owner, buffer, byteOffset, byteLength)
    const source = await this.#part(owner, packed.buffer, packed.byteOffset ?? 0, packed.byteLength)
    const { count, byteStride, mode, filter } = packed
    const bytes = count * byteStride
    if (bytes > MOST_PER_BYTE * source.length)
      throw new BadMeshError(
        this.#path,
        `${owner}: expected meshopt data for ${bytes} bytes, got ${source.length} bytes`,
      )
    if (mode === 'ATTRIBUTES' ? byteStride % 4 !== 0 : byteStride !== 2 && byteStride !== 4)
      throw new BadMeshError(
        this.#path,
        `${owner}: expected another stride than ${byteStride} of meshopt ${mode.toLowerCase()}`,
      )
    this.#spend(owner, bytes, false)
    try {
      return await MeshoptDecoder.decodeGltfBufferAsync(count, byteStride, source, mode, filter ?? 'NONE')
    } catch (error) {
      throw new BadMeshError(this.#path, `${owner}: expected meshopt data: ${messageOf(error)}`, { cause: error })
    }
  }

  async #part(owner: string, buffer: number, offset: number, length: number): Promise<Uint8Array> {
    const bytes = await this.#buffers.read(buffer)
    if (offset + length > bytes.length)
      throw this.#cut(owner, `bytes ${offset} to ${offset + length} of buffer ${buffer}, which has ${bytes.length}`)
    return bytes.subarray(offset, offset + length)
  }

  async #replace(values: Numbers, { type, componentType, count, sparse }: GltfAccessor, owner: string): Promise<void> {
    const { indices, values: replaced } = sparse!
    const size = ELEMENTS[type]
    if (sparse!.count > count)
      throw new BadMeshError(this.#path, `${owner}: expected at most ${count} sparse elements, got ${sparse!.count}`)
    const places = new ARRAYS[indices.componentType](sparse!.count)
    const into = new ARRAYS[componentType](sparse!.count * size)
    const cut = (what: string) => (problem: string) => this.#cut(`${owner}, sparse ${what}`, problem)
    const start = ({ byteOffset = 0 }: { byteOffset?: number }) => ({ offset: byteOffset, stride: undefined })
    take(places, 1, await this.view(indices.bufferView), start(indices), cut('indices'))
    take(into, size, await this.view(replaced.bufferView), start(replaced), cut('values'))
    places.forEach((place, i) => {
      if (place >= count)
        throw new BadMeshError(this.#path, `${owner}: expected sparse elements below ${count}, got ${place}`)
      values.set(into.subarray(i * size, (i + 1) * size), place * size)
    })
  }

  #spend(owner: string, bytes: number, isZero: boolean): void {
    this.#bytes += bytes
    if (isZero) this.#zeros += bytes
    if (this.#bytes > MOST_BYTES || this.#zeros > MOST_ZEROS)
      throw new BadMeshError(
        this.#path,
        `${owner}: expected at most ${isZero ? `${MOST_ZEROS} bytes of zeros` : `${MOST_BYTES} bytes of data`} in all, got more`,
      )
  }

  #cut(owner: string, problem: string): TruncatedMeshError {
    return new TruncatedMeshError(this.#path, `${owner} within its bytes`, `it needs ${problem}`)
  }
}

/** Fills `values`, elements of `size` numbers, from `bytes`, little-endian. */
function take(
  values: Numbers,
  size: number,
  bytes: Uint8Array,
  { offset, stride }: { offset: number; stride: number | undefined },
  refuse: (problem: string) => Error,
): void {
  const { BYTES_PER_ELEMENT: each } = values
  const elementBytes = size * each
  const step = stride ?? elementBytes
  const count = values.length / size
  const end = offset + step * (count - 1) + elementBytes
  if (step < elementBytes) throw refuse(`steps of ${elementBytes} bytes, not ${step}`)
  if (end > bytes.length) throw refuse(`${end} bytes, and there are ${bytes.length}`)
  const target = new Uint8Array(values.buffer)
  if (step === elementBytes) target.set(bytes.subarray(offset, end))
  else
    for (let i = 0, at = offset; i < count; i++, at += step)
      for (let byte = 0; byte < elementBytes; byte++) target[i * elementBytes + byte] = bytes[at + byte]!
}
