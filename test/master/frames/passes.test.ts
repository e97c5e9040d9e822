import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adaptivePasses, latticeOf, probeTiles, withoutLattice } from '../../../master/frames/passes.ts'
import type { AreaShare } from '../../../master/strategies/strategy.ts'
import { type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { frameRect } from '../../../shared/frame/rect.ts'
import { areaId } from '../../../shared/ids.ts'
import { anySize, expectPartition, partitionOf } from '../../support/partition.ts'

const workersOf = (speeds: readonly number[]): AreaShare[] => speeds.map((speed, i) => ({ id: areaId(`w${i}`), speed }))

const pixelsOf = (tiles: readonly PixelSet[]) => tiles.reduce((sum, tile) => sum + pixelCount(tile), 0)

describe('a probe', () => {
  it('and the tiles without it make a whole frame, whatever the tiles', () => {
    fc.assert(
      fc.property(
        anySize.chain(size => fc.tuple(fc.constant(size), partitionOf(size, 7))),
        fc.constantFrom(4, 8, 16, 32),
        fc.array(fc.constantFrom(0.25, 0.5, 1, 1), { minLength: 1, maxLength: 12 }),
        ([size, rects], cell, speeds) => {
          const probe = probeTiles(frameRect(size), workersOf(speeds), cell)
          const rest = withoutLattice(
            rects.map(rect => ({ rect })),
            latticeOf(cell),
          )
          expectPartition([...probe, ...rest], size)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('looks at one pixel of each cell and gives each of eight workers its eighth', () => {
    const tiles = probeTiles(frameRect([640, 512]), workersOf(Array(8).fill(1)), 8)
    expect(tiles.map(pixelCount)).toEqual(Array(8).fill(640))
    expect(new Set(tiles.map(tile => tile.worker)).size).toBe(8)
    expect(pixelsOf(tiles)).toBe(80 * 64)
  })

  it('gives slow workers less, and those of speed 0 nothing', () => {
    const speeds = [1, 1, 1, 1, 0.5, 0.5, 0.25, 0.25, 0]
    const tiles = probeTiles(frameRect([640, 1760]), workersOf(speeds), 8)
    const shares = workersOf(speeds).map(({ id }) => pixelsOf(tiles.filter(tile => tile.worker === id)))
    expect(shares).toEqual([4, 4, 4, 4, 2, 2, 1, 1, 0].map(parts => parts * 800))
  })

  it('serves more workers than the frame has rows of cells as far as it goes', () => {
    const tiles = probeTiles(frameRect([64, 24]), workersOf(Array(10).fill(1)), 8)
    expect(tiles).toHaveLength(3)
    expect(pixelsOf(tiles)).toBe(24)
  })
})

describe('the passes of an adaptive frame', () => {
  it('take as many samples as all before them, up to the most', () => {
    const ranges = (samples: number) => adaptivePasses(samples, false).map(({ samples: { from, to } }) => [from, to])
    expect(ranges(128)).toEqual([
      [0, 16],
      [16, 32],
      [32, 64],
      [64, 128],
    ])
    expect(ranges(100)).toEqual([
      [0, 16],
      [16, 32],
      [32, 64],
      [64, 100],
    ])
    expect(ranges(32)).toEqual([
      [0, 16],
      [16, 32],
    ])
    const pixels = (probe: boolean) => adaptivePasses(64, probe).map(pass => pass.pixels)
    expect(pixels(false)).toEqual(['all', 'open', 'open'])
    expect(pixels(true)).toEqual(['probe', 'rest', 'open', 'open'])
  })
})
