/** What a page may ask for, by its rights. */
import { describe, expect, it } from 'vitest'
import { PageSession, type PageSessionPorts, type Picture } from '../../../master/page/page-session.ts'
import { Room } from '../../../master/page/room.ts'
import type { ShownView } from '../../../master/page/shown-view.ts'
import type { PageRight, ToPage } from '../../../shared/page/page-messages.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'

const shown = {
  order: { sceneName: 'corner', size: [16, 9], quality: { samples: 1 }, exposure: 1 },
  facts: { triangles: 1, viewpoint: {}, subject: { radius: 1, halfHeight: 1, centre: [0, 0, 0] } },
} as unknown as ShownView

function pageWith(rights: readonly PageRight[]) {
  const said: ToPage[] = []
  const viewTicket = (granted: readonly PageRight[]) => granted.join('+')
  const say = (message: ToPage) => void said.push(message)
  const ports = { say, workTicket: () => 'ticket', viewTicket, room: new Room<Picture>(), clock: { now: () => 0 } }
  return { said, page: new PageSession(shown, rights, ports as unknown as PageSessionPorts) }
}

describe('a page', () => {
  it('gets a ticket for a tab if it may operate, and is refused otherwise', () => {
    const { said, page } = pageWith(['watch', 'steer', 'operate'])
    page.hear({ type: 'want-join' })
    expect(said.at(-1)).toEqual({ type: 'join', ticket: 'ticket' })
    const guest = pageWith(['watch', 'steer'])
    expect(() => guest.page.hear({ type: 'want-join' })).toThrow(ProtocolError)
    expect(guest.said.map(({ type }) => type)).toEqual(['view', 'room'])
  })

  it('that may only watch moves nothing, takes nothing over, and gives no links', () => {
    const { said, page } = pageWith(['watch'])
    const viewpoint = { eye: [0, 0, 1], target: [0, 0, 0], up: [0, 1, 0], fov: 36 } as const
    expect(() => page.hear({ type: 'look', seq: 1, viewpoint, size: [16, 9], tiles: false })).toThrow('may not steer')
    expect(() => page.hear({ type: 'take-over' })).toThrow(ProtocolError)
    expect(() => page.hear({ type: 'want-link', maySteer: false })).toThrow(ProtocolError)
    expect(said).toContainEqual({ type: 'room', you: 1, driver: 0, pages: 1 })
  })

  it('gives links with no more rights than it has, and never that to operate', () => {
    const { said, page } = pageWith(['watch', 'steer', 'operate'])
    page.hear({ type: 'want-link', maySteer: true })
    expect(said.at(-1)).toEqual({ type: 'link', ticket: 'watch+steer' })
    page.hear({ type: 'want-link', maySteer: false })
    expect(said.at(-1)).toEqual({ type: 'link', ticket: 'watch' })
  })
})
