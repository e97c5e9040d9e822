/** The size of a picture that moves follows what it costs, and does not change back and forth. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fitted, MovingSize } from '../../../master/page/moving-size.ts'
import type { Size } from '../../../shared/frame/rect.ts'

const FULL: Size = [1280, 720]

/** The sizes of pictures of which a pixel takes so long, and the rest of one always as long. */
function sizes(size: MovingSize, count: number, msPerPixel: (picture: number) => number, otherMs = 2): Size[] {
  return Array.from({ length: count }, (_, picture) => {
    const [w, h] = size.of(FULL)
    size.measured([w, h], FULL, w * h * msPerPixel(picture) + otherMs)
    return [w, h]
  })
}

const timeOf = ([w, h]: Size, msPerPixel: number): number => w * h * msPerPixel

it('is as large as there is time for', () => {
  for (const msPerPixel of [3e-6, 2e-5, 1e-4, 5e-4]) {
    const last = sizes(new MovingSize(), 100, () => msPerPixel).at(-1)!
    expect(timeOf(last, msPerPixel) + 2).toBeLessThanOrEqual(33)
    // The next larger one has up to 1.45 times the pixels.
    if (last[0] < FULL[0]) expect(timeOf(last, msPerPixel) * 1.5 + 2).toBeGreaterThan(25)
  }
})

it('takes as long as is wanted, and follows when something else is', () => {
  const size = new MovingSize()
  const msPerPixel = 1e-4
  for (const wanted of [10, 100, 40, 10]) {
    for (let i = 0; i < 120; i++) {
      const [w, h] = size.of(FULL)
      size.measured([w, h], FULL, w * h * msPerPixel + 1, wanted)
    }
    const last = timeOf(size.of(FULL), msPerPixel)
    expect(last + 1).toBeLessThanOrEqual(wanted * 1.25)
    if (size.of(FULL)[0] < FULL[0]) expect(last * 1.5 + 1).toBeGreaterThan(wanted * 0.92)
  }
})

it('of a small place is never so small that it shows nothing, and grows again', () => {
  const small: Size = [390, 477]
  const size = new MovingSize()
  const after = (count: number, msPerPixel: number): Size => {
    for (let i = 0; i < count; i++) {
      const [w, h] = size.of(small)
      size.measured([w, h], small, w * h * msPerPixel)
    }
    return size.of(small)
  }
  const [w, h] = after(60, 0.1)
  expect(w * h).toBeGreaterThan(24_500)
  expect(w * h).toBeLessThan(25_500)
  expect(after(60, 1e-6)).toEqual(small)
  // One that has fewer pixels in all is shown at half its size.
  const tiny: Size = [120, 80]
  for (let i = 0; i < 20; i++) size.measured([60, 40], tiny, 1000)
  expect(size.of(tiny)).toEqual([60, 40])
})

it('is the full size where that is in time', () => {
  expect(sizes(new MovingSize(), 50, () => 1e-5).at(-1)).toEqual(FULL)
})

it('does not shrink for what does not depend on it', () => {
  const [w] = sizes(new MovingSize(), 100, () => 1e-5, 200).at(-1)!
  expect(w).toBe(FULL[0])
})

it('stays where costs go up and down a little', () => {
  const size = new MovingSize()
  sizes(size, 50, () => 1e-4)
  const later = sizes(size, 200, picture => 1e-4 * (picture % 2 ? 1.1 : 0.9))
  expect(new Set(later.map(each => each.join('x'))).size).toBeLessThanOrEqual(2)
  const changes = later.filter((each, i) => i > 0 && each[0] !== later[i - 1]![0])
  expect(changes.length).toBeLessThanOrEqual(1)
})

it('does not follow a single picture that is late', () => {
  const size = new MovingSize()
  sizes(size, 50, () => 1e-4)
  const before = size.of(FULL)
  sizes(size, 30, picture => (picture % 10 === 5 ? 5e-4 : 1e-4))
  expect(size.of(FULL)).toEqual(before)
})

it('is soon smaller when a picture becomes much dearer', () => {
  const size = new MovingSize()
  sizes(size, 50, () => 1e-5)
  expect(sizes(size, 8, () => 1e-3).at(-1)![0]).toBeLessThan(FULL[0] / 3)
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
