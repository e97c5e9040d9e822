/** What a page may ask for, by its rights. */
import { describe, expect, it, vi } from 'vitest'
import { PageSession, type PageSessionPorts } from '../../../master/page/page-session.ts'
import { Room } from '../../../master/page/room.ts'
import type { Picture } from '../../../master/page/scene-pictures.ts'
import type { ShownView } from '../../../master/page/view-source.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { PageRight, ToPage } from '../../../shared/page/page-messages.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'
import type { SessionRunner, SessionSink } from '../../../shared/session/session.ts'

const PATIENT = { timeout: 300_000 }

const shown = {
  order: { sceneName: 'corner', size: [16, 9], quality: { samples: 1 }, exposure: 1 },
  facts: {
    triangles: 1,
    viewpoint: { eye: [0, 0, 3], target: [0, 0, 0], up: [0, 1, 0], fov: 36 },
    subject: { radius: 1, halfHeight: 1, centre: [0, 0, 0], fill: 1, elevationTurns: 0 },
  },
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

it('is not waited for after another page has taken its place, nor after it has taken that of another', async () => {
  let now = 0
  const room = new Room<Picture>()
  const open = () => {
    const sent: Uint8Array[] = []
    let sink: SessionSink | undefined
    const ports = {
      ...{ room, say: () => {}, clock: { now: () => now }, alarm: () => () => {} },
      encode: () => Promise.resolve(new Uint8Array(1)),
      sendPicture: (bytes: Uint8Array) => void sent.push(bytes),
      run: (...[, , , its]: Parameters<SessionRunner['run']>) => {
        sink = its
        return new Promise<void>(() => {})
      },
    }
    const page = new PageSession(shown, ['watch', 'steer'], ports as unknown as PageSessionPorts)
    /** Its first picture, which is of a view that moves. */
    const shows = async () => {
      const { viewpoint } = shown.facts
      page.hear({ type: 'look', seq: 1, viewpoint, size: [16, 9], tiles: false })
      await vi.waitUntil(() => sink, PATIENT)
      const report = { frame: 1, size: [16, 9], workers: [], tiles: [], frameMs: 1 }
      const before = sent.length
      void sink!.frame(report as unknown as FrameReport, new Uint8Array(3 * 16 * 9), {})
      await vi.waitUntil(() => sent.length > before, PATIENT)
    }
    return { page, sent, shows }
  }
  const [first, second] = [open(), open()]
  await first.shows()
  expect([first.sent.length, second.sent.length]).toEqual([1, 1])
  // Neither has drawn anything: their next pictures are drawn in place of these.
  second.page.hear({ type: 'take-over' })
  now = 60_000
  expect([first.page.silentMs, second.page.silentMs]).toEqual([0, 0])
  await second.shows()
  expect(first.sent).toHaveLength(2)
})
