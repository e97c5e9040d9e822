import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { area } from '../../../../shared/frame/rect.ts'
import { blocksOf } from '../../../../worker/engine/wasm/blocks.ts'
import { expectPartition } from '../../../support/partition.ts'

const blocks = (width: number, fromRow: number, toRow: number) => [...blocksOf(width, fromRow, toRow, 4096)]

describe('blocks', () => {
  it('are as wide as the tile where that fits, and high', () => {
    expect(blocks(128, 8, 48)).toEqual([
      { x: 0, y: 8, w: 128, h: 32 },
      { x: 0, y: 40, w: 128, h: 8 },
    ])
  })

  it('are columns of whole squares where it does not', () => {
    expect(blocks(1280, 0, 8)).toEqual([
      { x: 0, y: 0, w: 432, h: 8 },
      { x: 432, y: 0, w: 432, h: 8 },
      { x: 864, y: 0, w: 416, h: 8 },
    ])
    expect(blocks(16384, 3, 4).map(({ w }) => w)).toEqual([4096, 4096, 4096, 4096])
  })

  it('partition the rows, and are never too large', () => {
    const length = fc.integer({ min: 1, max: 3000 })
    fc.assert(
      fc.property(length, fc.nat(40), fc.integer({ min: 1, max: 90 }), (width, fromRow, rows) => {
        const all = blocks(width, fromRow, fromRow + rows)
        expect(Math.max(...all.map(area))).toBeLessThanOrEqual(4096)
        expectPartition(
          all.map(block => ({ rect: { ...block, y: block.y - fromRow } })),
          [width, rows],
        )
      }),
    )
  })
})
