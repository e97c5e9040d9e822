/**
 * The channels that a pixel can have, defined only here. A frame buffer has a plane for each of its channels; a tile carries the
 * values of its pixels packed row by row, channel after channel in the order in which they were requested.
 */

export const CHANNELS = {
  /** Finished colour: tone mapped, sRGB. */
  rgb: { type: 'u8', components: 3 },
  /**
   * Accumulated light: red, green and blue, each an exact sum over samples of exposure × share of the pixel × radiance,
   * a multiple of 2^-32 from 0 to 2^20 (`light/accumulate.ts`). Sums of any passes over a pixel may be added in any order.
   */
  light: { type: 'f64', components: 3 },
} as const satisfies Record<string, { readonly type: ComponentType; readonly components: number }>

export type ChannelName = keyof typeof CHANNELS
export type ComponentType = 'u8' | 'f64'

const BYTES: Readonly<Record<ComponentType, number>> = { u8: 1, f64: 8 }

export const channelNames = Object.freeze(Object.keys(CHANNELS)) as readonly [ChannelName, ...ChannelName[]]

/** Bytes of one pixel of a channel in memory. */
export const bytesPerPixel = (name: ChannelName): number => CHANNELS[name].components * BYTES[CHANNELS[name].type]
