/** Which request a report is of: frames are reported in the order in which they are taken, and some never are. */
import type { WantedFrame } from '../../../shared/session/session.ts'

/** More are never in progress. */
const MOST = 64

export class TakenFrames {
  readonly #taken: WantedFrame[] = []

  taken(frame: WantedFrame): void {
    this.#taken.push(frame)
    if (this.#taken.length > MOST) this.#taken.shift()
  }

  /** The newest of this number; it and those before are not asked for again. Stills of a view all have one number. */
  reported(frame: number): WantedFrame | undefined {
    const at = this.#taken.findLastIndex(each => each.frame === frame)
    return at < 0 ? undefined : this.#taken.splice(0, at + 1).at(-1)
  }
}
