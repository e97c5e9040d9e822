import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CellMask } from '../../../shared/frame/cell-mask.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { pixelPatternSchema } from '../../../shared/frame/pixel-set-schema.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import { pixelSetOf } from '../../support/pixel-sets.ts'

const size: Size = [90, 61]

const pixelsOf = (set: PixelSet): string[] => {
  const pixels: string[] = []
  forEachRun(set, (left, y, length) => {
    for (let x = left; x < left + length; x++) pixels.push(`${x},${y}`)
  })
  return pixels
}

/** Marks about this share of the cells, by their numbers. */
const someCells = fc
  .tuple(fc.constantFrom(4, 8, 13), fc.constantFrom(0, 1, 3, 7, 10), fc.nat(1000))
  .map(([cell, tenths, seed]) => new CellMask(size, cell, (i, j) => (i * 31 + j * 17 + i * j + seed) % 10 < tenths))

describe('a mask of cells', () => {
  it('leaves those pixels of a set that are in its cells, and a pattern that may be sent', () => {
    fc.assert(
      fc.property(
        pixelSetOf(size).filter(({ pattern }) => pattern?.kind !== 'mask'),
        someCells,
        (set, mask) => {
          const kept = pixelsOf(set).filter(pixel => {
            const [x, y] = pixel.split(',').map(Number) as [number, number]
            return mask.has(Math.floor(x / mask.cell), Math.floor(y / mask.cell))
          })
          const within = mask.within(set)
          expect(within ? pixelsOf(within) : []).toEqual(kept)
          if (within?.pattern) expect(pixelPatternSchema.parse(within.pattern)).toEqual(within.pattern)
        },
      ),
    )
  })

  it('knows how many pixels it has, at the edges of the frame, too', () => {
    fc.assert(
      fc.property(someCells, mask => {
        const within = mask.within({ rect: frameRect(size) })
        expect(mask.pixels).toBe(within ? pixelCount(within) : 0)
        expect(mask.isEmpty).toBe(within === undefined)
      }),
    )
  })

  it('of a mask within it is that mask', () => {
    const wide = new CellMask(size, 8, (i, j) => (i + j) % 2 === 0)
    const narrow = new CellMask(size, 8, (i, j) => (i + j) % 4 === 0)
    const rule = { kind: 'lattice', stepX: 3, stepY: 2, dx: 1, dy: 0 } as const
    const set = { rect: { x: 5, y: 3, w: 70, h: 40 }, pattern: rule, worker: 'a' }
    expect(narrow.within(wide.within(set)!)).toEqual(narrow.within(set))
    expect(narrow.within(set)).toMatchObject({ worker: 'a', pattern: { kind: 'mask', of: rule } })
  })

  it('is no pattern where all cells of a rectangle are in it', () => {
    const left = new CellMask(size, 8, i => i < 4)
    expect(left.within({ rect: { x: 3, y: 5, w: 60, h: 20 } })).toEqual({ rect: { x: 3, y: 5, w: 29, h: 20 } })
  })
})
