/** The table of states: every move is one that it allows, is told once with its time, and everybody reads the same. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AreaState, isAtWork, Roster, type Transition } from '../../../master/cluster/roster.ts'
import type { Area } from '../../../master/cluster/worker-link.ts'
import type { QuarantineCause } from '../../../master/scheduling/events.ts'
import { InvariantError } from '../../../shared/errors.ts'
import { areaId } from '../../../shared/ids.ts'

const ROSTER_STATES = ['joining', 'serving', 'quiet', 'quarantined', 'withdrawn', 'leaving', 'gone'] as const
const pause = (until: number, cause: QuarantineCause = 'failures') => ({
  reason: cause,
  cause,
  until,
  ms: until,
})

const area = (name: string): Area =>
  ({
    id: areaId(name),
    key: name,
    info: { id: name, name, engine: 'reference', threads: 1, speed: 1 },
    warmth: new Map(),
    link: { scenes: { phase: () => 'building' } },
  }) as unknown as Area

function rosterOf(...names: string[]) {
  const time = { now: 0 }
  const roster = new Roster({ now: () => time.now })
  const areas = names.map(area)
  roster.add(areas)
  for (const each of areas) roster.move(each, 'serving')
  return { roster, areas, time }
}

describe('the roster', () => {
  it('is sorted by name, and forgets who is gone', () => {
    const { roster, areas } = rosterOf('n10', 'n2')
    expect(roster.areas().map(({ id }) => id)).toEqual(['n2', 'n10'])
    roster.move(areas[0]!, 'gone', { reason: 'cut' })
    expect(roster.areas().map(({ id }) => id)).toEqual(['n2'])
    expect([roster.stateOf(areaId('n10')), roster.find(areaId('n10'))]).toEqual(['gone', undefined])
    // A second goodbye changes nothing.
    roster.move(areas[0]!, 'gone')
  })

  it('tells of a transition once, after it, with its time and what came with it', () => {
    const { roster, areas, time } = rosterOf('a')
    const told: Transition[] = []
    const stop = roster.subscribe(change => {
      expect(roster.stateOf(change.area.id)).toBe(change.to)
      told.push(change)
    })
    time.now = 7
    const of = { reason: 'it failed', pause: pause(1007) }
    roster.move(areas[0]!, 'quarantined', of)
    roster.move(areas[0]!, 'serving')
    roster.move(areas[0]!, 'serving')
    stop()
    roster.move(areas[0]!, 'quiet')
    expect(told).toEqual([
      { area: areas[0], from: 'serving', to: 'quarantined', at: 7, ...of },
      { area: areas[0], from: 'quarantined', to: 'serving', at: 7 },
    ])
  })

  it('says in one word what an area is doing', () => {
    const { roster, areas } = rosterOf('a')
    expect(roster.phaseOf(areas[0]!)).toBe('building')
    roster.move(areas[0]!, 'quiet')
    expect(roster.phaseOf(areas[0]!)).toBe('quiet')
  })

  it('gives tiles to the one whose pause ends first if all have failed, and never to one that is silent', () => {
    const { roster, areas } = rosterOf('a', 'b', 'c')
    const [a, b, c] = areas as [Area, Area, Area]
    roster.move(a, 'quarantined', { pause: pause(30) })
    roster.move(b, 'quarantined', { pause: pause(20) })
    roster.move(c, 'quarantined', { pause: pause(10, 'silence') })
    expect(roster.able(areas)).toEqual([b])
    expect(roster.expected(areas)).toEqual([a, b])
    roster.move(c, 'serving')
    expect(roster.able(areas)).toEqual([c])
    roster.move(c, 'leaving')
    roster.move(b, 'withdrawn', { reason: 'unplugged' })
    expect(roster.able(areas)).toEqual([a])
    expect(roster.expected(areas)).toEqual([a])
  })

  it('does not expect one that an operator has set aside, which serves only if there is no other', () => {
    const { roster, areas } = rosterOf('a', 'b')
    const [a, b] = areas as [Area, Area]
    roster.move(a, 'quarantined', { pause: pause(3_600_000, 'operator') })
    expect(roster.expected(areas)).toEqual([b])
    roster.move(b, 'quarantined', { pause: pause(20) })
    expect(roster.expected(areas)).toEqual([b])
    expect(roster.able(areas)).toEqual([b])
    roster.move(b, 'leaving')
    expect(roster.able(areas)).toEqual([a])
    roster.move(a, 'serving')
    expect(roster.expected(areas)).toEqual([a])
  })

  it('allows what its table allows, whatever happens', () => {
    const moves = fc.array(fc.tuple(fc.nat(3), fc.constantFrom(...ROSTER_STATES)), { maxLength: 50 })
    fc.assert(
      fc.property(moves, moved => {
        const { roster, areas } = rosterOf('a', 'b', 'c', 'd')
        const states = new Map<string, AreaState>(areas.map(({ id }) => [id, 'serving']))
        roster.subscribe(({ area: { id }, from, to }) => {
          expect(states.get(id)).toBe(from)
          states.set(id, to)
        })
        for (const [who, to] of moved) {
          const each = areas[who]!
          const from = states.get(each.id)!
          const isBack = from === 'leaving' && to !== 'leaving' && to !== 'gone'
          // An area that gets no tiles anyway is not quiet besides.
          const isIdle = to === 'quiet' && (from === 'quarantined' || from === 'withdrawn')
          if (from === 'gone' || !(isBack || isIdle || to === 'joining')) roster.move(each, to)
          else expect(() => roster.move(each, to)).toThrow(InvariantError)
          expect(roster.stateOf(each.id)).toBe(states.get(each.id))
          expect([...roster.quiet]).toEqual(expect.arrayContaining(quietOf(states)))
          expect(roster.quiet.size).toBe(quietOf(states).length)
          const atWork = areas.filter(({ id }) => isAtWork(states.get(id)!))
          if (atWork.length > 0) expect(roster.able(areas)).toEqual(atWork)
        }
      }),
    )
  })
})

const quietOf = (states: ReadonlyMap<string, AreaState>): string[] =>
  [...states].flatMap(([id, state]) => (state === 'quiet' ? [id] : []))
