import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import type { Span } from '../../../shared/frame/span.ts'
import { SPAN_KINDS } from '../../../shared/frame/span-kinds.ts'
import { imbalance } from '../../../shared/metrics/imbalance.ts'
import { type LedgerRow, ledger, PRECEDENCE } from '../../../shared/metrics/ledger.ts'
import { OwnerMap } from '../../../shared/metrics/owner-map.ts'
import { statistics } from '../../../shared/metrics/statistics.ts'
import { anySize, partitionOf } from '../../support/partition.ts'

describe('imbalance: Eq. (1)–(3)', () => {
  it('takes the slowest worker, the perfect share, and the distance', () => {
    const even = [10, 20, 30, 20].map(work => ({ work, speed: 1 }))
    expect(imbalance(even)).toEqual({ criticalMs: 30, meanMs: 20, epsilon: 0.5 })
  })

  it('weighs unequal workers by their speed', () => {
    expect(
      imbalance([
        { work: 40, speed: 2 },
        { work: 20, speed: 1 },
      ]),
    ).toEqual({ criticalMs: 20, meanMs: 20, epsilon: 0 })
    expect(
      imbalance([
        { work: 30, speed: 2 },
        { work: 30, speed: 1 },
      ]),
    ).toEqual({ criticalMs: 30, meanMs: 20, epsilon: 0.5 })
  })

  it('counts idle workers, and calls a frame without work perfect', () => {
    expect(
      imbalance([
        { work: 30, speed: 1 },
        { work: 0, speed: 1 },
        { work: 0, speed: 1 },
      ]).epsilon,
    ).toBe(2)
    expect(
      imbalance([
        { work: 0, speed: 1 },
        { work: 0, speed: 0 },
      ]),
    ).toEqual({ criticalMs: 0, meanMs: 0, epsilon: 0 })
  })
})

describe('ledger', () => {
  const span = (kind: Span['kind'], start: number, end: number, worker?: string): Span => ({
    kind,
    frame: 0,
    start,
    end,
    ...(worker ? { worker } : {}),
  })

  it('books a plain frame', () => {
    const spans = [
      span('stats', 0, 4),
      span('decide', 4, 5),
      span('dispatch', 5, 6, 'a'),
      span('transmit', 6, 8, 'a'),
      span('render', 8, 58, 'a'),
      span('transmit', 58, 60, 'a'),
      span('stitch', 60, 61, 'a'),
      span('dispatch', 5, 7, 'b'),
      span('render', 7, 100, 'b'),
    ]
    expect(ledger(spans, ['a', 'b', 'c'], 0, 100)).toEqual([
      { worker: 'a', stats: 4, decide: 1, dispatch: 1, transmit: 4, render: 50, stitch: 1, idle: 39 },
      { worker: 'b', stats: 4, decide: 1, dispatch: 2, transmit: 0, render: 93, stitch: 0, idle: 0 },
      { worker: 'c', stats: 4, decide: 1, dispatch: 0, transmit: 0, render: 0, stitch: 0, idle: 95 },
    ])
  })

  it('counts an instant of two phases once, as the one that holds the frame up', () => {
    const [row] = ledger([span('render', 10, 50, 'a'), span('transmit', 40, 70, 'a')], ['a'], 0, 100)
    expect(row).toMatchObject({ render: 40, transmit: 20, idle: 40 })
  })

  const time = fc.integer({ min: -20, max: 120 })
  const anySpan = fc
    .record({
      kind: fc.constantFrom(...SPAN_KINDS),
      a: time,
      b: time,
      worker: fc.constantFrom('a', 'b', undefined),
    })
    .map(({ kind, a, b, worker }) => span(kind, Math.min(a, b), Math.max(a, b), worker))

  it('adds up to the frame, whatever the spans', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 20 }), spans => {
        for (const { worker: _, ...phases } of ledger(spans, ['a', 'b'], 0, 100))
          expect(Object.values(phases).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(100, 9)
      }),
    )
  })

  it('is what asking every span about every instant gives', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 40 }), spans => {
        expect(ledger(spans, ['a', 'b', 'c'], 0, 100)).toEqual(slowLedger(spans, ['a', 'b', 'c'], 0, 100))
      }),
      { numRuns: 300 },
    )
  })

  it('takes time in proportion to the spans, or little more', () => {
    const spansOf = (count: number) => Array.from({ length: count }, (_, i) => span('render', i, i + 1, 'a'))
    const asked = (count: number): number => {
      let reads = 0
      const watched = spansOf(count).map(
        each =>
          new Proxy(each, {
            get: (target, key) => {
              reads++
              return Reflect.get(target, key)
            },
          }),
      )
      ledger(watched, ['a'], 0, count)
      return reads
    }
    expect(asked(4000)).toBeLessThan(4.5 * asked(1000))
  })
})

/** By definition: every ms is the first phase in order of precedence that is open all through it. Times are whole ms. */
function slowLedger(spans: readonly Span[], workers: readonly string[], start: number, end: number): LedgerRow[] {
  return workers.map(worker => {
    const row = Object.fromEntries(SPAN_KINDS.map(kind => [kind, 0])) as Record<Span['kind'], number>
    const own = spans.filter(each => each.worker === undefined || each.worker === worker)
    for (let at = start; at < end; at++) {
      const open = own.filter(each => each.start <= at && each.end >= at + 1).map(({ kind }) => kind)
      row[PRECEDENCE.find(kind => open.includes(kind)) ?? 'idle']++
    }
    return { worker, ...row }
  })
}

