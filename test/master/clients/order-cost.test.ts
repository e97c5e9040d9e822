/** What an order may cost: nobody is refused who asks for nothing odd, and one number cannot keep a master busy. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CostlyOrder, checkOrder, costOf, excessOf, ORDER_BOUNDS } from '../../../master/clients/order-cost.ts'
import { strategyByName, strategyNames } from '../../../master/strategies/index.ts'
import { MAX_FRAME_PX, MAX_SIDE_PX } from '../../../shared/frame/frame-limits.ts'
import { planeNames } from '../../../shared/frame/frame-planes.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'
import { smallSession } from '../../support/session.ts'

/** An order that is not yet there, with the name of its strategy. */
type Asked = Partial<Omit<CostlyOrder, 'strategy'>> & { readonly strategy?: string }
const orderOf = ({ options, ...changes }: Asked): CostlyOrder => {
  const order = smallSession({ inFlight: 2, ...changes, options: { ...DEFAULT_STRATEGY_OPTIONS, ...options } })
  return { ...order, strategy: strategyByName(order.strategy) }
}
const LARGEST = [8192, 8192] as const
/** Mattes take as much as all others together; ids are many. */
const NAMED: readonly string[] = ['objectId', 'materialId', 'cryptoObject', 'cryptoMaterial']
const WITHOUT_NAMES = planeNames.filter(name => !NAMED.includes(name))
const samples = (samples: number) => ({ samples, ambientRays: 1, maxDepth: 3 })
const options = (changes: Partial<CostlyOrder['options']>) => ({ ...DEFAULT_STRATEGY_OPTIONS, ...changes })

describe('an order with default options', () => {
  it.each(strategyNames)('of %s is accepted, whatever its size', strategy => {
    const side = fc.integer({ min: 1, max: MAX_SIDE_PX })
    fc.assert(
      fc.property(side, side, fc.boolean(), (w, h, record) => {
        const fitting = Math.min(h, Math.floor(MAX_FRAME_PX / w))
        expect(excessOf(orderOf({ strategy, size: [w, fitting], record }))).toBeUndefined()
      }),
    )
    for (const size of [LARGEST, [16384, 4096], [4096, 16384], [1, 16384], [16384, 1], [1, 1]] as const)
      expect(excessOf(orderOf({ strategy, size }))).toBeUndefined()
  })

  it('may have all channels of an 8K frame but those of names, if no other is in flight, and these of a 4K frame', () => {
    const order = { size: [7680, 4320], channels: WITHOUT_NAMES, transparent: true } as const
    expect(excessOf(orderOf({ ...order, inFlight: 1 }))).toBeUndefined()
    expect(excessOf(orderOf(order))?.option).toBe('size')
    const names = ['light', 'objectId', 'materialId', 'cryptoObject', 'cryptoMaterial'] as const
    expect(
      excessOf(orderOf({ size: [3840, 2160], channels: [...names], passes: 2, quality: samples(64) })),
    ).toBeUndefined()
  })

  it('may be denoised at 4K, which takes memory for every frame in progress and for the picture of one', () => {
    const size = [3840, 2160] as const
    const quality = { samples: 64, ambientRays: 0, maxDepth: 0, bounces: 4 }
    const [plain, denoised] = [
      { size, quality, passes: 2 },
      { size, quality, passes: 2, denoise: true as const },
    ]
    expect(excessOf(orderOf(denoised))).toBeUndefined()
    const more = costOf(orderOf(denoised)).bytes - costOf(orderOf(plain)).bytes
    // Half of the light, and features of all samples and of half of them, in three frames; then their means, and what comes of these.
    expect(more).toBe(3840 * 2160 * (3 * (24 + 28 + 28) + (12 + 28) * 2 + 4 + 12))
    // Adaptive frames are judged by such pictures, and by what is wrong with them.
    const [noisy, judged] = [plain, denoised].map(order => orderOf({ ...order, passes: 1, noise: 0.05 }))
    expect(excessOf(judged!)).toBeUndefined()
    const forAll = costOf(judged!).bytes - costOf(noisy!).bytes
    expect(forAll).toBe(3840 * 2160 * 3 * (24 + 28 + 28 + (12 + 28) * 2 + 4 + 12 + 4))
  })

  it('is previewed, adaptive or verified at 4K', () => {
    const order = { size: [3840, 2160], channels: WITHOUT_NAMES, inFlight: 2, quality: samples(1024) } as const
    expect(excessOf(orderOf({ ...order, progressive: true, passes: 1024 }))).toBeUndefined()
    expect(excessOf(orderOf({ ...order, progressive: true, noise: 0.01, verify: 1 }))).toBeUndefined()
  })
})

