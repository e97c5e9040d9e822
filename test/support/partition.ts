/** Whether tiles partition a frame, and tiles that do. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { contains, formatRect, frameRect, type Rect, type Size, splitRect } from '../../shared/rect.ts'

/** What is wrong with tiles that should partition a frame: every pixel in exactly one, each integer and not empty. */
export function partitionFault(tiles: readonly PixelSet[], [w, h]: Size): string | undefined {
  const owned = new Uint8Array(w * h)
  for (const tile of tiles) {
    const { rect } = tile
    if (![rect.x, rect.y, rect.w, rect.h].every(Number.isInteger)) return `${formatRect(rect)} is not integer`
    if (!contains(frameRect([w, h]), rect)) return `${formatRect(rect)} is outside the frame`
    let pixels = 0
    let twice = 0
    forEachRun(tile, (x, y, length) => {
      pixels += length
      for (let i = y * w + x; i < y * w + x + length; i++) twice += owned[i]!++
    })
    if (pixels === 0) return `${formatRect(rect)} has no pixels`
    if (twice > 0) return `${twice} pixels of ${formatRect(rect)} are in two tiles`
  }
  const missing = owned.indexOf(0)
  return missing < 0 ? undefined : `pixel ${missing % w},${Math.floor(missing / w)} is in no tile`
}

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
