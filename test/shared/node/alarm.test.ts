import { expect, it, vi } from 'vitest'
import { alarmsBy } from '../../../shared/node/alarm.ts'

it('wakes nobody early, although timers are', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let now = 1000.25
    const woken: number[] = []
    alarmsBy({ now: () => now })(() => woken.push(now), 1000)
    // The timer counts whole milliseconds of another clock.
    now = 1999.875
    vi.advanceTimersByTime(1000)
    expect(woken).toEqual([])
    now = 2000.25
    vi.advanceTimersByTime(1)
    expect(woken).toEqual([2000.25])
    vi.advanceTimersByTime(10_000)
    expect(woken).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

it('can be disarmed, also after its timer was early', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const woken: number[] = []
    const disarm = alarmsBy({ now: () => 0 })(() => woken.push(0), 10)
    vi.advanceTimersByTime(15)
    disarm()
    vi.runAllTimers()
    expect(woken).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

it('waits for longer than a timer can count', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const days = 40 * 24 * 3600 * 1000
    let now = 0
    let isAwake = false
    alarmsBy({ now: () => now })(() => {
      isAwake = true
    }, days)
    now = 2 ** 31 - 1
    vi.advanceTimersByTime(now)
    expect(isAwake).toBe(false)
    vi.advanceTimersByTime(days - now)
    now = days
    vi.runAllTimers()
    expect(isAwake).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
