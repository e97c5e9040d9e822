import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PixelSet } from '../../../shared/frame/pixel-set.ts'
import type { EngineGrain } from '../../../worker/engine/engine.ts'
import { pixelsAbove } from '../../../worker/threads/pixels-above.ts'
import { rowBatches } from '../../../worker/threads/row-batches.ts'

const grain: EngineGrain = { batchRays: 32768, fineRays: 12288, mostRays: 1 << 20, blockRows: 8 }
const quality = { samples: 2, ambientRays: 2, maxDepth: 6 }

/** The heights of all batches of a set, one after the other. */
function batches(set: PixelSet, { threads = 1, samples = 2, of = grain } = {}): number[] {
  const { h } = set.rect
  const rows = rowBatches(pixelsAbove(set), { ...quality, samples }, threads, of)
  const heights: number[] = []
  for (let from = 0; from < h; from += heights.at(-1)!) heights.push(rows(from, h))
  return heights
}
const tile = (w: number, h: number): PixelSet => ({ rect: { x: 0, y: 0, w, h } })

describe('batches of rows', () => {
  it('are blocks at first and small at the end', () => {
    const heights = batches(tile(320, 360))
    expect(heights.slice(0, 20)).toEqual(Array(20).fill(8))
    expect(heights.slice(-10)).toEqual(Array(10).fill(4))
    expect(batches(tile(1280, 720))[0]).toBe(8)
    expect(batches(tile(1280, 720)).at(-1)).toBe(2)
    expect(batches(tile(2560, 720)).at(-1)).toBe(1)
    expect(batches(tile(128, 720))[0]).toBe(32)
  })

  it('are rows where rows are all that an engine knows', () => {
    const of = { batchRays: 4096, fineRays: 1024, mostRays: 65536, blockRows: 1 }
    const heights = batches(tile(128, 64), { of })
    expect(heights[0]).toBe(4)
    expect(heights).toContain(3)
    expect(heights.slice(-10)).toEqual(Array(10).fill(1))
  })

  it('leave something to every thread', () => {
    expect(batches(tile(128, 200), { threads: 4 })[0]).toBe(8)
    expect(batches(tile(128, 60), { threads: 4 })[0]).toBe(4)
    expect(batches(tile(1, 7), { threads: 4 })[0]).toBe(1)
  })

  it('are smaller than a block where a block would take too long', () => {
    expect(batches(tile(1280, 720), { samples: 16 })[0]).toBe(8)
    expect(batches(tile(1280, 720), { samples: 1024 })[0]).toBe(1)
  })

  it('reach over many rows that hold few pixels', () => {
    const pattern = { kind: 'lattice', stepX: 8, stepY: 64, dx: 4, dy: 4 } as const
    expect(batches({ ...tile(1280, 720), pattern }).length).toBeLessThan(4)
    expect(batches({ ...tile(16, 5000), pattern })).toEqual([5000])
  })

  it('take every row once, each no more rays than a block or a batch has', () => {
    const whole = (max: number) => fc.integer({ min: 1, max })
    fc.assert(
      fc.property(whole(3000), whole(1500), whole(16), whole(64), (w, h, threads, samples) => {
        const heights = batches(tile(w, h), { threads, samples })
        const rays = w * samples * 4
        const most = Math.max(grain.batchRays * (4 / 3), Math.min(8 * rays, grain.mostRays), rays)
        return (
          heights.reduce((sum, rows) => sum + rows, 0) === h &&
          heights.every(rows => Number.isInteger(rows) && rows >= 1 && rows * rays <= most) &&
          (h < 2 * threads || heights[0]! * threads <= h)
        )
      }),
    )
  })
})