describe('migration', () => {
  it('is the share of pixels with another owner than before, as a count says', () => {
    fc.assert(
      fc.property(
        anySize.chain(size => fc.tuple(fc.constant(size), partitionOf(size, 6), partitionOf(size, 6))),
        ([size, before, after]) => {
          const owned = (rects: typeof before) => rects.map((rect, i) => ({ rect, worker: `w${i % 3}` }))
          const ownerAt = (tiles: ReturnType<typeof owned>, x: number, y: number) =>
            tiles.find(({ rect }) => x >= rect.x && y >= rect.y && x < rect.x + rect.w && y < rect.y + rect.h)?.worker
          let moved = 0
          for (let y = 0; y < size[1]; y++)
            for (let x = 0; x < size[0]; x++) if (ownerAt(owned(before), x, y) !== ownerAt(owned(after), x, y)) moved++
          const owners = new OwnerMap(size)
          expect(owners.update(owned(before))).toBe(0)
          expect(owners.update(owned(after))).toBeCloseTo(moved / (size[0] * size[1]), 12)
          expect(owners.update(owned(after))).toBe(0)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('counts the pixels of a set that were another worker’s', () => {
    const owners = new OwnerMap([4, 2])
    const all = { rect: { x: 0, y: 0, w: 4, h: 2 } }
    expect(owners.foreignPixels('a', all)).toBe(0)
    owners.update([
      { rect: { x: 0, y: 0, w: 3, h: 2 }, worker: 'a' },
      { rect: { x: 3, y: 0, w: 1, h: 2 }, worker: 'b' },
    ])
    expect(['a', 'b', 'c'].map(worker => owners.foreignPixels(worker, all))).toEqual([2, 6, 8])
  })

  it('is counted over many frames, whoever comes and goes between them', () => {
    const size: Size = [13, 7]
    const frame = partitionOf(size, 6).chain(rects =>
      fc.tuple(
        fc.constant(rects),
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: rects.length, maxLength: rects.length }),
        fc.nat(3),
      ),
    )
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 8 }), frames => {
        const owners = new OwnerMap(size)
        let before: string[] | undefined
        for (const [rects, workers, kinds] of frames) {
          const tiles = rects.map((rect, i) => ({ rect, worker: `w${workers[i]! % (kinds + 1)}` }))
          const now = Array<string>(size[0] * size[1])
          for (const { rect, worker } of tiles)
            for (let y = rect.y; y < rect.y + rect.h; y++)
              for (let x = rect.x; x < rect.x + rect.w; x++) now[y * size[0] + x] = worker
          const foreign = before?.filter(owner => owner !== 'w1').length ?? 0
          expect(owners.foreignPixels('w1', { rect: frameRect(size) })).toBe(foreign)
          const moved = before ? now.filter((owner, i) => owner !== before![i]).length : 0
          expect(owners.update(tiles)).toBeCloseTo(moved / now.length, 12)
          before = now
        }
      }),
    )
  })

  it('takes no memory for one worker, and a byte a pixel for up to 255, however many come and go', () => {
    const size: Size = [300, 2]
    const owners = new OwnerMap(size)
    expect(owners.bytes).toBe(0)
    owners.update([{ rect: frameRect(size), worker: 'a' }])
    expect(owners.update([{ rect: frameRect(size), worker: 'b' }])).toBe(1)
    expect(owners.bytes).toBe(0)
    const columns = (count: number, first: number) =>
      Array.from({ length: count }, (_, i) => ({
        rect: { x: i, y: 0, w: i === count - 1 ? size[0] - i : 1, h: 2 },
        worker: `w${first + i}`,
      }))
    for (let first = 0; first < 2000; first += 100) {
      const moved = owners.update(columns(100, first))
      expect(moved).toBe(1)
      expect(owners.bytes).toBe(600)
    }
    expect(owners.update(columns(100, 1900))).toBe(0)
    owners.update(columns(300, 0))
    expect(owners.bytes).toBe(1200)
    expect(owners.update(columns(300, 0))).toBe(0)
  })

  it('tells more than 65,536 workers apart', () => {
    const count = 70_000
    const owners = new OwnerMap([count, 1])
    const shifted = (by: number) =>
      Array.from({ length: count }, (_, x) => ({
        rect: { x, y: 0, w: 1, h: 1 },
        worker: `w${(x + by) % count}`,
      }))
    owners.update(shifted(0))
    expect(owners.update(shifted(65_536))).toBe(1)
  })
})

describe('statistics', () => {
  it('agrees with a calculation by hand', () => {
    expect(statistics([4, 1, 3, 2])).toEqual({
      mean: 2.5,
      median: 2.5,
      p95: expect.closeTo(3.85),
      stddev: Math.sqrt(5 / 3),
      min: 1,
      max: 4,
    })
    expect(statistics([7])).toEqual({ mean: 7, median: 7, p95: 7, stddev: 0, min: 7, max: 7 })
  })
})
