import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pacer } from '../../../worker/threads/pacer.ts'

/** What a sleep may take too long, ms. */
const MAX_LATE = 0.4

describe('pacing', () => {
  it('stretches CPU time to CPU time over share', () => {
    const pacer = new Pacer(0.2)
    pacer.begin(1000)
    expect(pacer.pauseMs(10, 1010)).toBeCloseTo(40)
    expect(pacer.pauseMs(10, 1030)).toBeCloseTo(20)
  })

  it('never sleeps when late, nor with a whole core', () => {
    const pacer = new Pacer(0.2)
    pacer.begin(0)
    expect(pacer.pauseMs(10, 80)).toBe(0)
    const whole = new Pacer(1)
    whole.begin(0)
    expect([whole.paces, whole.pauseMs(1000, 10)]).toEqual([false, 0])
  })

  it('makes good with a tile that waits what the one before took too long, and gives nothing for idle time', () => {
    const pacer = new Pacer(0.5)
    pacer.begin(0)
    expect(pacer.pauseMs(10, 10)).toBe(10)
    // Slept until 23 instead of 20. The next order came at 5.
    pacer.begin(5)
    expect(pacer.pauseMs(10, 33)).toBe(7)
    // The one after that comes at 100, long after 40.
    pacer.begin(100)
    expect(pacer.pauseMs(10, 110)).toBe(10)
  })

  it('ends every tile when a slower machine would, whatever its rows cost and however sleep overshoots', () => {
    const ms = (max: number) => fc.double({ min: 0.01, max, noNaN: true })
    const anyTile = fc.record({
      gap: ms(100),
      rows: fc.array(ms(20), { minLength: 1, maxLength: 30 }),
      late: ms(MAX_LATE),
    })
    const anyTiles = fc.array(anyTile, { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(anyTiles, fc.constantFrom(0.05, 0.2, 0.5, 0.9), (tiles, share) => {
        const pacer = new Pacer(share)
        let [clock, ordered, slower] = [0, 0, 0]
        return tiles.every(({ gap, rows, late }) => {
          ordered += gap
          clock = Math.max(clock, ordered)
          slower = Math.max(slower, ordered)
          pacer.begin(ordered)
          let cpu = 0
          for (const row of rows) {
            cpu += row
            clock += row
            const pause = pacer.pauseMs(cpu, clock)
            if (pause > 0) clock += pause + late
          }
          slower += cpu / share
          // Work so cheap that it is done within what a sleep overshot leaves some of that for later.
          return clock >= slower - 1e-6 && clock <= slower + MAX_LATE + 1e-6
        })
      }),
    )
  })
})
