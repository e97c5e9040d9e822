/** Decodes Draco meshes for three's GLTFLoader. three's DRACOLoader is not used: it needs a browser's workers. */
import type { Attribute, Decoder, DecoderModule, Mesh, Status } from 'draco3dgltf'
import { BufferAttribute, BufferGeometry } from 'three'
import type { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js'
import { SKIN_ATTRIBUTES } from '../../import/motion/skin-weights.ts'

/** What GLTFLoader calls of a DRACOLoader. */
export interface DracoLoader {
  preload(): void
  decodeDracoFile(
    data: ArrayBuffer,
    done: (geometry: BufferGeometry) => void,
    /** Numbers of attributes in the data, by their names in three. */
    numbers: Readonly<Record<string, number>>,
    types: Readonly<Record<string, string>>,
    colorSpace: unknown,
    failed: (error: unknown) => void,
  ): void
}

/** As it is since Draco 1.5; its types are those of 1.4. */
type ArrayDecoder = Omit<Decoder, 'GetEncodedGeometryType'> & {
  GetEncodedGeometryType(bytes: Int8Array): unknown
  DecodeArrayToMesh(bytes: Int8Array, length: number, mesh: Mesh): Status
}

/** Loads the decoder, 250 kB of WebAssembly. */
export async function dracoLoader(): Promise<DRACOLoader> {
  const { default: draco } = await import('draco3dgltf')
  const module = await draco.createDecoderModule({ print: () => {}, printErr: () => {} })
  const loader: DracoLoader = {
    preload: () => {},
    decodeDracoFile: (data, done, numbers, types, _, failed) => {
      try {
        done(decode(module, data, numbers, types))
      } catch (error) {
        failed(error)
      }
    },
  }
  return loader as unknown as DRACOLoader
}

function decode(
  module: DecoderModule,
  data: ArrayBuffer,
  numbers: Readonly<Record<string, number>>,
  types: Readonly<Record<string, string>>,
): BufferGeometry {
  const decoder = new module.Decoder() as unknown as ArrayDecoder
  const mesh = new module.Mesh()
  try {
    const bytes = new Int8Array(data)
    if (decoder.GetEncodedGeometryType(bytes) !== module.TRIANGULAR_MESH) throw new Error('expected a Draco mesh')
    const status = decoder.DecodeArrayToMesh(bytes, bytes.length, mesh)
    if (!status.ok() || mesh.ptr === 0) throw new Error(`expected a Draco mesh: ${status.error_msg()}`)
    const geometry = new BufferGeometry()
    const corners = mesh.num_faces() * 3
    const indices = copied(module, corners * 4, (bytes, at) => decoder.GetTrianglesUInt32Array(mesh, bytes, at))
    geometry.setIndex(new BufferAttribute(new Uint32Array(indices), 1))
    for (const [name, number] of Object.entries(numbers)) {
      const attribute = decoder.GetAttributeByUniqueId(mesh, number)
      if ((attribute as { ptr?: number }).ptr === 0)
        throw new Error(`expected a Draco attribute ${number} for ${name}, got none`)
      const type = types[name] ?? 'Float32Array'
      geometry.setAttribute(name, attributeOf(module, { decoder, mesh, attribute }, name, type))
    }
    return geometry
  } finally {
    module.destroy(mesh)
    module.destroy(decoder)
  }
}

/** Of attributes, by their names in three: their readers trust that. */
const LEAST_COMPONENTS: Readonly<Record<string, number>> = {
  position: 3,
  normal: 3,
  tangent: 4,
  uv: 2,
  uv1: 2,
  color: 3,
  ...Object.fromEntries(SKIN_ATTRIBUTES.map(name => [name, 4])),
}

const ARRAYS = { Int8Array, Uint8Array, Int16Array, Uint16Array, Uint32Array, Float32Array }

function attributeOf(
  module: DecoderModule,
  { decoder, mesh, attribute }: { decoder: ArrayDecoder; mesh: Mesh; attribute: Attribute },
  three: string,
  type: string,
): BufferAttribute {
  const dataTypes = {
    Int8Array: module.DT_INT8,
    Uint8Array: module.DT_UINT8,
    Int16Array: module.DT_INT16,
    Uint16Array: module.DT_UINT16,
    Uint32Array: module.DT_UINT32,
    Float32Array: module.DT_FLOAT32,
  }
  const name = type as keyof typeof ARRAYS
  const size = attribute.num_components()
  if (size < (LEAST_COMPONENTS[three] ?? 1))
    throw new Error(
      `expected at least ${LEAST_COMPONENTS[three]} numbers per vertex for ${three} in Draco data, got ${size}`,
    )
  const length = mesh.num_points() * size * ARRAYS[name].BYTES_PER_ELEMENT
  const values = copied(module, length, (bytes, at) =>
    decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, dataTypes[name], bytes, at),
  )
  return new BufferAttribute(new ARRAYS[name](values), size)
}

/** Bytes that the module writes into its memory. */
function copied(module: DecoderModule, bytes: number, write: (bytes: number, at: number) => void): ArrayBuffer {
  const at = module._malloc(bytes)
  if (at === 0) throw new Error(`expected a smaller Draco mesh, there is no memory for ${bytes} bytes`)
  try {
    write(bytes, at)
    return module.HEAPF32.buffer.slice(at, at + bytes) as ArrayBuffer
  } finally {
    module._free(at)
  }
}
