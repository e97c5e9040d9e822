/** Whose frame is next, by hand. */
import { describe, expect, it } from 'vitest'
import { type AreaPool, type SharingSession, type Turn, Turns } from '../../../master/sessions/turns.ts'
import { areaId } from '../../../shared/ids.ts'

const never = new AbortController().signal

/** Turns on a clock that the test sets, and the names of those that were let in, in order. */
function jobs() {
  const clock = { now: 0 }
  const turns = new Turns(() => clock.now)
  const entered: string[] = []
  const enter = async (name: string, guest: SharingSession, signal = never): Promise<Turn> => {
    const turn = await turns.enter(guest, signal)
    entered.push(name)
    return turn
  }
  return { clock, turns, entered, enter }
}

/** Whoever was let in goes on. */
const settle = () => new Promise(resolve => setImmediate(resolve))

/** The areas of an engine. */
const poolOf = (...names: string[]): AreaPool => ({ key: names.join(), areas: () => names.map(areaId) })
const THREE = poolOf('w1', 'w2', 'w3')

const guestOf = (kind: SharingSession['kind'], inFlight = 1, pool = THREE): SharingSession => ({ kind, inFlight, pool })

describe('turns', () => {
  it('go to one frame at a time, and the next one begins when that ended', async () => {
    const { enter, entered } = jobs()
    const film = guestOf('film')
    const first = await enter('first', film)
    expect(first.since).toBeUndefined()
    const second = enter('second', film)
    await settle()
    expect(entered).toEqual(['first'])
    first.leave(70)
    expect((await second).since).toBe(70)
  })

  it('go to a viewer at once, whatever film is being made, and to the next film when it is done', async () => {
    const { enter, entered, turns } = jobs()
    const films = [await enter('running', guestOf('film'))]
    const other = enter('other', guestOf('film'))
    const viewer = guestOf('viewer')
    const view = await enter('viewer', viewer)
    expect(view.since).toBeUndefined()
    const more = [enter('same viewer', viewer), enter('other viewer', guestOf('viewer'))]
    films[0]!.leave(10)
    await settle()
    // Viewers do not give way to each other.
    expect(entered).toEqual(['running', 'viewer'])
    view.leave(20)
    await Promise.race(more)
    await settle()
    expect(entered).toHaveLength(3)
    expect(turns.queues).toEqual({ making: 1, waiting: 2 })
    for (const each of more) void each.then(turn => turn.leave(30))
    await other
    expect(new Set(entered)).toEqual(new Set(['running', 'viewer', 'same viewer', 'other viewer', 'other']))
    expect(entered.at(-1)).toBe('other')
  })

  it('go to a viewer however many films are being made', async () => {
    const { enter, turns } = jobs()
    const ids = Array.from({ length: 20 }, (_, i) => `w${i}`)
    const all = poolOf(...ids)
    for (const id of ids) void enter(id, guestOf('film', 1, poolOf(id)))
    await settle()
    expect(turns.queues).toEqual({ making: 16, waiting: 4 })
    await enter('viewer', guestOf('viewer', 1, all))
    expect(turns.queues).toEqual({ making: 17, waiting: 4 })
  })

  it('count films as no rivals of a viewer, but a viewer as one of a film', async () => {
    const { enter, turns } = jobs()
    const [film, viewer] = [guestOf('film'), guestOf('viewer')]
    await enter('film', film)
    await enter('viewer', viewer)
    expect([turns.rivals(film), turns.rivals(viewer)]).toEqual([2, 1])
  })

  it('go to the session that has had least of the cluster, and a newcomer is not owed the past', async () => {
    const { enter, entered, turns, clock } = jobs()
    const [long, short] = [guestOf('film'), guestOf('film')]
    turns.join(long)
    turns.join(short)
    const use = async (name: string, guest: SharingSession, ms: number) => {
      const turn = await enter(name, guest)
      clock.now += ms
      turn.leave(clock.now)
    }
    await use('long', long, 100)
    for (let i = 0; i < 5; i++) await use('short', short, 10)
    const newcomer = guestOf('film')
    turns.join(newcomer)
    let turn = await enter('running', guestOf('film'))
    entered.length = 0
    // The newcomer begins where the newest frame did: 40 ms, before the 50 and 100 ms of the others.
    const waiting = [enter('long', long), enter('short', short), enter('newcomer', newcomer)]
    for (const next of [waiting[2]!, waiting[1]!, waiting[0]!]) {
      turn.leave(clock.now)
      turn = await next
    }
    expect(entered).toEqual(['newcomer', 'short', 'long'])
  })

  it('overlap where the session may have two frames in flight and somebody is spare', async () => {
    const { enter, entered } = jobs()
    const film = guestOf('film', 2)
    const [first, second] = [await enter('first', film), enter('second', film)]
    await settle()
    expect(entered).toEqual(['first'])
    let overtaken = 0
    first.onOvertaken(() => overtaken++)
    first.spare()
    const { since, spare } = await second
    expect([since, overtaken]).toEqual([undefined, 1])
    // No third while two are being made.
    const third = enter('third', film)
    spare()
    await settle()
    expect(entered).toEqual(['first', 'second'])
    first.leave(10)
    await third
    expect(entered).toEqual(['first', 'second', 'third'])
  })

  it('are side by side where frames claim some of the areas, until all are claimed', async () => {
    const { enter, entered, turns } = jobs()
    const [a, b, c, d] = (['film', 'film', 'film', 'film'] as const).map(kind => guestOf(kind))
    const ids = (...names: string[]) => names.map(areaId)
    const first = await enter('first', a!)
    let overtaken = 0
    first.onOvertaken(() => overtaken++)
    const second = enter('second', b!)
    const third = enter('third', c!)
    const fourth = enter('fourth', d!)
    await settle()
    expect(entered).toEqual(['first'])
    first.claim(ids('w1'), 1 / 3)
    await second
    await settle()
    // It has yet to say which ones it takes.
    expect(entered).toEqual(['first', 'second'])
    ;(await second).claim(ids('w1', 'w2', 'w3'), 1)
    await settle()
    expect(entered).toEqual(['first', 'second'])
    expect([...turns.claims]).toEqual([
      [areaId('w1'), 2],
      [areaId('w2'), 1],
      [areaId('w3'), 1],
    ])
    ;(await second).claim(ids('w1', 'w2'), 2 / 3)
    await third
    await settle()
    // The third one takes all areas, and both go on with what they have.
    expect([entered, overtaken]).toEqual([['first', 'second', 'third'], 0])
    first.leave(10)
    ;(await second).leave(20)
    await settle()
    expect(entered).toEqual(['first', 'second', 'third'])
    ;(await third).leave(30)
    await fourth
    expect(turns.claims.size).toBe(0)
  })

  it('are independent of frames that are made by other areas', async () => {
    const { enter, entered, turns } = jobs()
    const own = guestOf('film', 1, poolOf('w4', 'w5'))
    const both = guestOf('film', 1, poolOf('w3', 'w4', 'w5'))
    const first = await enter('first', guestOf('film'))
    const second = await enter('second', own)
    expect(second.since).toBeUndefined()
    void enter('third', both)
    await settle()
    expect(entered).toEqual(['first', 'second'])
    expect([turns.rivals(own), turns.rivals(both)]).toEqual([2, 3])
    first.leave(10)
    // One of its areas is free.
    await settle()
    expect(entered).toEqual(['first', 'second', 'third'])
  })

  it('are not held up by a frame that has no area, whose time does not count', async () => {
    const { enter, entered, turns, clock } = jobs()
    const [stranded, other] = [guestOf('film'), guestOf('film')]
    turns.join(stranded)
    turns.join(other)
    const first = await enter('stranded', stranded)
    clock.now = 10
    const second = enter('other', other)
    await settle()
    expect(entered).toEqual(['stranded'])
    first.strand(true)
    ;(await second).leave(70)
    clock.now = 1000
    first.strand(false)
    const third = enter('other', other)
    await settle()
    expect(entered).toEqual(['stranded', 'other'])
    clock.now = 1020
    first.leave(1020)
    ;(await third).leave(1030)
    // 30 ms of one, 70 of the other.
    const running = await enter('running', guestOf('film'))
    entered.length = 0
    const waiting = [enter('other', other), enter('stranded', stranded)]
    running.leave(1040)
    await waiting[1]
    expect(entered).toEqual(['stranded'])
  })

  it('go at once to a session that has no area, and so holds nobody up', async () => {
    const { enter, entered } = jobs()
    await enter('first', guestOf('film'))
    await enter('none', guestOf('film', 1, poolOf()))
    expect(entered).toEqual(['first', 'none'])
  })

  it('count the share of the cluster that a frame had', async () => {
    const { enter, entered, turns, clock } = jobs()
    const [narrow, whole] = [guestOf('film'), guestOf('film')]
    turns.join(narrow)
    turns.join(whole)
    const small = await enter('narrow', narrow)
    small.claim([areaId('w1')], 0.1)
    clock.now = 100
    small.leave(clock.now)
    const large = await enter('whole', whole)
    clock.now = 120
    large.leave(clock.now)
    const running = await enter('running', guestOf('film'))
    entered.length = 0
    const waiting = [enter('whole', whole), enter('narrow', narrow)]
    running.leave(clock.now)
    await waiting[1]
    expect(entered).toEqual(['narrow'])
  })

  it('do not overlap where a session wants its frames one by one', async () => {
    const { enter, entered } = jobs()
    const film = guestOf('film', 1)
    const first = await enter('first', film)
    void enter('second', film)
    first.spare()
    await settle()
    expect(entered).toEqual(['first'])
  })

  it('are given up by who is cancelled, and go to the next', async () => {
    const { enter, entered } = jobs()
    const abort = new AbortController()
    const first = await enter('first', guestOf('film'))
    const second = enter('second', guestOf('film'), abort.signal)
    const third = enter('third', guestOf('film'))
    abort.abort()
    await expect(second).rejects.toThrow('cancelled')
    first.leave(1)
    await third
    expect(entered).toEqual(['first', 'third'])
    await expect(enter('late', guestOf('film'), abort.signal)).rejects.toThrow('cancelled')
  })

  it('count a frame that leaves twice once', async () => {
    const { enter, entered } = jobs()
    const first = await enter('first', guestOf('film'))
    first.leave(1)
    first.leave(2)
    const second = await enter('second', guestOf('film'))
    first.leave(3)
    void enter('third', guestOf('film'))
    await settle()
    expect(entered).toEqual(['first', 'second'])
    second.leave(4)
  })
})