describe('a sentence for', () => {
  it.each<[string, Asked, string]>([
    ['workers that nobody has', { minWorkers: 2 ** 31 }, 'minWorkers: expected at most 16384, got 2147483648'],
    [
      'a pixel for each worker',
      { size: LARGEST, strategy: 'demand-driven', options: options({ tile: 1 }) },
      'tile: expected at least 32 for 8192x8192 px in one pass, at most 66560 tiles, got 1, which makes 67108864',
    ],
    [
      'objects of a pixel',
      { size: LARGEST, strategy: 'greedy-lb', options: options({ tile: 1 }) },
      'tile: expected at least 32 for 8192x8192 px in one pass, at most 66560 tiles, got 1, which makes 67108864',
    ],
    [
      'pixels scattered one by one',
      { size: LARGEST, strategy: 'scatter', options: options({ scatter: 'pixel' }) },
      'scatter: expected tile or row for 8192x8192 px: at most 8388608 single pixels, got pixel',
    ],
    [
      'the same by another name',
      { size: LARGEST, strategy: 'scatter', options: options({ tile: 1 }) },
      'tile: expected at least 8 for 8192x8192 px in one pass, at most 8388608 rows of tiles, got 1, which makes 67108864',
    ],
    [
      'tiles again and again',
      { size: LARGEST, strategy: 'work-stealing', passes: 8, quality: samples(8), inFlight: 1 },
      'tile: expected at least 64 for 8192x8192 px in 8 passes, at most 131072 tiles in all passes, got the default, which makes 524288',
    ],
    [
      'objects again and again',
      {
        size: [3840, 2160],
        strategy: 'refine-lb',
        passes: 1024,
        quality: samples(1024),
        options: options({ tile: 16 }),
      },
      'tile: expected at least 32 for 3840x2160 px in 1024 passes, at most 8388608 tiles in all passes, got 16, which makes 33177600',
    ],
    [
      'cells that take long to predict',
      { size: LARGEST, strategy: 'predictive', options: options({ cell: 4 }) },
      'cell: expected one of 8, 16, 32 for 8192x8192 px, at most 1052672 cells, got 4',
    ],
    [
      'cells that are only recorded',
      { size: LARGEST, strategy: 'pbt', record: true, options: options({ cell: 4 }) },
      'cell: expected one of 8, 16, 32 for 8192x8192 px, at most 1052672 cells, got 4',
    ],
    [
      'passes of many workers',
      { minWorkers: 500, passes: 1024, quality: samples(1024) },
      'passes: expected at most 131072 orders for a frame in all its passes: fewer passes, or workers, got 512000 of 1024 passes',
    ],
    [
      'more memory than there may be',
      { size: LARGEST, channels: WITHOUT_NAMES, inFlight: 4 },
      "size: expected frames that take at most 9 GiB of the master's memory, up to 5 of them at a time: fewer pixels, fewer channels, or fewer frames in flight, got 8192x8192 px, 35.4 GiB",
    ],
  ])('%s', (_, order, sentence) => {
    expect(() => checkOrder(orderOf(order))).toThrow(sentence)
  })

  it('says what would do: the smallest tile that is accepted', () => {
    const sides = fc.record({
      w: fc.integer({ min: 1, max: MAX_SIDE_PX }),
      tile: fc.integer({ min: 1, max: 64 }),
      passes: fc.constantFrom(1, 2, 16, 100),
      strategy: fc.constantFrom('demand-driven', 'random-tiles', 'scatter', 'greedy-lb'),
    })
    fc.assert(
      fc.property(sides, ({ w, tile, passes, strategy }) => {
        const size = [w, Math.min(MAX_SIDE_PX, Math.floor(2 ** 24 / w))] as const
        const order = { size, strategy, passes, quality: samples(passes), inFlight: 1 }
        const excess = excessOf(orderOf({ ...order, options: options({ tile }) }))
        if (!excess) return
        expect(excess.option).toBe('tile')
        const least = Number(/^at least (\d+)/.exec(excess.expected)?.[1])
        expect(excessOf(orderOf({ ...order, options: options({ tile: least }) }))).toBeUndefined()
        expect(excessOf(orderOf({ ...order, options: options({ tile: least - 1 }) }))).toBeDefined()
      }),
    )
  })
})

it('is exact at the bounds', () => {
  const one = (minWorkers: number) => excessOf(orderOf({ minWorkers }))?.option
  expect([one(ORDER_BOUNDS.areas), one(ORDER_BOUNDS.areas + 1)]).toEqual([undefined, 'minWorkers'])
  const tiles = orderOf({ size: [1024, 65], strategy: 'random-tiles', options: options({ tile: 1 }) })
  expect([costOf(tiles).tiles, excessOf(tiles)]).toEqual([ORDER_BOUNDS.tiles, undefined])
  expect(excessOf({ ...tiles, size: [1024, 66] })?.option).toBe('tile')
})
