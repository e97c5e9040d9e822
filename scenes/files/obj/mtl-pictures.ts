/**
 * Pictures of the materials of an OBJ file as textures. One that cannot be had is told once, however many materials use it, and they
 * are shown without it.
 */
import { ClampToEdgeWrapping, NoColorSpace, RepeatWrapping, SRGBColorSpace, Texture, TextureSource } from 'three'
import { messageOf } from '../../../shared/errors.ts'
import { isOpaque } from '../../../shared/scene/texture.ts'
import { printable } from '../../../shared/text/printable.ts'
import { MOST_FILE_BYTES, type SceneFolder } from '../folders/scene-folder.ts'
import { isNormalMap, luminance, normalsOf } from '../pictures/height-map.ts'
import type { Picture } from '../pictures/picture.ts'
import { PictureDecoder } from '../pictures/picture-decoder.ts'
import type { Channel, MtlMap } from './mtl-map.ts'

interface Normals {
  readonly texture: Texture
  /** Factor of its slopes: `normalScale`. */
  readonly scale: number
}

interface Opacity {
  readonly texture: Texture
  /** Whether each texel is either there or not. */
  readonly isMask: boolean
}

export class MtlPictures {
  readonly #folder: SceneFolder
  readonly #decoder = new PictureDecoder()
  /** By name, and by what is made of it. */
  readonly #known = new Map<string, Promise<Picture | undefined>>()
  readonly #sources = new Map<Picture, TextureSource<Picture>>()
  readonly #steepness = new Map<Picture, number>()
  readonly #masks = new Map<Picture, boolean>()
  readonly problems: string[] = []

  constructor(folder: SceneFolder) {
    this.#folder = folder
  }

  get decoded(): PictureDecoder['decoded'] {
    return this.#decoder.decoded
  }

  /** Opaque: only `map_d` is about opacity, and three would multiply it by that of the colours. */
  async color(map: MtlMap | undefined): Promise<Texture | undefined> {
    const whole = map && (await this.#picture(map.file))
    const picture = whole && (await this.#made(map.file, 'opaque', async () => this.#opaque(whole)))
    if (!picture) return undefined
    const texture = this.#texture(picture, map)
    texture.colorSpace = SRGBColorSpace
    return texture
  }

  /** One number per texel. Without `-imfchan`, three takes the channel that it takes of pictures with several of them. */
  async share(map: MtlMap | undefined): Promise<Texture | undefined> {
    const picture = map && (await this.#channel(map.file, map.channel))
    return picture && this.#texture(picture, map)
  }

  /** Without `-imfchan`, the opacity of a picture that has some, the luminance of others. */
  async opacity(map: MtlMap | undefined): Promise<Opacity | undefined> {
    const whole = map && (await this.#picture(map.file))
    if (!whole) return undefined
    const picture = await this.#channel(map.file, map.channel ?? (isOpaque(whole.data) ? 'l' : 'm'))
    if (!picture) return undefined
    const isMask = this.#masks.get(picture) ?? picture.data.every(share => share === 0 || share === 255)
    this.#masks.set(picture, isMask)
    return { texture: this.#texture(picture, map), isMask }
  }

  async normals(map: MtlMap | undefined): Promise<Normals | undefined> {
    const picture = map && (await this.#picture(map.file))
    return picture && { texture: this.#texture(picture, map), scale: map.bumps }
  }

  /** Of heights, unless there are normals in the picture. */
  async bumps(map: MtlMap | undefined): Promise<Normals | undefined> {
    const heights = map && (await this.#picture(map.file))
    if (!heights) return undefined
    const normals = await this.#made(map.file, map.clamped ? 'clamped bumps' : 'bumps', async () => {
      if (isNormalMap(heights)) return heights
      this.#decoder.reserve(heights.data.length)
      const { picture, steepness } = normalsOf(heights, map.clamped)
      this.#steepness.set(picture, steepness)
      return picture
    })
    if (!normals) return undefined
    return { texture: this.#texture(normals, map), scale: map.bumps / (this.#steepness.get(normals) ?? 1) }
  }

  #picture(file: string): Promise<Picture | undefined> {
    return this.#made(file, '', async () => this.#decoder.decode(await this.#folder.read(file, MOST_FILE_BYTES)))
  }

  async #channel(file: string, channel: Channel | undefined): Promise<Picture | undefined> {
    const picture = await this.#picture(file)
    if (!picture || channel === undefined) return picture
    return this.#made(file, channel, async () => {
      if (channel !== 'm' && isGrey(picture)) return picture
      this.#decoder.reserve(picture.data.length)
      return { ...picture, data: grey(picture.data, channel) }
    })
  }

  #opaque(picture: Picture): Picture {
    if (isOpaque(picture.data)) return picture
    this.#decoder.reserve(picture.data.length)
    return { ...picture, data: picture.data.map((byte, at) => (at % 4 === 3 ? 255 : byte)) }
  }

  #made(file: string, what: string, make: () => Promise<Picture>): Promise<Picture | undefined> {
    const key = `${what}\n${file}`
    const made =
      this.#known.get(key) ??
      make().catch((error: unknown) => {
        const why = messageOf(error).split('\n')[0]!
        this.problems.push(`picture '${printable(file)}' is not shown: ${why}`)
        return undefined
      })
    this.#known.set(key, made)
    return made
  }

  #texture(picture: Picture, { scale, offset, clamped }: MtlMap): Texture {
    const source = this.#sources.get(picture) ?? new TextureSource(picture)
    this.#sources.set(picture, source)
    const texture = new Texture()
    texture.source = source
    texture.colorSpace = NoColorSpace
    texture.wrapS = clamped ? ClampToEdgeWrapping : RepeatWrapping
    texture.wrapT = texture.wrapS
    texture.repeat.set(...scale)
    texture.offset.set(...offset)
    return texture
  }
}

function isGrey({ data }: Picture): boolean {
  for (let at = 0; at < data.length; at += 4) if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return true
}

const PLACES: Readonly<Record<string, number>> = { r: 0, g: 1, b: 2, m: 3 }

/** A channel in all of them, opaque. */
function grey(data: Uint8Array, channel: Channel): Uint8Array {
  const place = PLACES[channel]
  const made = new Uint8Array(data.length)
  for (let at = 0; at < data.length; at += 4) {
    made.fill(place === undefined ? luminance(data, at) : data[at + place]!, at, at + 3)
    made[at + 3] = 255
  }
  return made
}
