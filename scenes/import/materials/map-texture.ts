/**
 * three's textures as plain ones. Only those whose pixels are in memory as RGBA bytes can be used, as of a `DataTexture`: there is no
 * decoder of pictures here, as there is in a browser.
 */
import {
  ClampToEdgeWrapping,
  MirroredRepeatWrapping,
  NearestFilter,
  RGBAFormat,
  SRGBColorSpace,
  type Texture as ThreeTexture,
  UnsignedByteType,
  type Wrapping,
} from 'three'
import {
  isOpaque,
  MAX_TEXTURE_FACTOR,
  MAX_TEXTURE_SIDE,
  TEXEL_BYTES,
  type Texture,
  type TextureFacts,
  type TextureUse,
  type Wrap,
} from '../../../shared/scene/texture.ts'

/** What was made of pictures: kept from one import of a scene to the next, as long as they say that they are the same. */
export type TextureMemo = WeakMap<object, MadeOfPicture>

interface MadeOfPicture {
  readonly version: number
  readonly data: unknown
  readonly changed: boolean
  readonly textures: Map<string, Texture>
  seeThrough?: boolean
}

/** Collects textures: uses of one picture in one way share a number. */
export class TextureTable {
  readonly textures: Texture[] = []
  readonly #numbers = new Map<Texture, number>()
  readonly #memo: TextureMemo

  constructor(memo: TextureMemo = new WeakMap()) {
    this.#memo = memo
  }

  /** Absent for a texture that cannot be used: `obstacleOf` says why. */
  useOf(texture: ThreeTexture): TextureUse | undefined {
    if (obstacleOf(texture) !== undefined) return undefined
    const set = texture.channel === 1 ? 1 : 0
    return { texture: this.#numberOf(texture, pixelsOf(texture)!), set, transform: transformOf(texture) }
  }

  /** Whether any texel of a texture that can be used lets light through. */
  hasOpacity(texture: ThreeTexture): boolean {
    if (obstacleOf(texture) !== undefined) return false
    const made = this.#madeOf(texture)
    made.seeThrough ??= !isOpaque(pixelsOf(texture)!.data)
    return made.seeThrough
  }

  #numberOf(texture: ThreeTexture, { data, width, height }: Pixels): number {
    const { wrapS, wrapT, colorSpace, magFilter } = texture
    const facts: TextureFacts = {
      width,
      height,
      wrapU: wrapOf(wrapS),
      wrapV: wrapOf(wrapT),
      srgb: colorSpace === SRGBColorSpace,
      nearest: magFilter === NearestFilter,
    }
    const key = JSON.stringify(facts)
    const { textures, changed } = this.#madeOf(texture)
    // What has changed once may change again: its own bytes would not be as they were.
    const mapped = textures.get(key) ?? { ...facts, texels: changed ? data.slice() : data }
    textures.set(key, mapped)
    const known = this.#numbers.get(mapped) ?? this.textures.push(mapped) - 1
    this.#numbers.set(mapped, known)
    return known
  }

  #madeOf({ source }: ThreeTexture): MadeOfPicture {
    const { version, data } = source as { version: number; data: unknown }
    const known = this.#memo.get(source)
    if (known && known.version === version && known.data === data) return known
    const made = { version, data, changed: known !== undefined, textures: new Map() }
    this.#memo.set(source, made)
    return made
  }
}

/** Why a texture cannot be used, as the rest of a sentence about it; undefined if it can. */
export function obstacleOf(texture: ThreeTexture): string | undefined {
  if (texture.channel > 1) return 'uses another set of texture coordinates than the first two'
  if (texture.format !== RGBAFormat || texture.type !== UnsignedByteType || !pixelsOf(texture))
    return 'has no pixels in memory as RGBA bytes'
  if (!transformOf(texture).every(factor => Math.abs(factor) <= MAX_TEXTURE_FACTOR))
    return `is moved or repeated by more than ${MAX_TEXTURE_FACTOR}`
  return undefined
}

interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

export function pixelsOf({ image }: ThreeTexture): Pixels | undefined {
  if (typeof image !== 'object' || image === null) return undefined
  const { data, width, height } = image as Partial<Record<'data' | 'width' | 'height', unknown>>
  if (!isSide(width) || !isSide(height)) return undefined
  const bytes = data instanceof Uint8ClampedArray ? new Uint8Array(data.buffer, data.byteOffset, data.length) : data
  return bytes instanceof Uint8Array && bytes.length === width * height * TEXEL_BYTES
    ? { data: bytes, width, height }
    : undefined
}

const isSide = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_TEXTURE_SIDE

function wrapOf(wrapping: Wrapping): Wrap {
  if (wrapping === ClampToEdgeWrapping) return 'clamp'
  return wrapping === MirroredRepeatWrapping ? 'mirror' : 'repeat'
}

/** From a vertex's coordinates to those of the picture, whose first row is at the top here, and at the bottom where three flips it. */
function transformOf(texture: ThreeTexture): TextureUse['transform'] {
  if (texture.matrixAutoUpdate) texture.updateMatrix()
  // Adding 0 leaves no −0.
  const [a, d, , b, e, , c, f] = texture.matrix.elements.map(each => each + 0) as unknown as Eight
  return texture.flipY ? [a, b, c, 0 - d, 0 - e, 1 - f] : [a, b, c, d, e, f]
}

type Eight = [number, number, number, number, number, number, number, number]
