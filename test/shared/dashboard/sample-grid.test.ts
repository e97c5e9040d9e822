import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../scripts/bench/view/made-report.ts'
import { AREA_BYTES, compactFrame, HEAD_BYTES, wholeFrame } from '../../../shared/dashboard/compact-frame.ts'
import { readSampleGrid, sampleGrid } from '../../../shared/dashboard/sample-grid.ts'
import type { FrameReport, PassReport } from '../../../shared/frame/frame-report.ts'
import type { Rect, Size } from '../../../shared/frame/rect.ts'

const made = madeReport({ areas: 8, tiles: 16, seed: 1 })
const pass = (from: number, to: number, pixels: number): PassReport => ({
  ...{ from, to, pixels, ms: 1, criticalMs: 1, meanMs: 1, epsilonCpu: 0, epsilonWall: 0 },
})
const tile = (rect: Rect, pattern?: FrameReport['tiles'][number]['pattern']) => ({
  ...{ rect, worker: 'a0', cpuMs: 1, wallMs: 1 },
  ...(pattern ? { pattern } : {}),
})
const report = (size: Size, passes: PassReport[], tiles: FrameReport['tiles']): FrameReport => ({
  ...made,
  ...{ size, passes, tiles },
})

describe('where samples are', () => {
  it('is said of frames whose later passes leave pixels out, and of no others', () => {
    expect(sampleGrid(made)).toBeUndefined()
    const whole = tile({ x: 0, y: 0, w: 120, h: 60 })
    expect(sampleGrid(report([120, 60], [pass(0, 4, 7200), pass(4, 8, 7200)], [whole, whole]))).toBeUndefined()
  })

  it('is as many in each place as its tiles have in all passes', () => {
    const left = { x: 0, y: 0, w: 60, h: 60 }
    const tiles = [
      tile({ x: 0, y: 0, w: 120, h: 30 }),
      tile({ x: 0, y: 30, w: 120, h: 30 }),
      tile(left),
      // Every second pixel of its columns.
      tile({ x: 0, y: 0, w: 20, h: 10 }, { kind: 'lattice', stepX: 2, stepY: 1, dx: 0, dy: 0 }),
    ]
    const passes = [pass(0, 4, 7200), pass(4, 8, 3600), pass(8, 16, 100)]
    const { columns, rows, samples } = readSampleGrid(sampleGrid(report([120, 60], passes, tiles))!, [120, 60])
    expect([columns, rows]).toEqual([12, 6])
    const near = (value: number, truth: number) =>
      expect(Math.abs(Math.log2((1 + value) / (1 + truth)))).toBeLessThan(0.07)
    for (const [i, value] of samples.entries()) {
      const [column, row] = [i % 12, Math.floor(i / 12)]
      near(value, column < 2 && row === 0 ? 12 : column < 6 ? 8 : 4)
    }
  })

  it('of any size and any tiles is some grid, and adds up', () => {
    const side = fc.integer({ min: 1, max: 300 })
    fc.assert(
      fc.property(side, side, fc.array(fc.tuple(side, side, side, side), { maxLength: 5 }), (w, h, rects) => {
        const tiles = rects.map(([x, y, wide, high]) => {
          const [left, top] = [x % w, y % h]
          return tile({ x: left, y: top, w: Math.min(wide, w - left), h: Math.min(high, h - top) })
        })
        const all = tile({ x: 0, y: 0, w, h })
        const text = sampleGrid(report([w, h], [pass(0, 2, w * h), pass(2, 4, 0)], [all, ...tiles]))!
        const { columns, rows, samples } = readSampleGrid(text, [w, h])
        expect(samples).toHaveLength(columns * rows)
        const truth = 2 * w * h + tiles.reduce((sum, { rect }) => sum + 2 * rect.w * rect.h, 0)
        const sum = (samples.reduce((a, b) => a + b, 0) * w * h) / samples.length
        expect(sum / truth).toBeGreaterThan(0.9)
        expect(sum / truth).toBeLessThan(1.1)
      }),
    )
  })

  it('comes with the frame, within its bytes', () => {
    for (const areas of [1, 8, 40]) {
      const adaptive = madeReport({ areas, tiles: 16 * areas, seed: 3 })
      const [w, h] = adaptive.size
      const passes = [pass(0, 4096, w * h), pass(4096, 65536, 8)]
      const compact = compactFrame({ ...adaptive, passes }, 0, 0)
      const length = JSON.stringify(compact).length
      expect(length).toBeLessThanOrEqual(HEAD_BYTES + Math.max(200, areas * AREA_BYTES))
      expect(wholeFrame(compact).samples).toBe(compact.samples)
      expect(readSampleGrid(compact.samples!, adaptive.size).samples.some(each => each > 0)).toBe(true)
    }
  })
})
