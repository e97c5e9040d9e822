import { describe, expect, it } from 'vitest'
import { endingTogether, proportional } from '../../../../master/strategies/within/proportional.ts'
import { weightMix } from '../../../../master/strategies/within/weight-mix.ts'
import { hash32, unitOf } from '../../../../shared/math/random.ts'
import { adjust, adjustmentsUntil, type Device, WORK } from '../../../support/devices.ts'

const noise = (frame: number, device: number) => 1 + 0.04 * (unitOf(hash32(7, frame, device)) - 0.5)
const STARTS = [0, 0.5, 0.75, 1]
const bestMs = (devices: readonly Device[]) => WORK / devices.reduce((sum, { speed, rate = speed }) => sum + rate, 0)
/** Eight devices of very different speeds that say nothing of it. */
const EIGHT: readonly Device[] = [1, 0.3, 6, 2, 0.7, 4, 1.5, 3].map(rate => ({ speed: 1, rate }))

describe('proportional', () => {
  it.each(STARTS)('is within 2 points of the best share after two adjustments, from %f', withinStart => {
    for (const [devices, best] of [
      [[{ speed: 1 }, { speed: 6.7 }], 6.7 / 7.7],
      // Devices that are not what they declare.
      [[{ speed: 1 }, { speed: 4, rate: 2 }], 2 / 3],
      [[{ speed: 1 }, { speed: 1, rate: 20 }], 20 / 21],
      [EIGHT, 1 - 1 / 18.5],
    ] as const) {
      const seen = adjust(proportional, devices, 20, { withinStart }, noise)
      expect(adjustmentsUntil(seen, best)).toBeLessThanOrEqual(2)
      expect(seen.at(-1)!.frameMs).toBeLessThan(1.05 * bestMs(devices))
    }
  })

  it('needs fewer adjustments than the weights of a renderer, however many devices there are', () => {
    const fast = adjustmentsUntil(
      adjust(weightMix, [{ speed: 1 }, { speed: 6.7 }], 100, { withinStart: 0.5 }),
      6.7 / 7.7,
    )
    const slow = adjustmentsUntil(adjust(weightMix, EIGHT, 100), 1 - 1 / 18.5, 0.005)
    expect(fast).toBeGreaterThan(2)
    expect(slow).toBeGreaterThan(fast)
  })

  it('finds out what a device takes before it begins, and leaves it out where that does not pay', () => {
    const late = { speed: 1, rate: 4, startMs: 100 }
    // Together they would end after 1000 = T + 4 (T − 100): T = 280 ms.
    const seen = adjust(proportional, [{ speed: 1 }, late], 20)
    expect(seen.at(-1)!.frameMs).toBeCloseTo(280, 0)
    const useless = adjust(proportional, [{ speed: 1 }, { speed: 1, rate: 4, startMs: 1100 }], 60)
    expect(useless[2]!.shares).toEqual([1, 0])
    expect(useless.slice(2, 30).every(({ frameMs }) => frameMs <= WORK)).toBe(true)
  })

  it('tries a device that did not pay again, so seldom that it costs next to nothing, and takes it back', () => {
    const frames = 400
    const useless = adjust(proportional, [{ speed: 1 }, { speed: 1, rate: 4, startMs: 2000 }], frames).slice(2)
    const trials = useless.filter(({ shares }) => shares[1]! > 0)
    expect(trials.length).toBeGreaterThan(0)
    const mean = useless.reduce((sum, { frameMs }) => sum + frameMs, 0) / useless.length
    expect(mean).toBeLessThan(1.01 * WORK)
    // A device that was busy with something else for the first frames.
    const busy = (frame: number, device: number) => (device === 1 && frame < 20 ? 500 : 1)
    const back = adjust(proportional, [{ speed: 1 }, { speed: 4 }], 2000, {}, busy)
    expect(back[10]!.shares[1]).toBe(0)
    expect(back.at(-1)!.shares[1]).toBeCloseTo(0.8, 1)
  })

  it('begins anew with what is declared for an area that was given nothing', () => {
    const [, second] = adjust(proportional, [{ speed: 2 }, { speed: 6 }], 2, { withinStart: 0 })
    expect(second!.shares[1]).toBeCloseTo(0.75)
  })
})

it('has areas end together, and those that would begin too late not at all', () => {
  const shares = endingTogether(
    [
      { startMs: 0, rate: 1 },
      { startMs: 10, rate: 3 },
      { startMs: 1e6, rate: 100 },
    ],
    WORK,
  )
  expect(shares[0]! * WORK).toBeCloseTo(10 + (shares[1]! * WORK) / 3)
  expect(shares[2]).toBe(0)
})
