import { describe, expect, it } from 'vitest'
import { VirtualTracer } from '../../../master/simulator/virtual-tracer.ts'
import { leaseId } from '../../../shared/ids.ts'

const lease = leaseId(1)
/** Ten rows of 1 ms of CPU time each, two of them begun at once; the worker has half a core. */
const tracer = (handOverMs = 0) =>
  new VirtualTracer(2, handOverMs, ({ tile }) => ({
    cpuMs: tile.rect.h,
    above: () => Float64Array.from({ length: tile.rect.h + 1 }, (_, row) => row),
    batchRows: () => 2,
  }))
const tile = (y: number, h: number) => ({ rect: { x: 0, y, w: 4, h } })

describe('a simulated worker', () => {
  it('traces one order after the other', () => {
    const worker = tracer(0.5)
    worker.order({ lease, tile: tile(0, 10) }, 100)
    worker.order({ lease: leaseId(2), tile: tile(10, 5) }, 101)
    expect(worker.wakeAt).toBe(120.5)
    const first = worker.wake(120.5)
    expect(first).toEqual({ lease, tile: tile(0, 10), times: { waitMs: 0.5, wallMs: 20, cpuMs: 10, encodeMs: 0 } })
    expect(worker.wakeAt).toBe(131)
    expect(worker.wake(131).times.waitMs).toBe(20)
    expect(worker.wakeAt).toBeUndefined()
  })

  it('answers the first part as soon as it is done, and goes on without a pause', () => {
    const worker = tracer()
    worker.order({ lease, tile: tile(20, 10), part: 7 }, 0)
    expect(worker.wakeAt).toBe(14)
    const part = worker.wake(14)
    expect(part.tile.rect).toEqual({ x: 0, y: 20, w: 4, h: 7 })
    expect(part.times).toMatchObject({ cpuMs: 7, wallMs: 14, more: true })
    expect(worker.wakeAt).toBe(20)
    const rest = worker.wake(20)
    expect(rest.tile.rect).toEqual({ x: 0, y: 27, w: 4, h: 3 })
    expect(rest.times).toEqual({ waitMs: 0, wallMs: 6, cpuMs: 3, encodeMs: 0 })
  })

  it('lets rows go that it has not begun, and finishes those that it has', () => {
    const worker = tracer()
    worker.order({ lease, tile: tile(0, 10) }, 0)
    // Row 4 is under way, and row 5 was begun with it.
    worker.trim(lease, 3, 9)
    expect(worker.wakeAt).toBe(12)
    expect(worker.wake(12).tile.rect.h).toBe(6)
    worker.order({ lease, tile: tile(0, 10) }, 20)
    worker.trim(lease, 8, 22)
    expect(worker.wake(36).tile.rect.h).toBe(8)
  })

  it('answers a part once more with at least a row, whatever is taken away', () => {
    const worker = tracer()
    worker.order({ lease, tile: tile(0, 10), part: 7 }, 0)
    worker.wake(14)
    worker.trim(lease, 7, 14)
    expect(worker.wake(worker.wakeAt!).tile.rect).toMatchObject({ y: 7, h: 2 })
  })

  it('ends with the part where only that is wanted', () => {
    const worker = tracer()
    worker.order({ lease, tile: tile(0, 10), part: 7 }, 0)
    worker.trim(lease, 6, 3)
    expect(worker.wakeAt).toBe(12)
    expect(worker.wake(12).times.more).toBeUndefined()
  })

  it('traces less of what still waits, and drops what is cancelled', () => {
    const worker = tracer()
    worker.order({ lease, tile: tile(0, 10) }, 0)
    worker.order({ lease: leaseId(2), tile: tile(10, 10) }, 0)
    worker.order({ lease: leaseId(3), tile: tile(20, 10) }, 0)
    worker.trim(leaseId(2), 4, 1)
    worker.trim(leaseId(9), 4, 1)
    worker.cancel(leaseId(3), 1)
    worker.cancel(lease, 5)
    expect(worker.wakeAt).toBe(13)
    expect(worker.wake(13).tile.rect).toMatchObject({ y: 10, h: 4 })
    expect(worker.wakeAt).toBeUndefined()
  })
})
