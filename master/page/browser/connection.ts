/** The page's connection to its master: a ticket becomes a cookie, a WebSocket follows; it is made again by itself when it is lost. */
import type { FromPage } from '../../../shared/page/from-page.ts'
import { SIGNLESS_MS, type ToPage } from '../../../shared/page/page-messages.ts'
import { type ArrivedPicture, unpackPicture } from '../../../shared/page/page-pictures.ts'

export interface ConnectionEvents {
  said(message: ToPage): void
  picture(picture: ArrivedPicture): void
  /** What is waited for. */
  waiting(why: string): void
  /** It is over, and waiting would not help. */
  dead(why: string): void
}

/** Pauses between attempts, s. */
const PAUSES = [0.5, 1, 2, 4, 8]
/** Codes with which a master closes that has said why, in words for people. */
const SAID_WHY = new Set([1008, 4000, 4001, 4002, 4003])

export class Connection {
  readonly #events: ConnectionEvents
  #socket: WebSocket | undefined
  #attempts = 0
  #watchdog: ReturnType<typeof setTimeout> | undefined
  /** Until the master has answered. */
  #ticket = ''
  /** With the ticket: the same answer is given again to the same word, if it was lost. */
  readonly #word = crypto
    .getRandomValues(new Uint8Array(16))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')

  constructor(events: ConnectionEvents) {
    this.#events = events
  }

  /** @param ticket of a link; '' to go on with the cookie that the browser has */
  open(ticket: string): Promise<void> {
    this.#ticket = ticket
    return this.#open()
  }

  async #open(): Promise<void> {
    let answer: Response
    let text: string
    // A master that takes connections may still not answer.
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), SIGNLESS_MS)
    try {
      const body = JSON.stringify({ ticket: this.#ticket, word: this.#word })
      answer = await fetch('access', { method: 'POST', body, credentials: 'same-origin', signal: patience.signal })
      text = await answer.text()
    } catch {
      return this.#again('the master cannot be reached; waiting for it')
    } finally {
      clearTimeout(timer)
    }
    if (answer.status === 401) return this.#events.dead(sentence(text))
    if (!answer.ok) return this.#again(`the master answered ${answer.status}; waiting for it`)
    this.#ticket = ''
    this.#connect()
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  send(message: FromPage): void {
    if (this.isOpen) this.#socket!.send(JSON.stringify(message))
  }

  /** A piece of the file that the master was told of. */
  sendPiece(bytes: ArrayBuffer): void {
    if (this.isOpen) this.#socket!.send(bytes)
  }

  #connect(): void {
    // Relative to the page: a proxy may serve it under any path.
    const url = new URL('view', location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    url.hash = ''
    const socket = new WebSocket(url)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#watch(socket)
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      this.#watch(socket)
      this.#attempts = 0
      if (typeof data === 'string') return this.#events.said(JSON.parse(data) as ToPage)
      this.#events.picture(unpackPicture(new Uint8Array(data)))
    }
    socket.onclose = ({ code, reason }) => {
      if (this.#socket !== socket) return
      clearTimeout(this.#watchdog)
      if (reason !== '' && (code === 1000 || SAID_WHY.has(code))) return this.#events.dead(sentence(reason))
      this.#again('the connection to the master was lost; waiting for it')
    }
  }

  /** A master says now and then that it is there. */
  #watch(socket: WebSocket): void {
    clearTimeout(this.#watchdog)
    this.#watchdog = setTimeout(() => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      socket.close()
      this.#again('the master is silent; reconnecting')
    }, SIGNLESS_MS)
  }

  #again(why: string): void {
    this.#socket = undefined
    this.#events.waiting(why)
    const pause = PAUSES[Math.min(this.#attempts++, PAUSES.length - 1)]!
    setTimeout(() => void this.#open(), pause * 1000)
  }
}

const sentence = (text: string): string => {
  const trimmed = text.trim()
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`
}
