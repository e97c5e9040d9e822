import { expect, test } from 'vitest'
import { cssColor, type Rgb, workerColor, workerColors } from '../../../../shared/dashboard/worker-colors.ts'

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `w${index}`)

const nearest = (colors: readonly Rgb[]): number =>
  Math.min(...colors.flatMap((a, i) => colors.slice(i + 1).map(b => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))))

test.each([
  [8, 60],
  [64, 20],
  [200, 8],
])('%i workers get colours at least %i apart', (count, apart) => {
  const colors = [...workerColors(ids(count)).values()]
  expect(colors).toHaveLength(count)
  expect(nearest(colors)).toBeGreaterThanOrEqual(apart)
})

test('more workers do not repaint the ones before', () => {
  const few = workerColors(ids(4))
  const many = workerColors(ids(40))
  for (const [id, color] of few) expect(many.get(id)).toEqual(color)
})

test('any number of workers gets some colour, a repeated id only one', () => {
  expect(workerColors([]).size).toBe(0)
  expect(workerColors(['a', 'b', 'a']).size).toBe(2)
  expect([...workerColors(ids(5000)).values()].every(color => color !== undefined)).toBe(true)
})

test('css colours have six digits', () => {
  expect(cssColor([0, 10, 255])).toBe('#000aff')
})

test('by their place, workers have the same colours, however many there are', () => {
  const many = ids(2000)
  const colors = workerColors(many)
  for (const [place, id] of many.entries()) expect(workerColor(place)).toBe(cssColor(colors.get(id)!))
})
