import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeLabels } from '../../../../scripts/report/charts/label-placement.ts'

test('labels that have room stay where they want to be', () => {
  expect(placeLabels([30, 10, 80], 15, 0, 100)).toEqual([30, 10, 80])
})

test('two labels that collide give way equally', () => {
  expect(placeLabels([50, 50], 10, 0, 100)).toEqual([45, 55])
})

test('whatever they want, labels keep their distance, their order and the limits', () => {
  const wishes = fc.array(fc.double({ min: -50, max: 450, noNaN: true }), { minLength: 1, maxLength: 24 })
  fc.assert(
    fc.property(wishes, wanted => {
      const placed = placeLabels(wanted, 16, 0, 400)
      const sorted = [...placed].sort((a, b) => a - b)
      for (let i = 1; i < sorted.length; i++) expect(sorted[i]! - sorted[i - 1]!).toBeGreaterThanOrEqual(16 - 1e-6)
      for (const at of placed) {
        expect(at).toBeGreaterThanOrEqual(-1e-6)
        expect(at).toBeLessThanOrEqual(400 + 1e-6)
      }
      wanted.forEach((a, i) => {
        wanted.forEach((b, j) => {
          if (a < b) expect(placed[i]!).toBeLessThan(placed[j]!)
        })
      })
    }),
  )
})

test('more labels than fit are spread over all the room there is', () => {
  const placed = placeLabels(new Array(30).fill(5), 20, 0, 290)
  expect(placed[0]).toBeCloseTo(0)
  expect(placed.at(-1)).toBeCloseTo(290)
})
