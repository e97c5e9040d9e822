import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cosTurns, sinTurns, tanTurns } from '../../../shared/math/trig.ts'

const TAU = 2 * Math.PI
const angle = fc.double({ min: -1, max: 1, noNaN: true })

describe('sine and cosine of turns', () => {
  it('agree with the platform within 1e-15', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.125, max: 0.125, noNaN: true }), u => {
        expect(Math.abs(sinTurns(u) - Math.sin(TAU * u))).toBeLessThanOrEqual(1e-15)
        expect(Math.abs(cosTurns(u) - Math.cos(TAU * u))).toBeLessThanOrEqual(1e-15)
      }),
      { numRuns: 2000 },
    )
    for (let i = -4000; i <= 4000; i++) {
      // Beyond an eighth of a turn the platform's argument, 2π·u, is itself rounded by up to 4e-16.
      expect(Math.abs(sinTurns(i / 4000) - Math.sin((TAU * i) / 4000))).toBeLessThanOrEqual(2e-15)
      expect(Math.abs(cosTurns(i / 4000) - Math.cos((TAU * i) / 4000))).toBeLessThanOrEqual(2e-15)
    }
  })

  it('are exact at quarter turns, however many', () => {
    for (const whole of [0, 1, -1, 7, -1000, 2 ** 40]) {
      expect([0, 0.25, 0.5, 0.75].map(q => sinTurns(whole + q) + 0)).toEqual([0, 1, 0, -1])
      expect([0, 0.25, 0.5, 0.75].map(q => cosTurns(whole + q) + 0)).toEqual([1, 0, -1, 0])
    }
  })

  it('lie on the unit circle', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), u => {
        expect(Math.abs(sinTurns(u) ** 2 + cosTurns(u) ** 2 - 1)).toBeLessThanOrEqual(1e-15)
      }),
    )
  })

  it('repeat every turn and are odd and even', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4096, max: 4096 }), fc.integer({ min: -50, max: 50 }), (eighth, turns) => {
        const u = eighth / 4096 // representable, so that u + turns is exact
        expect(sinTurns(u + turns)).toBe(sinTurns(u))
        expect(cosTurns(u + turns)).toBe(cosTurns(u))
      }),
    )
    fc.assert(
      fc.property(angle, u => {
        expect(sinTurns(-u) + 0).toBeCloseTo(-sinTurns(u), 15)
        expect(cosTurns(-u)).toBeCloseTo(cosTurns(u), 15)
      }),
    )
  })

  it('give the values of textbooks', () => {
    expect(sinTurns(1 / 12)).toBeCloseTo(0.5, 15)
    expect(cosTurns(1 / 8)).toBeCloseTo(Math.SQRT1_2, 15)
    expect(tanTurns(1 / 8)).toBeCloseTo(1, 15)
    expect(tanTurns(45 / 720)).toBeCloseTo(Math.SQRT2 - 1, 15)
  })

  it('answer NaN where no answer has meaning', () => {
    for (const u of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      expect(sinTurns(u)).toBeNaN()
      expect(cosTurns(u)).toBeNaN()
    }
  })
})
