/** Previews on their way to the client of a session: one at a time, and the newest waits. A slow client misses some, and holds up none. */
import type { FramePreview } from '../../shared/session/session.ts'

export class Previews {
  readonly #take: (preview: FramePreview) => void | Promise<void>
  readonly #failed: (error: unknown) => void
  #isTaking = false
  #waiting: FramePreview | undefined

  /** @param take resolves when it can take the next */
  constructor(take: (preview: FramePreview) => void | Promise<void>, failed: (error: unknown) => void) {
    this.#take = take
    this.#failed = failed
  }

  /** Takes a preview, which is dropped if a newer one overtakes it. */
  offer(preview: FramePreview): void {
    this.#waiting = preview
    if (!this.#isTaking) void this.#takeAll()
  }

  /** A frame is complete: a preview of it is no longer needed. */
  drop(frame: number): void {
    if (this.#waiting?.frame === frame) this.#waiting = undefined
  }

  async #takeAll(): Promise<void> {
    this.#isTaking = true
    try {
      for (let next = this.#waiting; next; next = this.#waiting) {
        this.#waiting = undefined
        await this.#take(next)
      }
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isTaking = false
    }
  }
}
