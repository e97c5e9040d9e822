/** The size of a picture that moves follows what it costs, and does not change back and forth. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Coarse } from '../../../master/page/moving-cost.ts'
import { fitted, MovingSize, USUAL_MS } from '../../../master/page/moving-size.ts'
import type { Size } from '../../../shared/frame/rect.ts'

const FULL: Size = [1280, 720]
/** What mirrors and glass cost, of a pixel without them. */
const DEPTH = 1.6
const pixelsOf = ({ size: [w, h], isDeep }: Coarse, depth = DEPTH): number => w * h * (isDeep ? depth : 1)

interface World {
  readonly otherMs?: number
  readonly depth?: number
  readonly wanted?: number
  readonly viewCost?: (picture: number) => number
}

/** Pictures of which a pixel takes so long, and the rest of one always as long. */
function pictures(
  size: MovingSize,
  count: number,
  msPerPixel: (picture: number) => number,
  { otherMs = 2, depth, wanted, viewCost = () => 1 }: World = {},
): (Coarse & { readonly ms: number })[] {
  return Array.from({ length: count }, (_, picture) => {
    const of = size.of(FULL, wanted, viewCost(picture))
    const ms = pixelsOf(of, depth) * msPerPixel(picture) + otherMs
    size.measured(of, FULL, ms, wanted, viewCost(picture))
    return { ...of, ms }
  })
}

const nameOf = ({ size, isDeep }: Coarse): string => `${size.join('x')}${isDeep ? ' deep' : ''}`
const changesOf = (made: readonly Coarse[]): number =>
  made.filter((each, i) => i > 0 && nameOf(each) !== nameOf(made[i - 1]!)).length

it('is as large as there is time for', () => {
  for (const msPerPixel of [3e-6, 2e-5, 1e-4, 5e-4]) {
    const last = pictures(new MovingSize(), 200, () => msPerPixel).at(-1)!
    expect(last.ms).toBeLessThanOrEqual(USUAL_MS * 1.25)
    // The next better one costs up to 1.6 times as much.
    if (nameOf(last) !== '1280x720 deep') expect((last.ms - 2) * 1.65 + 2).toBeGreaterThan(USUAL_MS * 0.92)
  }
})

it('has 480 × 270 thirty times a second where so many pixels are traced, from wherever it begins', () => {
  // A picture of 403 × 227 took 24 ms, of which its pixels took 17.5.
  const msPerPixel = 17.5 / (403 * 227)
  for (const before of [1e-6, 1e-4, 2e-3]) {
    const size = new MovingSize()
    pictures(size, 60, () => before, { otherMs: 6 })
    const last = pictures(size, 200, () => msPerPixel, { otherMs: 6 }).at(-1)!
    expect(last.size[0]).toBeGreaterThanOrEqual(480)
    expect(last.ms).toBeLessThanOrEqual(USUAL_MS * 1.25)
  }
  const last = pictures(new MovingSize(), 200, () => msPerPixel, { otherMs: 6 }).at(-1)!
  expect([last.size, last.ms <= 1000 / 30]).toEqual([[480, 270], true])
})

it('takes as long as is wanted, and follows when something else is', () => {
  const size = new MovingSize()
  for (const wanted of [10, 100, 40, 10]) {
    const last = pictures(size, 200, () => 1e-4, { wanted, otherMs: 1 }).at(-1)!
    expect(last.ms).toBeLessThanOrEqual(wanted * 1.25)
    if (nameOf(last) !== '1280x720 deep') expect((last.ms - 1) * 1.65 + 1).toBeGreaterThan(wanted * 0.92)
  }
})

it('has mirrors and glass where there is time for them', () => {
  expect(pictures(new MovingSize(), 200, () => 1e-6).at(-1)!.isDeep).toBe(true)
  expect(pictures(new MovingSize(), 200, () => 2e-4).at(-1)!.isDeep).toBe(false)
})

it('finds out what these cost, and does not try again and again', () => {
  for (const depth of [1, 3, 6]) {
    const size = new MovingSize()
    // Without them it is in time at 0.71 of each side.
    pictures(size, 1500, () => 3.5e-5, { depth })
    const later = pictures(size, 300, () => 3.5e-5, { depth })
    expect(changesOf(later)).toBeLessThanOrEqual(2)
    for (const { ms } of later) expect(ms).toBeLessThan(USUAL_MS * 1.25 * (depth === 1 ? 1 : depth / DEPTH))
  }
})

