/** The channels of a tile as they travel: each is packed by itself. */
import { CHANNELS, type ChannelName, splitPlanes } from '../frame/channels.ts'
import { packLight } from './light-planes.ts'

/** The packed channels of a tile, one after the other; `channelBytes` as in `TileDone`. */
export interface EncodedTile {
  readonly body: Uint8Array
  readonly channelBytes?: readonly number[]
}

/** Packs the channels of a tile of `pixels` pixels. @param pack packs bytes of any kind, or returns the very array that it is given */
export function encodeTileWith(
  pack: (plain: Uint8Array) => Uint8Array,
  channels: readonly ChannelName[],
  pixels: number,
  tile: Uint8Array,
): EncodedTile {
  if (channels.length === 1) return { body: pack(plainChannel(channels[0]!, tile)) }
  const planes = splitPlanes(channels, pixels, tile)
  const pieces = channels.map(channel => pack(plainChannel(channel, planes.get(channel)!)))
  const body = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return { body, channelBytes: pieces.slice(0, -1).map(({ length }) => length) }
}

/** A channel's components as bytes to be packed (f64: little-endian at a multiple of 8). */
export const plainChannel = (channel: ChannelName, pixels: Uint8Array): Uint8Array =>
  CHANNELS[channel].type === 'f64' ? packLight(doublesOf(pixels)) : pixels

const doublesOf = ({ buffer, byteOffset, length }: Uint8Array): Float64Array =>
  new Float64Array(buffer, byteOffset, length / Float64Array.BYTES_PER_ELEMENT)
