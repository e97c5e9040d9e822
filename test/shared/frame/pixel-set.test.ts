import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forEachRun, type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { type Size, splitRect } from '../../../shared/frame/rect.ts'
import { picks, pixelSetOf } from '../../support/pixel-sets.ts'

const size: Size = [90, 60]

/** The pixels of a set, y · width + x each, in their packed order. */
function pixelsOf(set: PixelSet): number[] {
  const pixels: number[] = []
  forEachRun(set, (left, y, length) => {
    for (let x = left; x < left + length; x++) pixels.push(y * size[0] + x)
  })
  return pixels
}

function pixelsByDefinition({ rect, pattern }: PixelSet): number[] {
  const pixels: number[] = []
  for (let y = rect.y; y < rect.y + rect.h; y++)
    for (let x = rect.x; x < rect.x + rect.w; x++) if (picks(pattern, x, y)) pixels.push(y * size[0] + x)
  return pixels
}

const equal = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((v, i) => v === b[i])

describe('a set of pixels', () => {
  it('has the pixels that its pattern picks, row by row from left to right', () => {
    fc.assert(
      fc.property(pixelSetOf(size), set => equal(pixelsOf(set), pixelsByDefinition(set))),
      { numRuns: 500 },
    )
  })

  it('comes in runs as long as they can be, and knows how many pixels it has', () => {
    fc.assert(
      fc.property(pixelSetOf(size), set => {
        let [endX, endY, count, apart] = [-1, -1, 0, true]
        forEachRun(set, (x, y, length) => {
          apart &&= length > 0 && (y > endY || x > endX)
          endX = x + length
          endY = y
          count += length
        })
        return apart && count === pixelCount(set)
      }),
    )
  })

  it('can be cut like its rectangle', () => {
    fc.assert(
      fc.property(pixelSetOf(size), fc.constantFrom('x' as const, 'y' as const), fc.nat(), (set, axis, where) => {
        const length = axis === 'x' ? set.rect.w : set.rect.h
        if (length < 2) return true
        const halves = splitRect(set.rect, axis, 1 + (where % (length - 1))).map(rect => pixelsOf({ ...set, rect }))
        return equal(
          halves.flat().sort((a, b) => a - b),
          pixelsOf(set),
        )
      }),
    )
  })

  it('is dealt out whole by the phases of a comb, and by a lattice with its gaps', () => {
    const rect = { x: 3, y: 5, w: 71, h: 44 }
    const all = pixelsOf({ rect })
    const joined = (sets: readonly PixelSet[]) => sets.flatMap(pixelsOf).sort((a, b) => a - b)
    for (const [cellW, cellH] of [
      [1, 1],
      [90, 1],
      [16, 16],
    ] as const) {
      const strided = { kind: 'strided', cellW, cellH, columns: Math.ceil(90 / cellW), stride: 7 } as const
      const phases = Array.from({ length: 7 }, (_, phase) => ({ rect, pattern: { ...strided, phase } }))
      expect(joined(phases)).toEqual(all)
    }
    const lattice = { stepX: 8, stepY: 8, dx: 4, dy: 4 }
    const both = (['lattice', 'gaps'] as const).map(kind => ({ rect, pattern: { kind, ...lattice } }))
    expect(joined(both)).toEqual(all)
  })
})
