import { describe, expect, it } from 'vitest'
import { ambientFirst, ambientSecond, ambientShift, hilbertIndex, sampleX, sampleY } from './sampling.ts'

describe('samples of a pixel', () => {
  it('stay inside it, for every count that a view may ask for', () => {
    for (let samples = 1; samples <= 1024; samples++) {
      for (let sample = 0; sample < samples; sample++) {
        const [x, y] = [sampleX(sample, samples), sampleY(sample, samples)]
        if (!(x > 0 && x < 1 && y > 0 && y < 1)) expect.fail(`sample ${sample} of ${samples} lies at ${x}, ${y}`)
      }
    }
  })

  it('are the centre where there is one', () => {
    expect([sampleX(0, 1), sampleY(0, 1)]).toEqual([0.5, 0.5])
  })

  it.each([2, 4, 8, 16, 64])('of which there are %i fill every row and column once', samples => {
    const rows = new Set(Array.from({ length: samples }, (_, i) => Math.floor(sampleY(i, samples) * samples)))
    const columns = new Set(Array.from({ length: samples }, (_, i) => Math.floor(sampleX(i, samples) * samples)))
    expect([rows.size, columns.size]).toEqual([samples, samples])
  })
})

describe('the curve through the pixels', () => {
  it('visits each pixel once, and a neighbour next', () => {
    const places: [number, number][] = []
    for (let y = 0; y < 64; y++) for (let x = 0; x < 64; x++) places[hilbertIndex(x, y)] = [x, y]
    expect(places.filter(Boolean)).toHaveLength(4096)
    for (let i = 1; i < 4096; i++) {
      const [[x0, y0], [x1, y1]] = [places[i - 1]!, places[i]!]
      expect(Math.abs(x1 - x0) + Math.abs(y1 - y0)).toBe(1)
    }
  })
})

describe('ambient directions', () => {
  it('of neighbouring pixels together cover the square evenly', () => {
    // 8 rays for each of the 64 pixels of an aligned square: in each of 64 cells 8, give or take few.
    const cells = new Int32Array(64)
    const start = hilbertIndex(136, 72)
    const [first, second] = [ambientShift(3, 1, 0), ambientShift(3, 1, 1)]
    for (let i = start * 8; i < (start + 64) * 8; i++) {
      cells[Math.floor(ambientFirst(i, first) * 8) * 8 + Math.floor(ambientSecond(i, second) * 8)]!++
    }
    expect(Math.min(...cells)).toBeGreaterThanOrEqual(5)
    expect(Math.max(...cells)).toBeLessThanOrEqual(11)
  })

  it('differ from frame to frame and along the tree of rays', () => {
    const shifts = new Set<number>()
    for (let frame = 0; frame < 32; frame++)
      for (let path = 1; path < 32; path++) shifts.add(ambientShift(frame, path, 0))
    expect(shifts.size).toBe(32 * 31)
  })
})
