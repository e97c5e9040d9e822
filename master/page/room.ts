/**
 * The pages of one view: one moves it, the others are shown its pictures, and may take its place. Pictures are made once, however many watch. A page
 * that leaves while it moves the view is followed by the one that has been there longest, of those that may.
 */
import type { PageRoom } from '../../shared/page/page-messages.ts'

/** A page of a room. */
export interface Guest<P> {
  readonly maySteer: boolean
  /** Who moves the view, now. */
  told(room: PageRoom): void
  /** A picture of who moves it. */
  shown(picture: P): void
}

export interface Place<P> {
  /** This page moves it from now on; false if it may not. */
  take(): boolean
  /** A picture of this page, if it moves the view. */
  show(picture: P): void
  leave(): void
}

export class Room<P> {
  readonly #guests = new Map<number, Guest<P>>()
  #count = 0
  #driver = 0
  /** Whose place it has without having asked for it. */
  #left: number | undefined
  /** For who comes while nothing moves. */
  #newest: P | undefined

  enter(guest: Guest<P>): Place<P> {
    const you = ++this.#count
    this.#guests.set(you, guest)
    if (this.#driver === 0 && guest.maySteer) this.#driver = you
    this.#tell()
    if (this.#driver !== you && this.#newest !== undefined) guest.shown(this.#newest)
    return {
      take: () => {
        if (!guest.maySteer || !this.#guests.has(you)) return false
        this.#left = undefined
        this.#drive(you)
        return true
      },
      show: picture => {
        if (this.#driver !== you) return
        this.#newest = picture
        for (const [number, each] of this.#guests) if (number !== you) each.shown(picture)
      },
      leave: () => {
        if (!this.#guests.delete(you)) return
        if (this.#guests.size === 0) this.#newest = undefined
        if (this.#driver !== you) return this.#tell()
        this.#left = you
        const [next = 0] = [...this.#guests].find(([, { maySteer }]) => maySteer) ?? []
        this.#drive(next)
      },
    }
  }

  /** There is another scene: who comes is not shown the one before. */
  forget(): void {
    this.#newest = undefined
  }

  #drive(number: number): void {
    this.#driver = number
    this.#tell()
  }

  #tell(): void {
    const { size: pages } = this.#guests
    const left = this.#left === undefined ? {} : { left: this.#left }
    for (const [you, guest] of [...this.#guests])
      guest.told({ type: 'room', you, driver: this.#driver, pages, ...left })
  }
}
