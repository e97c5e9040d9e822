/** Images on surfaces, as glTF has them: rows from the top, (0, 0) is the upper left corner of the first texel. */

export const WRAPS = ['repeat', 'clamp', 'mirror'] as const
/** What continues an image beyond its edges. */
export type Wrap = (typeof WRAPS)[number]

export const MAX_TEXTURE_SIDE = 16384
/** Largest number of a transform. */
export const MAX_TEXTURE_FACTOR = 1e6

/** Everything but the texels. */
export interface TextureFacts {
  /** 1 to MAX_TEXTURE_SIDE. */
  readonly width: number
  readonly height: number
  readonly wrapU: Wrap
  readonly wrapV: Wrap
  /** Whether red, green and blue are sRGB; opacity never is. */
  readonly srgb: boolean
  /** Whether each texel shows as a square, instead of being mixed with its neighbours. */
  readonly nearest: boolean
}

export interface Texture extends TextureFacts {
  /** RGBA8, by rows from the top. */
  readonly texels: Uint8Array
}

/** A texture at a place: its coordinates are (a u + b v + c, d u + e v + f) of a vertex's. */
export interface TextureUse {
  /** Index into the scene's textures. */
  readonly texture: number
  /** Which of a vertex's coordinates: 0 is `uv`, 1 is `uv2`. */
  readonly set: 0 | 1
  /** a, b, c, d, e, f. */
  readonly transform: readonly [number, number, number, number, number, number]
}

export const TEXEL_BYTES = 4

/** Whether no texel, RGBA8, lets light through. */
export function isOpaque(texels: Uint8Array): boolean {
  for (let at = 3; at < texels.length; at += TEXEL_BYTES) if (texels[at] !== 255) return false
  return true
}

export const texelBytes = ({ width, height }: TextureFacts): number => width * height * TEXEL_BYTES

export const factsOf = ({ width, height, wrapU, wrapV, srgb, nearest }: TextureFacts): TextureFacts => ({
  width,
  height,
  wrapU,
  wrapV,
  srgb,
  nearest,
})
