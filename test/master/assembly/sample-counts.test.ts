import { describe, expect, it } from 'vitest'
import { FrameBuffer, MisplacedTileError } from '../../../master/assembly/frame-buffer.ts'
import { SampleCounts } from '../../../master/assembly/sample-counts.ts'
import { CellMask, NOISE_CELL } from '../../../shared/frame/cell-mask.ts'
import type { Size } from '../../../shared/frame/rect.ts'

const size: Size = [20, 10]
const left = new CellMask(size, NOISE_CELL, column => column === 0)
const count = size[0] * size[1]
const isLeft = (pixel: number) => pixel % 20 < 8

describe('counts of samples', () => {
  it('tell how many each pixel has', () => {
    const counts = new SampleCounts(size, 64)
    counts.add(16)
    counts.add(16)
    counts.add(32, left)
    expect([...counts.plane()]).toEqual(Array.from({ length: count }, (_, pixel) => (isLeft(pixel) ? 64 : 32)))
  })

  it('make means of sums, exactly where both numbers are powers of two, of any rows of a frame', () => {
    const counts = new SampleCounts(size, 64)
    counts.add(32)
    counts.add(32, left)
    const sums = Float64Array.from({ length: count * 3 }, (_, i) => (i * 12345677) / 2 ** 32)
    const means = sums.map((sum, i) => (isLeft(Math.floor(i / 3)) ? sum : sum * 2))
    expect(counts.means(sums, 3)).toEqual(means)
    for (const [from, to] of [
      [0, 8],
      [8, 10],
      [0, 10],
    ] as const) {
      const rows = SampleCounts.of(counts.rows(from, to))
      expect(rows.means(sums.subarray(from * 60, to * 60), 3)).toEqual(means.subarray(from * 60, to * 60))
      expect(rows.plane()).toEqual(counts.plane().subarray(from * 20, to * 20))
    }
    expect(counts.shares(new Uint16Array(count).fill(32))).toEqual(
      Float32Array.from({ length: count }, (_, pixel) => (isLeft(pixel) ? 0.5 : 1)),
    )
  })

  it('leave the sums of complete frames as they are', () => {
    const counts = new SampleCounts(size, 3)
    counts.add(3)
    const sums = new Float64Array(count * 3).fill(0.1)
    expect(counts.means(sums, 3)).toBe(sums)
  })
})

describe('a frame of which a pass leaves cells out', () => {
  it('takes the pixels of the others, and no more', () => {
    const frame = new FrameBuffer(size, ['light'])
    const pixels = (n: number) => new Uint8Array(new Float64Array(n * 3).fill(0.25).buffer)
    frame.put({ rect: { x: 0, y: 0, w: 20, h: 10 } }, pixels(200))
    frame.nextRange(left)
    expect(frame.missing).toBe(80)
    expect(() => frame.put({ rect: { x: 8, y: 0, w: 1, h: 1 } }, pixels(1))).toThrow(MisplacedTileError)
    const open = left.within({ rect: { x: 0, y: 0, w: 20, h: 10 } })!
    frame.put(open, pixels(80))
    expect(frame.missing).toBe(0)
    const light = frame.plane('light')
    for (let pixel = 0; pixel < count; pixel++) expect(light[pixel * 3]).toBe(isLeft(pixel) ? 0.5 : 0.25)
    frame.nextRange()
    expect(frame.missing).toBe(200)
  })
})
