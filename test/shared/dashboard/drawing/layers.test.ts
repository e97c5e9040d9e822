import { expect, it } from 'vitest'
import { opacityOfEach } from '../../../../shared/dashboard/drawing/layers.ts'

it('has layers of tiles look as one', () => {
  const size = [10, 10] as const
  const halves = [
    { w: 10, h: 4 },
    { w: 10, h: 6 },
  ]
  expect(opacityOfEach(0.14, halves, size)).toBe(0.14)
  for (const layers of [2, 7, 40]) {
    const each = opacityOfEach(0.14, Array.from({ length: layers }, () => halves).flat(), size)
    expect(1 - (1 - each) ** layers).toBeCloseTo(0.14, 12)
  }
  // Nothing, opaque, clear, and a part of the frame.
  expect(opacityOfEach(0.5, [], size)).toBe(0.5)
  expect(opacityOfEach(1, [...halves, ...halves], size)).toBe(1)
  expect(opacityOfEach(0, [...halves, ...halves], size)).toBe(0)
  expect(opacityOfEach(0.5, [{ w: 5, h: 5 }], size)).toBe(0.5)
})
