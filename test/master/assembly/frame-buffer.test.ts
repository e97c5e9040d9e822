import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameBuffer, MisplacedTileError } from '../../../master/assembly/frame-buffer.ts'
import type { Rect, Size } from '../../../shared/rect.ts'
import { anySize, partitionOf } from '../../support/partition.ts'

/** The pixels of a rectangle of a picture in which every byte tells where it is. */
const cutOut = ([w]: Size, { x, y, w: tileW, h }: Rect): Uint8Array =>
  Uint8Array.from({ length: tileW * h * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3)
    return (((y + Math.floor(pixel / tileW)) * w + x + (pixel % tileW)) * 3 + (i % 3)) % 251
  })

describe('FrameBuffer', () => {
  it('puts the tiles of any partition, in any order, together again', () => {
    fc.assert(
      fc.property(
        anySize.chain(size =>
          partitionOf(size, 12).chain(rects =>
            fc.tuple(fc.constant(size), fc.shuffledSubarray(rects, { minLength: rects.length })),
          ),
        ),
        ([size, rects]) => {
          const frame = new FrameBuffer(size)
          for (const rect of rects) frame.blit({ rect }, cutOut(size, rect))
          expect(frame.missing).toBe(0)
          expect(frame.pixels).toEqual(cutOut(size, { x: 0, y: 0, w: size[0], h: size[1] }))
        },
      ),
    )
  })

  it('refuses any pixel a second time and leaves the frame as it was', () => {
    const frame = new FrameBuffer([70, 10])
    const first = { x: 30, y: 2, w: 40, h: 3 }
    frame.blit({ rect: first }, cutOut([70, 10], first))
    const before = frame.pixels.slice()
    expect(() => frame.blit({ rect: { x: 0, y: 4, w: 31, h: 2 } }, new Uint8Array(31 * 2 * 3))).toThrow(
      MisplacedTileError,
    )
    expect(frame.pixels).toEqual(before)
    expect(frame.missing).toBe(700 - 120)
  })

  it('refuses a tile that reaches outside', () => {
    const frame = new FrameBuffer([128, 64])
    expect(() => frame.blit({ rect: { x: 96, y: 0, w: 64, h: 64 } }, new Uint8Array(64 * 64 * 3))).toThrow(
      'tile 96,0 64x64 lies outside frame 128x64',
    )
  })
})
