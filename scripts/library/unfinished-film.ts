/** A film over several connections to a master: the next one begins with the frames that were asked for and never delivered. */
import type { FrameSource, WantedFrame } from '../../shared/session/session.ts'

export class UnfinishedFilm {
  readonly #source: FrameSource
  /** Frames taken and not delivered, in order. */
  readonly #undelivered: WantedFrame[] = []
  #connections = 0

  constructor(source: FrameSource) {
    this.#source = source
  }

  /** Whether frames were taken that are not delivered. */
  get isOwed(): boolean {
    return this.#undelivered.length > 0
  }

  /** The oldest frame of that number has been delivered. */
  delivered(number: number): void {
    const at = this.#undelivered.findIndex(({ frame }) => frame === number)
    if (at >= 0) this.#undelivered.splice(at, 1)
  }

  /** The frames for one more connection; those before get no more. */
  next(): FrameSource {
    const connection = ++this.#connections
    const again = [...this.#undelivered]
    return {
      ready: async () => (again.length > 0 || (await this.#source.ready())) && connection === this.#connections,
      take: () => {
        const before = again.shift()
        if (before) return before
        const wanted = this.#source.take()
        this.#undelivered.push(wanted)
        return wanted
      },
    }
  }
}
