/** Pictures of another page on their way to one that watches: one at a time, and the newest of those that came meanwhile. A page behind a slow line misses some. */

/** Numbers of such pictures are apart from those of a page that moves the view itself. */
const FIRST = 2 ** 31

export interface WatchedPorts<P> {
  /** Under a number, which the page says when it has drawn it. */
  send(picture: P, number: number): void
  now(): number
}

export class WatchedPictures<P> {
  readonly #ports: WatchedPorts<P>
  #count = FIRST
  #onItsWay: { readonly number: number; readonly at: number } | undefined
  #held: P | undefined
  #isShown = true

  constructor(ports: WatchedPorts<P>) {
    this.#ports = ports
  }

  take(picture: P): void {
    this.#held = picture
    this.#go()
  }

  drawn(number: number): void {
    if (this.#onItsWay?.number !== number) return
    this.#onItsWay = undefined
    this.#go()
  }

  /** The page is hidden, or shown again: it is sent nothing that nobody sees. */
  shown(isShown: boolean): void {
    this.#isShown = isShown
    this.#go()
  }

  /** The page moves the view itself: what waits is not sent, and a picture of its own may be drawn in place of what was. */
  drop(): void {
    this.#held = undefined
    this.#onItsWay = undefined
  }

  /** For how long the page has not drawn what was sent to it, ms. */
  get silentMs(): number {
    return this.#onItsWay ? this.#ports.now() - this.#onItsWay.at : 0
  }

  #go(): void {
    const held = this.#held
    if (held === undefined || this.#onItsWay || !this.#isShown) return
    this.#held = undefined
    this.#onItsWay = { number: ++this.#count, at: this.#ports.now() }
    this.#ports.send(held, this.#count)
  }
}
