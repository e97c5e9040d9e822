/**
 * A page's WebSocket: what it says is validated, and one that does not answer, does not draw what it is sent, or says what no page says, is
 * dropped. Pages do not see the signs of life of WebSockets, so they are sent words, too.
 */
import type { WebSocket } from 'ws'
import { messageOf } from '../../shared/errors.ts'
import { type FromPage, MAX_PAGE_MESSAGE, parseFromPage } from '../../shared/page/from-page.ts'
import { PAGE_VERSION, type PageRight, SIGN_MS, type ToPage } from '../../shared/page/page-messages.ts'
import { MAX_PIECE_BYTES } from '../../shared/page/scene-pieces.ts'
import { CLOSE_CODES } from '../../shared/protocol/channel.ts'
import { CLOSE_GRACE_MS } from '../../shared/protocol/deadlines.ts'
import { parseJsonBytes } from '../../shared/text/bounded-json.ts'
import { printable } from '../../shared/text/printable.ts'
import { FilmPictures } from './dashboard/film-pictures.ts'
import { joinAnswer, PageSession, type PageSessionPorts } from './page-session.ts'
import type { ShownView } from './view-source.ts'
import type { Shown } from './views.ts'

/** Options of the server's end; a page says little, but for the pieces of a scene file. */
export const PAGE_SOCKET = {
  perMessageDeflate: false,
  maxPayload: MAX_PIECE_BYTES,
  closeTimeout: CLOSE_GRACE_MS,
} as const

/** A page that says nothing, or takes nothing of what it is sent, for so many signs is gone. */
const MOST_SILENT = 4
/** For how long a page may not draw what it was sent, ms; one that is hidden is sent nothing. */
const UNDRAWN_MS = 30_000

/** What a page needs from its master. */
export type PagePorts = Omit<PageSessionPorts, 'say' | 'sendPicture'> & {
  /** Its dashboard begins; the returned functions tell it what the page says, and end it. */
  readonly dashboard: (send: (text: string) => void, pictures?: FilmPictures) => Dashboard
}

export interface Dashboard {
  hear(ask: Extract<FromPage, { type: 'dashboard' }>['ask']): void
  close(): void
}

/** A page that is shown. */
export interface ShownPage {
  /** Its view has another scene. */
  changed(shown: ShownView, scene: number): void
  /** Its frames have another strategy. */
  again(): void
  /** Its view is over. */
  end(reason: string): void
}

/** @param scene number of its scene, of those that the view has had */
export function showPage(
  socket: WebSocket,
  shown: Shown,
  rights: readonly PageRight[],
  ports: PagePorts,
  closed: () => void,
  scene = 0,
): ShownPage {
  /** Bytes that were handed to the socket; and how many of them had left it at the last sign. */
  let handed = 0
  let gone = 0
  const send = (message: string | Uint8Array) => {
    if (socket.readyState !== socket.OPEN) return
    handed += message.length
    socket.send(message)
  }
  const say = (message: ToPage) => send(JSON.stringify(message))
  const sendPicture = send
  const { session, pictures } = contentOf(shown, rights, { ...ports, say, sendPicture }, scene)
  const dashboard = ports.dashboard(send, pictures)
  let silent = 0
  let unread = 0
  const beat = setInterval(() => {
    if (silent++ >= MOST_SILENT) return socket.terminate()
    // One that talks and does not read: what is said to it would stay in memory.
    const left = handed - socket.bufferedAmount
    unread = socket.bufferedAmount > 0 && left <= gone ? unread + 1 : 0
    gone = left
    if (unread >= MOST_SILENT) return socket.terminate()
    if (session && session.silentMs > UNDRAWN_MS)
      return end(CLOSE_CODES.tooSlow, 'the page does not draw what it is sent; reload it')
    say({ type: 'alive' })
    socket.ping()
  }, SIGN_MS)
  const end = (code: number, reason: string) => {
    session?.end()
    socket.close(code, Buffer.from(reason).subarray(0, 120).toString())
  }
  socket.on('pong', () => {
    silent = 0
  })
  socket.on('message', (data, isBinary) => {
    silent = 0
    try {
      const bytes = data as Buffer
      if (isBinary && session) return session.piece(bytes)
      if (isBinary) throw new TypeError('a page of films sent bytes, expected JSON')
      if (bytes.length > MAX_PAGE_MESSAGE)
        throw new TypeError(`a page sent ${bytes.length} bytes of JSON, expected at most ${MAX_PAGE_MESSAGE}`)
      const said = parseFromPage(parseJsonBytes(bytes))
      if (said.type === 'dashboard') dashboard.hear(said.ask)
      else if (session) session.hear(said)
      else if (said.type === 'drawn') pictures.drawn(said.picture)
      else if (said.type === 'shown') pictures.shown(said.isShown)
      else if (said.type === 'want-join') say(joinAnswer(rights, ports))
    } catch (error) {
      end(CLOSE_CODES.badMessage, printable(messageOf(error)))
    }
  })
  socket.on('close', () => {
    clearInterval(beat)
    session?.end()
    pictures?.close()
    dashboard.close()
    closed()
  })
  return {
    changed: (next, number) => session?.changed(next, number),
    again: () => session?.again(),
    end: reason => end(CLOSE_CODES.done, reason),
  }
}

/** What its pictures come from: a session of its own, or what others render. */
function contentOf(
  shown: Shown,
  rights: readonly PageRight[],
  ports: PageSessionPorts,
  scene: number,
):
  | { readonly session: PageSession; readonly pictures?: undefined }
  | { readonly session: undefined; readonly pictures: FilmPictures } {
  if (shown !== 'films') return { session: new PageSession(shown, rights, ports, scene) }
  ports.say({ type: 'films', version: PAGE_VERSION, rights })
  const { clock, alarm, encode, sendPicture: send } = ports
  return { session: undefined, pictures: new FilmPictures({ encode, alarm, now: () => clock.now(), send }) }
}
