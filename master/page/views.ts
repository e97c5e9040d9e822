/** The views that a master shows on its page: who brought each, and the links to it. */
import { randomBytes } from 'node:crypto'
import type { PageRight } from '../../shared/page/page-messages.ts'
import { Room } from './room.ts'
import type { Picture } from './scene-pictures.ts'
import { type Grant, Tickets, WORK_TICKET_MS, type WorkGrant } from './tickets.ts'
import type { ShownView } from './view-source.ts'

/** A view as who brought it sees it. */
export interface OfferedView {
  /** A ticket for a link: it counts once, and not for long. */
  ticket(): string
  /** It is over: pages of it are told so. */
  close(): void
}

/** A page that shows a view. */
export interface OpenPage {
  /** Its view has another scene. */
  changed(shown: ShownView, scene: number): void
  /** Its view is over. */
  ended(): void
}

/** A view that somebody brought, or what the clients of the master render. */
export type Shown = ShownView | 'films'

/** Open pages of a view: each is a session, and has a picture in memory. */
export const MOST_PAGES = 16

interface OneView {
  shown: Shown
  /** Number of its scene. */
  scene: number
  readonly pages: Set<OpenPage>
  readonly room: Room<Picture>
}

export class Views {
  readonly tickets: Tickets<Grant>
  /** Of tabs that are to trace. */
  readonly workTickets: Tickets<WorkGrant>
  readonly #views = new Map<string, OneView>()
  #count = 0

  /** @param now ms */
  constructor(now: () => number) {
    const ports = { now, secret: () => randomBytes(32).toString('base64url') }
    this.tickets = new Tickets(ports)
    this.workTickets = new Tickets(ports, WORK_TICKET_MS)
  }

  /** @param rights what who has the link may do */
  offer(shown: Shown, rights: readonly PageRight[]): OfferedView {
    const name = `v${++this.#count}`
    const pages = new Set<OpenPage>()
    this.#views.set(name, { shown, scene: 0, pages, room: new Room() })
    return {
      ticket: () => this.tickets.issue({ view: name, rights }),
      close: () => {
        this.#views.delete(name)
        this.tickets.revoke(({ view }) => view === name)
        for (const page of [...pages]) page.ended()
      },
    }
  }

  /** The master ends. */
  close(): void {
    for (const { pages } of this.#views.values()) for (const page of [...pages]) page.ended()
  }

  /** What a grant lets a page see; undefined if it is over. */
  shownTo({ view }: Grant): Shown | undefined {
    return this.#views.get(view)?.shown
  }

  /** Number of the scene that it is. */
  sceneOf({ view }: Grant): number {
    return this.#views.get(view)?.scene ?? 0
  }

  /** Shows another scene in place of the one that there is, on all pages of the grant's view. */
  change({ view }: Grant, shown: ShownView): void {
    const one = this.#views.get(view)
    if (!one) return
    one.shown = shown
    one.scene++
    one.room.forget()
    for (const page of [...one.pages]) page.changed(shown, one.scene)
  }

  /** The pages of the grant's view, among themselves. */
  roomOf({ view }: Grant): Room<Picture> {
    return this.#views.get(view)?.room ?? new Room()
  }

  /** Whether another page may show the grant's view. */
  hasRoom({ view }: Grant): boolean {
    return (this.#views.get(view)?.pages.size ?? 0) < MOST_PAGES
  }

  /** A page of the grant's view is open; the returned function says that it is closed. */
  enter({ view }: Grant, page: OpenPage): () => void {
    const pages = this.#views.get(view)?.pages
    pages?.add(page)
    return () => void pages?.delete(page)
  }
}
