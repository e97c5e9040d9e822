import { describe, expect, it } from 'vitest'
import {
  chiSquareTail,
  normalQuantile,
  normalTail,
  studentTail,
} from '../../../../../scripts/bench/pictures/checks/distributions.ts'

/** Values of tables: Abramowitz and Stegun, 26.7, 26.8 and 26.10. */
describe('tail probabilities', () => {
  it.each([
    [3.84146, 1, 0.05],
    [18.307, 10, 0.05],
    [23.2093, 10, 0.01],
    [124.342, 100, 0.05],
    [9.34182, 10, 0.5],
  ])('of χ² at %s with %s degrees of freedom', (value, degrees, tail) => {
    expect(chiSquareTail(value, degrees)).toBeCloseTo(tail, 5)
  })

  it.each([
    [6.31375, 1, 0.05],
    [2.57058, 5, 0.025],
    [4.1437, 10, 0.001],
    [1.98397, 100, 0.025],
    [0.5, 1, 0.5 - Math.atan(0.5) / Math.PI],
  ])("of Student's t at %s with %s degrees of freedom", (value, degrees, tail) => {
    expect(studentTail(value, degrees)).toBeCloseTo(tail, 6)
  })

  it.each([
    [0, 0.5],
    [1, 0.158655253931],
    [3, 0.001349898032],
    [6, 9.865876e-10],
  ])('of the normal distribution at %s, and back', (value, tail) => {
    expect(normalTail(value) / tail).toBeCloseTo(1, 6)
    expect(normalTail(-value)).toBeCloseTo(1 - tail, 9)
    expect(normalQuantile(tail)).toBeCloseTo(value, 5)
  })

  it('become those of the normal distribution with many degrees of freedom', () => {
    expect(studentTail(2, 1e7)).toBeCloseTo(normalTail(2), 7)
  })
})
