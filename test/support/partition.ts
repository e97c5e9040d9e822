/** Whether tiles partition a frame, and tiles that do. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { partitionFault } from '../../master/strategies/plan-fault.ts'
import { type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { frameRect, type Rect, type Size, splitRect } from '../../shared/frame/rect.ts'

/** Fails unless every pixel of the frame is in exactly one of the tiles, and each is integer and not empty. */
export const expectPartition = (tiles: readonly PixelSet[], size: Size): void =>
  expect(partitionFault(tiles, size)).toBeUndefined()

/** The same of a frame that was made in several passes, whose tiles come one pass after the other. */
export function expectPartitions(tiles: readonly PixelSet[], size: Size, passes: number): void {
  const rest = [...tiles]
  for (let pass = 0; pass < passes; pass++) {
    let pixels = 0
    const end = rest.findIndex(tile => {
      pixels += pixelCount(tile)
      return pixels >= size[0] * size[1]
    })
    expectPartition(rest.splice(0, end + 1), size)
  }
  expect(rest).toEqual([])
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
