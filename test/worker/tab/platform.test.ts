/** What a tab packs, a master in Node.js unpacks. */
import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesPerPixelOf, type ChannelName } from '../../../shared/frame/channels.ts'
import { encodeCells } from '../../../shared/protocol/cell-costs.ts'
import { packCells, unpackCells } from '../../../shared/protocol/node/cell-packing.ts'
import { decodeTile, encodeTile } from '../../../shared/protocol/node/pixel-encoding.ts'
import { stored, tabPlatform } from '../../../worker/tab/platform.ts'

describe('a tab', () => {
  it('stores bytes as DEFLATE, however many', () => {
    fc.assert(fc.property(fc.uint8Array(), bytes => void expect(same(bytes)).toBe(true)))
    for (const length of [0, 1, 65534, 65535, 65536, 131070, 131071, 200_000])
      expect(same(new Uint8Array(length).map((_, i) => i * 13))).toBe(true)
  })

  it('packs cells that a master reads as those of other workers', () => {
    const rect = { x: 4, y: 12, w: 300, h: 200 }
    const count = 38 * 26
    const cells = {
      cell: 8,
      costs: Float64Array.from({ length: count }, (_, i) => (i % 17) * 3.5),
      depths: Float32Array.from({ length: count }, (_, i) => (i % 5 === 0 ? Number.POSITIVE_INFINITY : 1 + i)),
    }
    expect(inflateRawSync(tabPlatform.packCells(cells))).toEqual(Buffer.from(encodeCells(cells)))
    expect(unpackCells(tabPlatform.packCells(cells), rect, 8, 12)).toEqual(unpackCells(packCells(cells), rect, 8, 12))
  })

  it('packs channels as other workers do', () => {
    const channels: ChannelName[] = ['light', 'alpha', 'depth']
    const pixels = 24
    const room = new Float64Array((bytesPerPixelOf(channels) * pixels) / 8 + 1).map((_, i) => i / 8)
    const tile = new Uint8Array(room.buffer, 0, bytesPerPixelOf(channels) * pixels)
    const packed = tabPlatform.encodeTile('raw', channels, pixels, tile)
    expect(packed.channelBytes).toEqual(encodeTile('raw', channels, pixels, tile).channelBytes)
    expect(Buffer.compare(decodeTile('raw', channels, pixels, packed), tile)).toBe(0)
  })
})

const same = (bytes: Uint8Array): boolean => Buffer.compare(inflateRawSync(stored(bytes)), bytes) === 0
