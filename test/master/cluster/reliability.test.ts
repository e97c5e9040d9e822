/** Pauses of those who fail again and again. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_RELIABILITY, MOST_REMEMBERED, Reliability } from '../../../master/cluster/reliability.ts'
import type { QuarantineCause } from '../../../master/scheduling/events.ts'

const { failures: tooMany, withinMs, pauses, forgivenAfterMs } = DEFAULT_RELIABILITY

/** Fails until it is quarantined; returns how often that took, and for how long it is. */
function failUntilAside(reliability: Reliability, now: number): { readonly failures: number; readonly ms: number } {
  for (let failures = 1; ; failures++) {
    const pause = reliability.failed('anna', 'no light', now)
    if (pause) return { failures, ms: pause.ms }
  }
}

describe('somebody who fails', () => {
  it('is quarantined for the third failure within a minute, with the newest reason', () => {
    const reliability = new Reliability()
    expect(reliability.failed('anna', 'first', 0)).toBeUndefined()
    expect(reliability.failed('anna', 'second', 30_000)).toBeUndefined()
    expect(reliability.failed('anna', 'third', 59_999)).toEqual({
      reason: 'third',
      cause: 'failures',
      until: 60_999,
      ms: 1000,
    })
    expect(reliability.pauseOf('anna', 60_998)?.reason).toBe('third')
    expect(reliability.pauseOf('anna', 60_999)).toBeUndefined()
    expect(reliability.pauseOf('bert', 60_000)).toBeUndefined()
  })

  it('is not for failures that are far apart', () => {
    const reliability = new Reliability()
    for (let i = 0; i < 100; i++) expect(reliability.failed('anna', '', (i * withinMs) / (tooMany - 1))).toBeUndefined()
  })

  it('is quarantined for one more failure afterwards, twice as long each time, up to a minute', () => {
    const reliability = new Reliability()
    let now = 0
    const pauses: number[] = []
    for (let i = 0; i < 9; i++) {
      const { failures, ms } = failUntilAside(reliability, now)
      expect(failures).toBe(i === 0 ? tooMany : 1)
      pauses.push(ms / 1000)
      now += ms
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('has each doubling forgiven after a good stretch, and then the rest', () => {
    const reliability = new Reliability()
    let now = 0
    for (let i = 0; i < 4; i++) now += failUntilAside(reliability, now).ms
    // Four doublings: the next pause would be 16 s.
    now += 2 * forgivenAfterMs
    expect(failUntilAside(reliability, now)).toEqual({ failures: 1, ms: 4000 })
    now += 4000 + 3 * forgivenAfterMs
    expect(failUntilAside(reliability, now)).toEqual({ failures: tooMany, ms: 1000 })
  })

  it('has nothing held against it that happens within a pause', () => {
    const reliability = new Reliability()
    failUntilAside(reliability, 0)
    for (let i = 0; i < 50; i++) expect(reliability.failed('anna', 'more', 500)).toBeUndefined()
    expect(failUntilAside(reliability, 1000).ms).toBe(2000)
  })

  it('waits longer if it does not answer, whatever pause it has', () => {
    const reliability = new Reliability()
    failUntilAside(reliability, 0)
    expect(reliability.quarantine('anna', 'asleep', 'failures', 1)).toBeUndefined()
    expect(reliability.quarantine('anna', 'asleep', 'silence', 1)?.ms).toBe(2 * pauses.silence.first)
    expect(reliability.quarantine('anna', 'asleep', 'silence', 2)).toBeUndefined()
  })

  it('returns when it answers after all, as if it had not been silent', () => {
    const reliability = new Reliability()
    expect(reliability.lift('anna', 0)).toBe(false)
    reliability.quarantine('anna', 'asleep', 'silence', 0)
    expect(reliability.lift('anna', 5)).toBe(true)
    expect([reliability.lift('anna', 6), reliability.pauseOf('anna', 6)]).toEqual([false, undefined])
    expect(reliability.quarantine('anna', 'asleep', 'silence', 7)?.ms).toBe(pauses.silence.first)
    // What it failed stands.
    const other = new Reliability()
    failUntilAside(other, 0)
    expect(other.lift('anna', 1)).toBe(false)
    expect(other.pauseOf('anna', 1)).toBeDefined()
  })

  it('is not forgotten while it is quarantined, however many others fail, nor are others', () => {
    const reliability = new Reliability()
    const most = MOST_REMEMBERED + 50
    for (let i = 0; i < most; i++) reliability.quarantine(`n${i}`, 'asleep', 'silence', i / most)
    const running = Array.from({ length: most }, (_, i) => reliability.pauseOf(`n${i}`, 2))
    expect(running.indexOf(undefined)).toBe(-1)
    // The bound holds again when their pauses are over.
    reliability.failed('anna', '', 2 * pauses.silence.first)
    expect(reliability.size).toBe(MOST_REMEMBERED)
  })

  it('is forgotten before others who failed later', () => {
    const reliability = new Reliability()
    failUntilAside(reliability, 0)
    for (let i = 0; i < 2 * MOST_REMEMBERED; i++) reliability.failed(`n${i}`, '', 1000)
    expect(reliability.size).toBe(MOST_REMEMBERED)
    // It is as if it had never failed.
    expect(failUntilAside(reliability, 1001)).toEqual({ failures: tooMany, ms: 1000 })
  })
})

const NAMES = ['anna', 'bert', 'carl'] as const

const anyEvents = fc.array(
  fc.record({
    who: fc.constantFrom('anna', 'bert'),
    what: fc.constantFrom('failed', 'failed', 'failed', 'failures', 'silence'),
    wait: fc.oneof(fc.nat(3000), fc.nat(200_000)),
  }),
  { maxLength: 80 },
)

it('never sets anybody aside for too long, or who has not failed, and forgives in the end', () => {
  fc.assert(
    fc.property(anyEvents, events => {
      const reliability = new Reliability()
      let now = 0
      const failures = new Map<string, number[]>()
      const wasAside = new Set<string>()
      for (const { who, what, wait } of events) {
        now += wait
        const before = reliability.pauseOf(who, now)
        const cause: QuarantineCause = what === 'silence' ? 'silence' : 'failures'
        const pause =
          what === 'failed' ? reliability.failed(who, what, now) : reliability.quarantine(who, what, cause, now)
        if (what === 'failed') failures.set(who, [...(failures.get(who) ?? []), now])
        for (const name of NAMES) {
          const running = reliability.pauseOf(name, now)
          if (!running || running.cause === 'operator') continue
          expect(running.until - now).toBeLessThanOrEqual(running.ms)
          expect(running.ms).toBeGreaterThanOrEqual(pauses[running.cause].first)
          expect(running.ms).toBeLessThanOrEqual(pauses[running.cause].most)
        }
        if (!pause) continue
        // A pause is never shortened, and the first one needs as many failures as are too many.
        expect(pause.until).toBeGreaterThanOrEqual(before?.until ?? 0)
        if (what === 'failed' && !wasAside.has(who))
          expect(failures.get(who)!.filter(at => now - at < withinMs).length).toBeGreaterThanOrEqual(tooMany)
        wasAside.add(who)
      }
      expect(reliability.pauseOf('carl', now)).toBeUndefined()
      now += pauses.silence.most + 7 * forgivenAfterMs
      for (const who of NAMES) {
        expect(reliability.pauseOf(who, now)).toBeUndefined()
        expect([1, 2, 3].map(() => reliability.failed(who, '', now)?.ms)).toEqual([undefined, undefined, 1000])
      }
    }),
    { numRuns: 500 },
  )
})

it('an operator counts more than what happened, is forgotten by nothing, and takes it back', () => {
  const reliability = new Reliability()
  for (let i = 0; i < 3; i++) reliability.failed('a', 'it broke', 0)
  const asked = reliability.quarantine('a', 'asked', 'operator', 1)!
  expect(asked.until - 1).toBeGreaterThan(600_000)
  expect(reliability.quarantine('a', 'silent', 'silence', 2)).toBeUndefined()
  expect(reliability.lift('a', 3)).toBe(false)
  expect(reliability.release('a', 4)).toBe(true)
  expect(reliability.pauseOf('a', 5)).toBeUndefined()
  expect(reliability.release('a', 6)).toBe(false)
  // Three failures are too many again, not one.
  expect(reliability.failed('a', 'it broke', 7)).toBeUndefined()
})