it('of a small place is never so small that it shows nothing, and grows again', () => {
  const small: Size = [390, 477]
  const size = new MovingSize()
  const after = (count: number, msPerPixel: number): Coarse => {
    for (let i = 0; i < count; i++) {
      const of = size.of(small)
      size.measured(of, small, pixelsOf(of) * msPerPixel)
    }
    return size.of(small)
  }
  const [w, h] = after(60, 0.1).size
  expect(w * h).toBeGreaterThan(24_500)
  expect(w * h).toBeLessThan(25_500)
  expect(after(120, 1e-6)).toEqual({ size: small, isDeep: true })
  // One that has fewer pixels in all is shown at half its size.
  const tiny: Size = [120, 80]
  for (let i = 0; i < 20; i++) size.measured({ size: [60, 40], isDeep: false }, tiny, 1000)
  expect(size.of(tiny).size).toEqual([60, 40])
})

it('does not shrink for what does not depend on it', () => {
  expect(pictures(new MovingSize(), 200, () => 1e-6, { otherMs: 200 }).at(-1)!.size).toEqual(FULL)
})

it('stays where costs go up and down a little', () => {
  const size = new MovingSize()
  pictures(size, 100, () => 1e-4)
  const later = pictures(size, 200, picture => 1e-4 * (picture % 2 ? 1.1 : 0.9))
  expect(changesOf(later)).toBeLessThanOrEqual(1)
})

it('does not follow a single picture that is late', () => {
  const size = new MovingSize()
  pictures(size, 100, () => 1e-4)
  const before = size.of(FULL)
  pictures(size, 30, picture => (picture % 10 === 5 ? 5e-4 : 1e-4))
  expect(size.of(FULL)).toEqual(before)
})

it('is soon smaller when a picture becomes much dearer, without anybody having said so', () => {
  const size = new MovingSize()
  pictures(size, 100, () => 1e-5)
  expect(pictures(size, 8, () => 1e-3).at(-1)!.size[0]).toBeLessThan(FULL[0] / 3)
})

it('suits a view that is predicted to cost more or less, with its first picture', () => {
  fc.assert(
    fc.property(fc.double({ min: 1.5, max: 6, noNaN: true }), change => {
      const size = new MovingSize()
      // Costs are known from several sizes.
      pictures(size, 60, () => 3e-4)
      pictures(size, 200, () => 5e-5)
      const [dearer] = pictures(size, 1, () => 5e-5 * change, { otherMs: 2 * change, viewCost: () => change })
      expect(dearer!.ms).toBeLessThanOrEqual(USUAL_MS * 1.1)
      const [again] = pictures(size, 1, () => 5e-5)
      expect(again!.ms).toBeLessThanOrEqual(USUAL_MS * 1.1)
      expect(pixelsOf(again!)).toBeGreaterThan(pixelsOf(dearer!))
    }),
    { numRuns: 50 },
  )
})

it('follows a view that becomes dearer bit by bit, and is never late for long', () => {
  const size = new MovingSize()
  pictures(size, 200, () => 4e-5)
  const cost = (picture: number) => 1.03 ** picture
  const made = pictures(size, 60, picture => 4e-5 * cost(picture), { viewCost: cost })
  for (const [i, { ms }] of made.entries())
    expect(Math.min(ms, made[i + 1]?.ms ?? 0)).toBeLessThan(USUAL_MS * 1.25 * 1.03)
})

it('does not depend on the unit of predictions', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { maxLength: 60 }), costs => {
      const made = [1, 64].map(unit =>
        pictures(new MovingSize(), costs.length, i => 1e-4 * costs[i]!, { viewCost: i => costs[i]! * unit }).map(
          nameOf,
        ),
      )
      expect(made[1]).toEqual(made[0])
    }),
  )
})

it('of a still has at most so many pixels, and the proportions of its place', () => {
  const side = fc.integer({ min: 1, max: 8000 })
  fc.assert(
    fc.property(side, side, fc.integer({ min: 1, max: 4_000_000 }), (w, h, most) => {
      const [width, height] = fitted([w, h], most)
      expect(width * height).toBeLessThanOrEqual(most)
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(1)
      if (w * h <= most) expect([width, height]).toEqual([w, h])
      else if (Math.min(width, height) > 10) expect(width / height / (w / h)).toBeCloseTo(1, 0)
    }),
  )
})
