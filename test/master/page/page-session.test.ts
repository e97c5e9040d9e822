/** What a page may ask for, by its rights. */
import { describe, expect, it } from 'vitest'
import { PageSession, type PageSessionPorts, type ShownView } from '../../../master/page/page-session.ts'
import type { PageRight, ToPage } from '../../../shared/page/page-messages.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'

const shown = {
  order: { sceneName: 'corner', size: [16, 9], quality: { samples: 1 } },
  facts: { triangles: 1, viewpoint: {}, subject: { radius: 1, halfHeight: 1, centre: [0, 0, 0] } },
} as unknown as ShownView

function pageWith(rights: readonly PageRight[]) {
  const said: ToPage[] = []
  const ports = { say: (message: ToPage) => void said.push(message), workTicket: () => 'ticket' }
  return { said, page: new PageSession(shown, rights, ports as unknown as PageSessionPorts) }
}

describe('a page', () => {
  it('gets a ticket for a tab if it may operate, and is refused otherwise', () => {
    const { said, page } = pageWith(['watch', 'steer', 'operate'])
    page.hear({ type: 'want-join' })
    expect(said.at(-1)).toEqual({ type: 'join', ticket: 'ticket' })
    const guest = pageWith(['watch', 'steer'])
    expect(() => guest.page.hear({ type: 'want-join' })).toThrow(ProtocolError)
    expect(guest.said.map(({ type }) => type)).toEqual(['view'])
  })
})
