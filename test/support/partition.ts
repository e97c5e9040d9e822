/** Whether tiles partition a frame, and tiles that do. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { FrameBuffer } from '../../master/assembly/frame-buffer.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { frameRect, type Rect, type Size, splitRect } from '../../shared/rect.ts'

/** Fails unless every pixel of the frame is in exactly one of the tiles, and each is integer and not empty. */
export function expectPartition(tiles: readonly PixelSet[], size: Size): void {
  const arrival = new FrameBuffer(size)
  for (const tile of tiles) {
    const { rect } = tile
    expect([rect.x, rect.y, rect.w, rect.h].every(Number.isInteger)).toBe(true)
    expect(pixelCount(tile)).toBeGreaterThan(0)
    arrival.blit(tile, new Uint8Array(pixelCount(tile) * 3))
  }
  expect(arrival.missing).toBe(0)
}

/** A random partition of a frame by guillotine cuts, in at most `most` rectangles. */
export const partitionOf = (size: Size, most: number): fc.Arbitrary<Rect[]> =>
  fc
    .array(fc.tuple(fc.nat(), fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: most - 1 })
    .map(cuts =>
      cuts.reduce<Rect[]>(
        (rects, [which, across, at]) => {
          const index = which % rects.length
          const rect = rects[index]!
          const axis = across ? 'x' : 'y'
          const length = axis === 'x' ? rect.w : rect.h
          if (length < 2) return rects
          const cut = 1 + Math.min(length - 2, Math.floor(at * (length - 1)))
          return rects.toSpliced(index, 1, ...splitRect(rect, axis, cut))
        },
        [frameRect(size)],
      ),
    )

/** Frame sizes with the awkward ones among them. */
export const anySize: fc.Arbitrary<Size> = fc.oneof(
  fc.constantFrom<Size>([1, 1], [1, 7], [13, 1], [2, 2], [3, 5], [97, 61], [64, 48]),
  fc.tuple(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 90 })),
)
