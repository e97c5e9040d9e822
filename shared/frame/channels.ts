/**
 * The channels that a pixel can have, defined only here, from the widest component to the narrowest. A frame buffer has a plane for
 * each of its channels. A tile carries the values of its pixels, packed row by row, channel after channel in the order of this
 * table: so all values are aligned, whatever the number of pixels.
 *
 * `of` says what a channel is computed from, and so which passes over a pixel carry it:
 *
 * - `samples`: a sum over samples, or tables of them; every pass carries the sum of its own, and sums are added exactly, in any order.
 * - `centre`: what the ray through the pixel's centre meets, for a pinhole in the middle of the lens, of surfaces that do not let it pass
 *   (masks do where they are cut out, blends where nothing is left of them); the first pass carries it.
 * - `all`: a function of all samples, which only a single pass can carry.
 */

import { TABLE_ENTRIES } from './coverage-table.ts'

export const CHANNELS = {
  /**
   * Accumulated light: red, green and blue, each an exact sum over samples of weight (`sample-layout.ts`) × radiance, a multiple of 2^-32
   * from 0 to 2^20 (`light/accumulate.ts`), times a scale for exposures far from 1 (`light/sum-scale.ts`). White balance, exposure and
   * tone mapping come after it.
   */
  light: { type: 'f64', components: 3, of: 'samples' },
  /** Light of the second half of the samples alone (`halves.ts`): what is left of `light` is that of the first half. */
  halfLight: { type: 'f64', components: 3, of: 'samples' },
  /** Colour of the surfaces that camera rays hit, a sum like light, from 0 to 1; 0 for rays that hit nothing. */
  albedo: { type: 'f64', components: 3, of: 'samples' },
  /**
   * Unit normal in world space, interpolated between vertices, on the side of the surface that faces the camera; 0 for a miss.
   */
  normal: { type: 'f32', components: 3, of: 'centre' },
  /** The same turned by normal maps, as it shades. */
  mappedNormal: { type: 'f32', components: 3, of: 'centre' },
  /** World position, scene units; 0 for a miss. */
  position: { type: 'f32', components: 3, of: 'centre' },
  /** Distance along the camera's axis, scene units; Infinity for a miss. */
  depth: { type: 'f32', components: 1, of: 'centre' },
  /** Number of the triangle in the scene, plus 1; 0 for a miss. */
  id: { type: 'u32', components: 1, of: 'centre' },
  /** Number of the object (`scene/scene-names.ts`), plus 1; 0 for a miss. */
  objectId: { type: 'u32', components: 1, of: 'centre' },
  /** Number of the material's name, plus 1; 0 for a miss. */
  materialId: { type: 'u32', components: 1, of: 'centre' },
  /**
   * What samples see first that is not smooth, for a denoiser: colour (red, green, blue), normal in world space (n / 2 + 1 / 2) and depth
   * (d / (d + the scene's reach)), as sums of integers from 0 to 65535 each. Of the path tracer alone.
   */
  features: { type: 'u32', components: 7, of: 'samples' },
  /** Those of the second half of the samples. */
  halfFeatures: { type: 'u32', components: 7, of: 'samples' },
  /** What covers the pixel: which objects samples see first, each with how many do (`coverage-table.ts`). Ids as in `objectId`. */
  cryptoObject: { type: 'u32', components: TABLE_ENTRIES, of: 'samples' },
  /** The same of materials, with ids as in `materialId`. */
  cryptoMaterial: { type: 'u32', components: TABLE_ENTRIES, of: 'samples' },
  /** Coverage: how many of the samples hit something. */
  alpha: { type: 'u16', components: 1, of: 'samples' },
  /** Finished colour: balanced, exposed, tone mapped, sRGB. */
  rgb: { type: 'u8', components: 3, of: 'all' },
} as const satisfies Record<string, Channel>

export interface Channel {
  readonly type: ComponentType
  readonly components: number
  readonly of: 'samples' | 'centre' | 'all'
}

export type ChannelName = keyof typeof CHANNELS
export type ComponentType = 'f64' | 'f32' | 'u32' | 'u16' | 'u8'

const ARRAYS = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array } as const
export type ArrayOf<T extends ComponentType> = InstanceType<(typeof ARRAYS)[T]>
/** The values of a channel's pixels. */
export type PlaneOf<C extends ChannelName> = ArrayOf<(typeof CHANNELS)[C]['type']>

export const channelNames = Object.freeze(Object.keys(CHANNELS)) as readonly [ChannelName, ...ChannelName[]]

/** The channels, each once, in the order of the table. */
export const inOrder = (names: Iterable<ChannelName>): ChannelName[] => {
  const wanted = new Set(names)
  return channelNames.filter(name => wanted.has(name))
}

/** Bytes of one pixel of a channel in memory. */
export const bytesPerPixel = (name: ChannelName): number =>
  CHANNELS[name].components * ARRAYS[CHANNELS[name].type].BYTES_PER_ELEMENT

/** Bytes of one pixel of several channels together. */
export const bytesPerPixelOf = (names: readonly ChannelName[]): number =>
  names.reduce((sum, name) => sum + bytesPerPixel(name), 0)

/** Whether a channel's values are tables, which are added in their own way. */
export const hasTables = (name: ChannelName): boolean => name === 'cryptoObject' || name === 'cryptoMaterial'

/** Memory for `pixels` values of a channel, zeroed. */
export const newPlane = <C extends ChannelName>(name: C, pixels: number): PlaneOf<C> =>
  new ARRAYS[CHANNELS[name].type](pixels * CHANNELS[name].components) as unknown as PlaneOf<C>

/** A view of `pixels` values of a channel in a buffer from a byte offset on, which fits the component's size. */
export const planeAt = <C extends ChannelName>(
  name: C,
  buffer: ArrayBufferLike,
  offset: number,
  pixels: number,
): PlaneOf<C> =>
  new ARRAYS[CHANNELS[name].type](
    buffer as ArrayBuffer,
    offset,
    pixels * CHANNELS[name].components,
  ) as unknown as PlaneOf<C>

/** The bytes of each channel of a tile of `pixels` pixels; they share its memory. */
export function splitPlanes(
  names: readonly ChannelName[],
  pixels: number,
  tile: Uint8Array,
): Map<ChannelName, Uint8Array> {
  let at = 0
  return new Map(
    names.map(name => {
      const bytes = tile.subarray(at, at + pixels * bytesPerPixel(name))
      at += bytes.length
      return [name, bytes]
    }),
  )
}
