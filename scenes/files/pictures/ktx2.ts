/**
 * Pictures in KTX2 containers: Basis Universal data (ETC1S or UASTC), which `KHR_texture_basisu` asks for, and plain bytes. Only the
 * largest level is decoded. Formats of graphics cards, such as BC7, are not.
 */
import { MAX_TEXTURE_SIDE, TEXEL_BYTES } from '../../../shared/scene/texture.ts'
import { basisTranscoder, type Transcode } from './basis-transcoder.ts'
import type { Picture } from './picture.ts'

/** «KTX 20» and a line end in several conventions. */
const MAGIC = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]

export const isKtx2 = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte)

// u8 magic[12] | u32 format, type size, width, height, depth, layers, faces, levels, scheme | places of what is not read here
// | largest level: u64 offset, length, length when decompressed | other levels …
const FIELDS_AT = 12
const LEVEL_AT = 80
const HEADER_BYTES = 104

/** Vulkan's numbers: channels of the formats with a byte per channel, linear or sRGB. */
const PLAIN_CHANNELS: Readonly<Record<number, number>> = { 9: 1, 15: 1, 16: 2, 22: 2, 23: 3, 29: 3, 37: 4, 43: 4 }
const UNDEFINED = 0
const SCHEMES = ['none', 'BasisLZ', 'Zstandard', 'ZLIB']
const [NONE, , ZSTANDARD] = SCHEMES.keys()
/** UASTC has 16 bytes for each block of 4 × 4 texels. */
const [BLOCK, BLOCK_BYTES] = [4, 16]

export class Ktx2Decoder {
  /** Loaded for the first picture that needs it, and dropped after one that it failed on: its memory may hold anything then. */
  #transcoder: Promise<Transcode> | undefined

  /** @param reserve as in `decodePicture`. Rejects with what is wrong */
  async decode(bytes: Uint8Array, reserve: (bytes: number) => void): Promise<Picture> {
    const header = headerOf(bytes)
    const { width, height, format } = header
    if (format !== UNDEFINED) return { data: plain(bytes, header, reserve), width, height }
    // The transcoder would allocate whatever the file says that it decompresses to.
    const blocks = Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK)
    if (header.scheme === ZSTANDARD && header.unpacked !== blocks * BLOCK_BYTES)
      throw new Error(`expected ${blocks * BLOCK_BYTES} bytes of UASTC data, got ${header.unpacked}`)
    reserve(width * height * TEXEL_BYTES)
    return { data: await this.#transcode(bytes, width * height * TEXEL_BYTES), width, height }
  }

  async #transcode(bytes: Uint8Array, expected: number): Promise<Uint8Array> {
    let loading: Promise<Transcode>
    let transcode: Transcode
    do {
      this.#transcoder ??= basisTranscoder()
      loading = this.#transcoder
      transcode = await loading
    } while (loading !== this.#transcoder)
    try {
      const data = transcode(bytes)
      if (data.length === expected) return data
    } catch {
      this.#transcoder = undefined
    }
    throw new Error('its KTX2 data is damaged, or not ETC1S or UASTC')
  }
}

interface Header {
  readonly format: number
  readonly width: number
  readonly height: number
  readonly scheme: number
  /** Of the largest level. */
  readonly offset: number
  readonly length: number
  readonly unpacked: number
}

function headerOf(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES) throw new Error('its KTX2 header is cut off')
  const field = (number: number) => view.getUint32(FIELDS_AT + 4 * number, true)
  const size = (number: number) => Number(view.getBigUint64(LEVEL_AT + 8 * number, true))
  const [format, width, height, depth, layers, faces, scheme] = [0, 2, 3, 4, 5, 6, 8].map(field) as unknown as Fields
  if (width < 1 || height < 1 || depth > 0 || layers > 1 || faces !== 1)
    throw new Error('expected one flat picture in KTX2, got a line, a volume, a cube or several')
  if (Math.max(width, height) > MAX_TEXTURE_SIDE)
    throw new Error(`expected at most ${MAX_TEXTURE_SIDE} px a side, got ${width} × ${height}`)
  const [offset, length, unpacked] = [size(0), size(1), size(2)]
  if (offset + length > bytes.length) throw new Error('its KTX2 data is cut off')
  return { format, width, height, scheme, offset, length, unpacked }
}

type Fields = readonly [number, number, number, number, number, number, number]

/** Absent channels are black, an absent opacity is 1, as on graphics cards. */
function plain(bytes: Uint8Array, header: Header, reserve: (bytes: number) => void): Uint8Array {
  const { format, width, height, scheme, offset, length } = header
  const channels = PLAIN_CHANNELS[format]
  if (channels === undefined)
    throw new Error(`expected KTX2 with ETC1S, UASTC or plain bytes, got format ${format} of Vulkan`)
  if (scheme !== NONE) throw new Error(`expected plain KTX2 data, got it packed with ${SCHEMES[scheme] ?? scheme}`)
  const texels = width * height
  if (length !== texels * channels) throw new Error(`expected ${texels * channels} bytes of KTX2 data, got ${length}`)
  reserve(texels * TEXEL_BYTES)
  const data = new Uint8Array(texels * TEXEL_BYTES)
  for (let texel = 0, from = offset; texel < texels; texel++) {
    const to = texel * TEXEL_BYTES
    data[to + 3] = 255
    for (let channel = 0; channel < channels; channel++) data[to + channel] = bytes[from++]!
  }
  return data
}
