/** Several pages of one view: who moves it, who sees what, and what waits behind a slow line. */
import { describe, expect, it } from 'vitest'
import { Room } from '../../../master/page/room.ts'
import { WatchedPictures } from '../../../master/page/watched-pictures.ts'
import type { PageRoom } from '../../../shared/page/page-messages.ts'

function enter(room: Room<string>, maySteer = true) {
  const told: PageRoom[] = []
  const seen: string[] = []
  const place = room.enter({ maySteer, told: each => void told.push(each), shown: each => void seen.push(each) })
  return { place, seen, told, driver: () => told.at(-1)!.driver }
}

describe('a room', () => {
  it('is driven by who came first, and shows its pictures to the others, also to who comes later', () => {
    const room = new Room<string>()
    const first = enter(room)
    first.place.show('a')
    const second = enter(room)
    expect(second.seen).toEqual(['a'])
    first.place.show('b')
    second.place.show('not a driver')
    expect([first.seen, second.seen]).toEqual([[], ['a', 'b']])
    expect(first.told.at(-1)).toEqual({ type: 'room', you: 1, driver: 1, pages: 2 })
    expect(second.told.at(-1)).toEqual({ type: 'room', you: 2, driver: 1, pages: 2 })
  })

  it('is taken over by who may steer, and by nobody else', () => {
    const room = new Room<string>()
    const [first, second, guest] = [enter(room), enter(room), enter(room, false)]
    expect(guest.place.take()).toBe(false)
    expect(guest.driver()).toBe(1)
    expect(second.place.take()).toBe(true)
    expect([first.driver(), second.driver(), guest.driver()]).toEqual([2, 2, 2])
    first.place.show('old')
    second.place.show('new')
    expect([first.seen, guest.seen]).toEqual([['new'], ['new']])
  })

  it('is driven on by who has been there longest when its driver leaves, and by nobody where none may', () => {
    const room = new Room<string>()
    const [first, guest, third] = [enter(room), enter(room, false), enter(room)]
    first.place.leave()
    expect(third.driver()).toBe(3)
    // Who was reloaded may go on, as long as nobody has asked to take over.
    expect(third.told.at(-1)).toEqual({ type: 'room', you: 3, driver: 3, left: 1, pages: 2 })
    third.place.take()
    expect(third.told.at(-1)).not.toHaveProperty('left')
    // It has left: twice is as once, and a late word of it changes nothing.
    first.place.leave()
    expect(first.place.take()).toBe(false)
    third.place.leave()
    expect(guest.driver()).toBe(0)
    expect(enter(room).driver()).toBe(4)
  })

  it('forgets its pictures with its last page', () => {
    const room = new Room<string>()
    const first = enter(room)
    first.place.show('a')
    first.place.leave()
    const guest = enter(room, false)
    expect(guest.seen).toEqual([])
  })
})

describe('watched pictures', () => {
  it('are sent one at a time, the newest in place of those that waited, to pages that are shown', () => {
    let now = 0
    const sent: [string, number][] = []
    const pictures = new WatchedPictures<string>({ send: (...each) => void sent.push(each), now: () => now })
    for (const each of ['a', 'b', 'c']) pictures.take(each)
    expect(sent.map(([name]) => name)).toEqual(['a'])
    now = 50
    expect(pictures.silentMs).toBe(50)
    pictures.drawn(1)
    expect(sent).toHaveLength(1)
    pictures.drawn(sent[0]![1])
    expect(sent.map(([name]) => name)).toEqual(['a', 'c'])
    pictures.shown(false)
    pictures.drawn(sent[1]![1])
    pictures.take('d')
    expect([sent.length, pictures.silentMs]).toEqual([2, 0])
    pictures.shown(true)
    expect(sent.at(-1)![0]).toBe('d')
    pictures.take('e')
    pictures.drop()
    pictures.drawn(sent[2]![1])
    expect(sent).toHaveLength(3)
  })

  it('are not waited for once the page moves the view itself, whose own picture may be drawn in place of one', () => {
    let now = 0
    const sent: string[] = []
    const pictures = new WatchedPictures<string>({ send: each => void sent.push(each), now: () => now })
    pictures.take('a')
    pictures.drop()
    now = 60_000
    expect(pictures.silentMs).toBe(0)
    pictures.take('b')
    expect(sent).toEqual(['a', 'b'])
  })
})
