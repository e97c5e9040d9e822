import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineGrain } from '../../../worker/engine/engine.ts'
import { rowsPerBatch } from '../../../worker/threads/row-batches.ts'

const grain: EngineGrain = { batchRays: 32768, mostRays: 1 << 20, blockRows: 8 }
const quality = { samples: 2, ambientRays: 2, maxDepth: 6 }
const rows = (w: number, h: number, threads = 1, samples = 2) =>
  rowsPerBatch({ x: 0, y: 0, w, h }, { ...quality, samples }, threads, grain)

describe('a batch of rows', () => {
  it('is worth being asked for, in whole blocks', () => {
    expect(rows(1280, 720)).toBe(8)
    expect(rows(128, 720)).toBe(32)
    expect(rows(1, 1e6)).toBe(4096)
    expect(rowsPerBatch({ x: 0, y: 0, w: 128, h: 64 }, quality, 1, { ...grain, batchRays: 4096, blockRows: 1 })).toBe(4)
  })

  it('is smaller where threads share a low tile', () => {
    expect(rows(128, 720, 4)).toBe(32)
    expect(rows(128, 200, 4)).toBe(8)
    expect(rows(128, 63, 4)).toBe(3)
    expect(rows(1, 7, 4)).toBe(1)
  })

  it('is smaller than a block where a block would take too long', () => {
    expect(rows(1280, 720, 1, 16)).toBe(8)
    expect(rows(1280, 720, 1, 1024)).toBe(1)
  })

  it('has at least a row, and leaves something to every thread', () => {
    const whole = (max: number) => fc.integer({ min: 1, max })
    fc.assert(
      fc.property(whole(4096), whole(4096), whole(16), whole(1024), (w, h, threads, samples) => {
        const batch = rows(w, h, threads, samples)
        expect(Number.isInteger(batch)).toBe(true)
        expect(batch).toBeGreaterThanOrEqual(1)
        if (h >= 2 * threads) expect(batch * threads).toBeLessThanOrEqual(h)
      }),
    )
  })
})
