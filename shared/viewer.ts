/**
 * A viewer: somebody looks at the scene and moves. Of the frames that it asks for only the newest is waited for; what was asked for
 * before and has not begun is forgotten.
 */
import { invariant } from './errors.ts'
import type { FrameRequest } from './protocol/session-order.ts'
import type { FrameSource } from './session.ts'

export class Viewer implements FrameSource {
  #newest: FrameRequest | undefined
  #closed = false
  #wake: (() => void) | undefined
  readonly #abandoning = new Set<() => void>()

  /** Asks for a frame in the place of one that waits. */
  look(request: FrameRequest): void {
    this.#newest = request
    this.#wake?.()
  }

  /** What is being made is not worth finishing. */
  abandon(): void {
    for (const listen of [...this.#abandoning]) listen()
  }

  /** Nobody looks any more. */
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

  take(): FrameRequest {
    const newest = this.#newest
    invariant(newest, 'nobody looks at anything new')
    this.#newest = undefined
    return newest
  }

  onAbandon(listen: () => void): () => void {
    this.#abandoning.add(listen)
    return () => this.#abandoning.delete(listen)
  }
}
