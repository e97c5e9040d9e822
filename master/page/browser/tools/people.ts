/** Who moves the view: this page, or another one, whose place it may take; and links for others. */
import type { PageRight, PageRoom } from '../../../../shared/page/page-messages.ts'
import { button, copyText, element } from './elements.ts'

interface PeoplePorts {
  take(): void
  want(maySteer: boolean): void
  /** This page moves the view from now on, or does not. */
  drives(isDriving: boolean): void
}

/** Of a page that was reloaded: the master may not know yet that it is gone. */
const KEY = 'sortfirst driver'

export class People {
  readonly #ports: PeoplePorts
  #rights: readonly PageRight[] = []
  #room: PageRoom | undefined
  /** Whether this connection has just begun. */
  #isNew = true

  constructor(ports: PeoplePorts) {
    this.#ports = ports
    button('take-over').addEventListener('click', () => ports.take())
    button('link-watch').addEventListener('click', () => ports.want(false))
    button('link-steer').addEventListener('click', () => ports.want(true))
    button('copy-link').addEventListener('click', () => void copyText(element('view-link')))
  }

  get drives(): boolean {
    return this.#room !== undefined && this.#room.driver === this.#room.you
  }

  /** A connection begins, or begins again. */
  begin(rights: readonly PageRight[]): void {
    this.#rights = rights
    this.#isNew = true
    element('links').hidden = !rights.includes('steer')
  }

  hear(room: PageRoom): void {
    const before = this.drives
    const isNew = this.#isNew
    this.#room = room
    // This page moved the view before it was reloaded, or lost its connection, which the master may not have given up yet.
    const old = oldNumber()
    const isBack = isNew && !this.drives && this.#rights.includes('steer') && old !== 0
    if (isBack && (room.driver === old || room.left === old)) this.#ports.take()
    this.#isNew = false
    if (this.drives) keepNumber(room.you)
    else if (before) keepNumber(0)
    const others = room.pages - 1
    element('driver').hidden = this.drives
    element('driver-said').textContent = room.driver === 0 ? 'nobody moves it' : `page ${room.driver} moves it`
    button('take-over').hidden = !this.#rights.includes('steer')
    button('show-people').textContent = others > 0 ? `Pages: ${room.pages}` : 'Share'
    element('people-said').textContent = this.drives
      ? others > 0
        ? `This page, number ${room.you}, moves the view; ${others === 1 ? 'one other watches' : `${others} others watch`}.`
        : 'Nobody else sees this view.'
      : `This page, number ${room.you}, watches: page ${room.driver} moves the view.`
    if (isNew || before !== this.drives) this.#ports.drives(this.drives)
  }

  showLink(ticket: string): void {
    const link = new URL(location.href)
    link.hash = ticket
    const place = element<HTMLAnchorElement>('view-link')
    place.href = link.href
    place.textContent = link.href
    element('link-place').hidden = false
  }
}

function oldNumber(): number {
  try {
    return Number(sessionStorage.getItem(KEY))
  } catch {
    return 0
  }
}

function keepNumber(number: number): void {
  try {
    sessionStorage.setItem(KEY, `${number}`)
  } catch {
    // A browser that stores nothing: the page watches until the master has given up its old connection.
  }
}
