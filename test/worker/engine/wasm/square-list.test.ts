import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forEachRun, type PixelSet } from '../../../../shared/frame/pixel-set.ts'
import type { Size } from '../../../../shared/frame/rect.ts'
import { SquareList } from '../../../../worker/engine/wasm/square-list.ts'
import { pixelSetOf } from '../../../support/pixel-sets.ts'

const size: Size = [150, 70]

/** What the kernel makes of a list: the place among the packed pixels of each pixel (y · width + x), and the lists' lengths. */
function readLists(list: SquareList, set: PixelSet): { places: Map<number, number>; lengths: number[]; count: number } {
  const places = new Map<number, number>()
  const lengths: number[] = []
  const count = list.forEach(set, listed => {
    let turn = 0
    for (let square = 0; square < listed.squares; square++) {
      const [x, y, low, high] = listed.words.subarray(square * 4, square * 4 + 4)
      if (x! % 8 !== 0 || y! % 8 !== 0) throw new RangeError('a square off the grid')
      for (let bit = 0; bit < 64; bit++) {
        if ((((bit < 32 ? low! : high!) >>> (bit & 31)) & 1) === 0) continue
        const [column, row] = [0, 1].map(
          axis => ((bit >> axis) & 1) | ((bit >> (axis + 1)) & 2) | ((bit >> (axis + 2)) & 4),
        )
        places.set((y! + row!) * size[0] + x! + column!, listed.places[turn++]!)
      }
    }
    lengths.push(turn, listed.squares)
    if (turn !== listed.pixels) throw new RangeError('another number of pixels')
  })
  return { places, lengths, count }
}

describe('a list of squares', () => {
  it('holds the pixels of a set, each with its place, in portions that the kernel takes', () => {
    const list = new SquareList(256)
    fc.assert(
      fc.property(pixelSetOf(size), set => {
        const { places, lengths, count } = readLists(list, set)
        let packed = 0
        let right = true
        forEachRun(set, (left, y, length) => {
          for (let x = left; x < left + length; x++) right &&= places.get(y * size[0] + x) === packed++
        })
        return right && places.size === packed && count === packed && lengths.every(length => length <= 256)
      }),
      { numRuns: 300 },
    )
  })

  it('fills portions however sparse the pixels are', () => {
    const pattern = { kind: 'lattice', stepX: 8, stepY: 8, dx: 4, dy: 4 } as const
    const lengths: number[] = []
    new SquareList(4096).forEach({ rect: { x: 0, y: 0, w: 1280, h: 720 }, pattern }, ({ pixels }) =>
      lengths.push(pixels),
    )
    expect(lengths).toEqual([4033, 4033, 4033, 2301])
    const portions: number[] = []
    const take = ({ pixels }: { pixels: number }) => portions.push(pixels)
    new SquareList(4096).forEach({ rect: { x: 0, y: 0, w: 32, h: 16 } }, take, 200)
    expect(portions).toEqual([192, 192, 128])
  })
})
