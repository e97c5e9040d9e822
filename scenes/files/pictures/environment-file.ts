/**
 * Reads photographed environments, Radiance HDR and OpenEXR, through three's loaders. Their headers and lengths are checked first:
 * the HDR loader fills what is missing of a truncated file with black, and both allocate what a header declares.
 */
import { stat } from 'node:fs/promises'
import { DataTexture, EquirectangularReflectionMapping, FloatType, RGBAFormat } from 'three'
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js'
import { HDRLoader } from 'three/addons/loaders/HDRLoader.js'
import { readRegular } from '../../../shared/node/regular-file.ts'
import { MAX_ENVIRONMENT } from '../../../shared/scene/look-schema.ts'
import {
  EnvironmentFileError,
  SceneFileIsFolderError,
  SceneFileMissingError,
  SceneFileUnreadableError,
} from '../../errors.ts'

/** Room for the largest picture, uncompressed, as EXR stores it in half floats. */
const MAX_FILE_BYTES = 2 ** 30

/**
 * The file as an equirectangular texture of finite floats, RGBA; `flipY` tells whether its first row is the top.
 * Rejects with EnvironmentFileError, SceneFileMissingError, SceneFileIsFolderError or SceneFileUnreadableError.
 */
export async function readEnvironment(path: string): Promise<DataTexture> {
  const bytes = await readBytes(path)
  const kind = kindOf(bytes)
  if (!kind) throw new EnvironmentFileError(path, 'expected a Radiance HDR or OpenEXR picture, got something else')
  const [width, height] = kind === 'hdr' ? checkHdr(bytes, path) : checkExr(bytes, path)
  let data: unknown
  let flipY: boolean
  try {
    const loader = kind === 'hdr' ? new HDRLoader() : new EXRLoader()
    const read = loader.setDataType(FloatType).parse(bytes.buffer)
    data = read.data
    flipY = kind === 'hdr'
  } catch (error) {
    const problem = error instanceof RangeError ? 'it is truncated' : String(error).replace(/^.*Loader: /, '')
    throw new EnvironmentFileError(path, `cannot be decoded: ${problem}`, { cause: error })
  }
  if (!(data instanceof Float32Array) || data.length !== width * height * 4)
    throw new EnvironmentFileError(path, 'expected channels of red, green and blue')
  for (let i = 0; i < data.length; i++)
    if (data[i]! - data[i]! !== 0 && i % 4 !== 3) {
      const pixel = Math.floor(i / 4)
      const at = `column ${pixel % width} of row ${Math.floor(pixel / width)}`
      throw new EnvironmentFileError(path, `expected finite numbers, got ${data[i]} in ${at}`)
    }
  const texture = new DataTexture(data, width, height, RGBAFormat, FloatType, EquirectangularReflectionMapping)
  texture.flipY = flipY
  return texture
}

async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' || error.code === 'ENOTDIR'
      ? new SceneFileMissingError(path)
      : new SceneFileUnreadableError(path, error)
  })
  if (found.isDirectory()) throw new SceneFileIsFolderError(path)
  if (found.size > MAX_FILE_BYTES)
    throw new EnvironmentFileError(path, `expected at most ${MAX_FILE_BYTES} bytes, got ${found.size}`)
  const bytes = await readRegular(path).catch((error: unknown) => {
    throw new SceneFileUnreadableError(path, error)
  })
  // A copy: the loaders take a whole buffer, and small files share one.
  return Uint8Array.from(bytes)
}

function kindOf(bytes: Uint8Array): 'hdr' | 'exr' | undefined {
  if (bytes[0] === 0x23 && bytes[1] === 0x3f) return 'hdr' // #?
  return bytes[0] === 0x76 && bytes[1] === 0x2f && bytes[2] === 0x31 && bytes[3] === 0x01 ? 'exr' : undefined
}

type PictureSize = readonly [width: number, height: number]

function checkedSize(width: number, height: number, path: string): PictureSize {
  const [most, mostRows] = MAX_ENVIRONMENT
  if (width >= 1 && height >= 1 && width <= most && height <= mostRows) return [width, height]
  throw new EnvironmentFileError(path, `expected a picture of at most ${most} × ${mostRows}, got ${width} × ${height}`)
}

/** A header is a few lines of text. */
const LONGEST_HEADER_BYTES = 1 << 16

function checkHdr(bytes: Uint8Array, path: string): PictureSize {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, LONGEST_HEADER_BYTES))
  const size = /\n\s*-Y\s+(\d+)\s+\+X\s+(\d+)\s*?\n/.exec(text)
  if (!size || !/\n\s*FORMAT=32-bit_rle_rgbe\s*\n/.test(text.slice(0, size.index + 1)))
    throw new EnvironmentFileError(
      path,
      'expected a header with FORMAT=32-bit_rle_rgbe and a size such as -Y 512 +X 1024',
    )
  const [width, height] = checkedSize(Number(size[2]), Number(size[1]), path)
  const rows = hdrRows(bytes.subarray(size.index + size[0].length), width, height)
  if (rows < height) throw new EnvironmentFileError(path, `the file is truncated: expected ${height} rows, got ${rows}`)
  return [width, height]
}

/** How many complete rows there are, at most `height`. What is wrong otherwise is left to the loader. */
function hdrRows(data: Uint8Array, width: number, height: number): number {
  const isCompressed = width >= 8 && width <= 0x7fff && data[0] === 2 && data[1] === 2 && data[2]! < 128
  if (!isCompressed) return Math.min(height, Math.floor(data.length / (width * 4)))
  let at = 0
  for (let row = 0; row < height; row++) {
    at += 4
    // Runs: a count above 128 repeats one byte, others are followed by as many.
    for (let done = 0; done < width * 4; ) {
      const count = data[at]
      if (count === undefined) return row
      // A run of nothing: the loader says so.
      if (count === 0) return height
      done += count > 128 ? count - 128 : count
      at += count > 128 ? 2 : 1 + count
    }
    if (at > data.length) return row
  }
  return height
}

/** Attributes of a header: name, type (both end with 0), size, value. An empty name ends it. */
function checkExr(bytes: Uint8Array, path: string): PictureSize {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const DEEP_OR_MULTI_PART = 0x18
  if (bytes.length < 8 || (bytes[5]! & DEEP_OR_MULTI_PART) !== 0)
    throw new EnvironmentFileError(path, 'expected a flat picture of one part')
  let at = 8
  const word = (): string | undefined => {
    const end = bytes.indexOf(0, at)
    if (end < 0 || end - at > 255) return undefined
    const text = new TextDecoder('latin1').decode(bytes.subarray(at, end))
    at = end + 1
    return text
  }
  for (let name = word(); name !== undefined && name !== ''; name = word()) {
    const type = word()
    if (type === undefined || at + 4 > bytes.length) break
    const size = view.getUint32(at, true)
    at += 4
    if (at + size > bytes.length) break
    if (name === 'dataWindow' && type === 'box2i' && size === 16) {
      const [left, top, right, bottom] = [0, 4, 8, 12].map(field => view.getInt32(at + field, true))
      return checkedSize(right! - left! + 1, bottom! - top! + 1, path)
    }
    at += size
  }
  throw new EnvironmentFileError(path, 'the file is truncated: expected a header with a dataWindow')
}
