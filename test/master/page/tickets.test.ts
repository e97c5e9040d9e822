/** Tickets and cookies: who has one may see the view that it is for, once, for a while, from where it was exchanged. */
import { describe, expect, it } from 'vitest'
import { type Grant, TICKET_MS, Tickets } from '../../../master/page/tickets.ts'

const grant = { view: 'v1', rights: ['watch', 'steer'] } as const
const HERE = 'http://127.0.0.1:7411'

function fixture() {
  const time = { now: 0 }
  let secrets = 0
  return { time, tickets: new Tickets<Grant>({ now: () => time.now, secret: () => `secret-${secrets++}` }) }
}

describe('a ticket', () => {
  it('is exchanged for a cookie, once', () => {
    const { tickets } = fixture()
    const ticket = tickets.issue(grant)
    const cookie = tickets.exchange(ticket, HERE)
    expect(tickets.grantOf(cookie, HERE)).toMatchObject(grant)
    expect(tickets.exchange(ticket, HERE)).toBeUndefined()
    expect(cookie).not.toBe(ticket)
  })

  it('is exchanged again with the same word, from the same origin, for the same cookie: the answer may have been lost', () => {
    const { time, tickets } = fixture()
    const ticket = tickets.issue(grant)
    const word = 'w'.repeat(32)
    const cookie = tickets.exchange(ticket, HERE, word)
    expect(tickets.exchange(ticket, HERE, word)).toBe(cookie)
    expect(tickets.grantOf(cookie, HERE)).toMatchObject(grant)
    expect(tickets.exchange(ticket, HERE, 'v'.repeat(32))).toBeUndefined()
    expect(tickets.exchange(ticket, HERE)).toBeUndefined()
    expect(tickets.exchange(ticket, 'http://127.0.0.1:3000', word)).toBeUndefined()
    // Asking wrongly has not spoiled it.
    time.now = TICKET_MS
    expect(tickets.exchange(ticket, HERE, word)).toBe(cookie)
    time.now += 1
    expect(tickets.exchange(ticket, HERE, word)).toBeUndefined()
    expect(tickets.grantOf(cookie, HERE)).toMatchObject(grant)
  })

  it('that was exchanged without a word is not given to one that comes with any', () => {
    const { tickets } = fixture()
    const ticket = tickets.issue(grant)
    expect(tickets.exchange(ticket, HERE)).toBeDefined()
    expect(tickets.exchange(ticket, HERE, 'w'.repeat(32))).toBeUndefined()
  })

  it('of two pages with one word has a cookie of its own', () => {
    const { tickets } = fixture()
    const [one, two] = [tickets.issue(grant), tickets.issue(grant)].map(ticket =>
      tickets.exchange(ticket, HERE, 'word'),
    )
    expect(one).not.toBe(two)
  })

  it('counts for a minute', () => {
    const { time, tickets } = fixture()
    const [early, late] = [tickets.issue(grant), tickets.issue(grant)]
    time.now = TICKET_MS
    expect(tickets.exchange(early, HERE)).toBeDefined()
    time.now += 1
    expect(tickets.exchange(late, HERE)).toBeUndefined()
  })

  it('is no cookie, and a cookie no ticket', () => {
    const { tickets } = fixture()
    const ticket = tickets.issue(grant)
    expect(tickets.grantOf(ticket, HERE)).toBeUndefined()
    const cookie = tickets.exchange(ticket, HERE)!
    expect(tickets.exchange(cookie, HERE)).toBeUndefined()
  })

  it('makes room when there are too many', () => {
    const { tickets } = fixture()
    const first = tickets.issue(grant)
    for (let i = 0; i < 64; i++) tickets.issue(grant)
    expect(tickets.exchange(first, HERE)).toBeUndefined()
  })
})

describe('a cookie', () => {
  it('counts only from the page that exchanged its ticket: that of another port has the same cookies', () => {
    const { tickets } = fixture()
    const cookie = tickets.exchange(tickets.issue(grant), HERE)
    for (const other of ['http://127.0.0.1:3000', 'https://127.0.0.1:7411', 'null', undefined])
      expect(tickets.grantOf(cookie, other)).toBeUndefined()
  })

  it('ends with its view, as tickets do', () => {
    const { tickets } = fixture()
    const cookie = tickets.exchange(tickets.issue(grant), HERE)
    const other = tickets.exchange(tickets.issue({ ...grant, view: 'v2' }), HERE)
    const [open, used] = [tickets.issue(grant), tickets.issue(grant)]
    tickets.exchange(used, HERE, 'word')
    tickets.revoke(({ view }) => view === 'v1')
    expect(tickets.grantOf(cookie, HERE)).toBeUndefined()
    expect(tickets.exchange(open, HERE)).toBeUndefined()
    expect(tickets.exchange(used, HERE, 'word')).toBeUndefined()
    expect(tickets.grantOf(other, HERE)).toMatchObject({ view: 'v2' })
  })
})
