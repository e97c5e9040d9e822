/** How the time of a cluster is divided among films that pause, on a clock by hand. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SharingSession, type Turn, Turns } from '../../../master/sessions/turns.ts'
import { areaId } from '../../../shared/ids.ts'

/** A film as the others see it: how long its frames take, and how long it pauses between them. */
interface Film {
  readonly kind?: SharingSession['kind']
  /** @default 2, as of a film of the command line */
  readonly inFlight?: number
  /** When it begins, ms. */
  readonly from?: number
  readonly frameMs: number
  /** From the end of a frame until it asks for the next, ms; 0, and after the last: it asks when the frame begins. */
  readonly pauses: readonly number[]
}

interface Made {
  readonly film: number
  readonly beganAt: number
  readonly endedAt: number
}

/** A stretch in which a film always had a frame waiting or in progress. */
interface Busy {
  readonly film: number
  readonly from: number
  to: number
}

const HOUR = 3_600_000

/** Who was let in does what it does then. */
const settle = () => new Promise(resolve => setImmediate(resolve))

/** Plays films on a cluster until a time. A frame of a film that may have two in flight is spare at its half. */
async function play(films: readonly Film[], untilMs: number): Promise<{ made: Made[]; busy: Busy[] }> {
  const clock = { now: 0 }
  const turns = new Turns(() => clock.now)
  const agenda: { at: number; act: () => void }[] = []
  const at = (when: number, act: () => void) => void agenda.push({ at: when, act })
  const made: Made[] = []
  const busy: Busy[] = []
  for (const [number, { kind = 'film', inFlight = 2, from = 0, frameMs, pauses }] of films.entries()) {
    const guest: SharingSession = { kind, inFlight, pool: { key: 'all', areas: () => [areaId('w1')] } }
    const left = [...pauses]
    let active = 0
    let stretch: Busy | undefined
    const ask = () => {
      if (active++ === 0) {
        stretch = { film: number, from: clock.now, to: untilMs }
        busy.push(stretch)
      }
      void turns.enter(guest, new AbortController().signal).then(begin)
    }
    const begin = (turn: Turn) => {
      const beganAt = clock.now
      const pause = left.shift() ?? 0
      if (inFlight > 1) at(beganAt + frameMs / 2, () => turn.spare())
      at(beganAt + frameMs, () => {
        turn.leave(clock.now)
        made.push({ film: number, beganAt, endedAt: clock.now })
        if (--active === 0 && stretch) stretch.to = clock.now
        if (pause > 0) at(clock.now + pause, ask)
      })
      if (pause === 0) ask()
    }
    at(from, () => {
      turns.join(guest)
      ask()
    })
  }
  while (clock.now < untilMs && agenda.length > 0) {
    // Sorting keeps what happens at the same time in order.
    agenda.sort((a, b) => a.at - b.at)
    const next = agenda.shift()!
    clock.now = Math.max(clock.now, next.at)
    next.act()
    await settle()
  }
  return { made, busy }
}

/** Time that a film had of the cluster in a stretch, in frames that began and ended in it. */
const used = (made: readonly Made[], film: number, { from, to }: Pick<Busy, 'from' | 'to'>): number =>
  made
    .filter(frame => frame.film === film && frame.beganAt >= from && frame.endedAt <= to)
    .reduce((sum, { beganAt, endedAt }) => sum + endedAt - beganAt, 0)

describe('the time of a cluster', () => {
  it('is not owed to a film that paused for an hour', async () => {
    const { made } = await play(
      [
        { frameMs: 100, pauses: [HOUR] },
        { frameMs: 30_000, pauses: [] },
      ],
      HOUR + 600_000,
    )
    const back = { from: HOUR + 60_000, to: HOUR + 600_000 }
    expect(used(made, 1, back)).toBeGreaterThan(0.4 * 540_000)
  })

  it('is not owed to a film that comes back in a moment when nobody else asks', async () => {
    const { made } = await play(
      [
        { inFlight: 1, frameMs: 100, pauses: [60_050] },
        // From 100 to 60,100 ms without a pause, and again from 60,200 on.
        { inFlight: 1, frameMs: 100, pauses: [...Array<number>(599).fill(0), 100] },
      ],
      80_200,
    )
    expect(used(made, 1, { from: 60_200, to: 80_200 })).toBeGreaterThan(9500)
  })

  it('is not owed to a film because a viewer has had little', async () => {
    const { made } = await play(
      [
        { frameMs: 1000, pauses: [] },
        { kind: 'viewer', frameMs: 10, pauses: [HOUR] },
        { frameMs: 1000, from: 600_000, pauses: [] },
      ],
      700_000,
    )
    expect(used(made, 0, { from: 600_000, to: 700_000 })).toBeGreaterThan(45_000)
  })

  it('goes to a film that is a little late in asking before others that have had more', async () => {
    const late = Array.from({ length: 1000 }, () => 2)
    const { made } = await play(
      [
        { frameMs: 10, pauses: late },
        { frameMs: 100, pauses: [] },
        { frameMs: 130, pauses: [] },
      ],
      20_000,
    )
    const count = (film: number) => made.filter(frame => frame.film === film).length
    // Whenever a frame of one of the others ends, it is next.
    expect(count(0)).toBeGreaterThan(0.9 * (count(1) + count(2)))
  })

  it.each([1, 2])(
    'is shared equally by films that always have frames, %s in flight, however long these take',
    async inFlight => {
      const films = [10, 70, 33, 250].map(frameMs => ({ frameMs, inFlight, pauses: [] }))
      const { made } = await play(films, 60_000)
      const shares = films.map((_, film) => used(made, film, { from: 0, to: 60_000 }))
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(2 * 250 * inFlight)
    },
  )

  it.each([1, 2])('is denied to nobody, %s in flight, whatever the others’ pauses', async inFlight => {
    const pause = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 15_000 }),
      fc.constant(HOUR),
    )
    const film = fc.record({
      inFlight: fc.constant(inFlight),
      from: fc.integer({ min: 0, max: 2000 }),
      frameMs: fc.integer({ min: 10, max: 300 }),
      pauses: fc.array(pause, { maxLength: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(film, { minLength: 2, maxLength: 5 }), async films => {
        const { made, busy } = await play(films, 20_000)
        // No film has more than one that always asks, but for what was in progress.
        for (const stretch of busy)
          for (const [other, { frameMs }] of films.entries()) {
            const more = used(made, other, stretch) - used(made, stretch.film, stretch)
            expect(more).toBeLessThanOrEqual(2 * inFlight * (frameMs + films[stretch.film]!.frameMs))
          }
      }),
      { numRuns: 100 },
    )
  })
})
