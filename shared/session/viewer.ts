/**
 * An interactive viewer whose camera moves. Only the newest requested frame is pending; an earlier request that has not begun is
 * dropped.
 */
import { invariant } from '../errors.ts'
import type { FrameSource, WantedFrame } from './session.ts'

export class Viewer implements FrameSource {
  #newest: WantedFrame | undefined
  #closed = false
  #wake: (() => void) | undefined
  readonly #abandoning = new Set<() => void>()

  /** Requests a frame, in place of a pending one. */
  look(request: WantedFrame): void {
    this.#newest = request
    this.#wake?.()
  }

  /** The frame in progress is no longer worth finishing. */
  abandon(): void {
    for (const listen of [...this.#abandoning]) listen()
  }

  /** Ends the session. */
  close(): void {
    this.#closed = true
    this.#wake?.()
  }

  async ready(): Promise<boolean> {
    while (!this.#newest && !this.#closed)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    return !this.#closed
  }

  take(): WantedFrame {
    const newest = this.#newest
    invariant(newest, 'no new frame was requested')
    this.#newest = undefined
    return newest
  }

  onAbandon(listen: () => void): () => void {
    this.#abandoning.add(listen)
    return () => this.#abandoning.delete(listen)
  }
}
