/**
 * A viewer over several connections to a master: the next one begins with the newest view that was asked for and never shown. Views
 * are told apart by their frame numbers.
 */
import type { FrameSource, WantedFrame } from '../../shared/session/session.ts'

export class UnfinishedView {
  readonly #source: FrameSource
  /** The newest that was taken, unless it was shown or abandoned. */
  #unshown: WantedFrame | undefined
  /** What the source is asked, once for all connections. */
  #asked: Promise<boolean> | undefined
  #connections = 0
  readonly #stop: () => void

  constructor(source: FrameSource) {
    this.#source = source
    const abandoned = () => {
      this.#unshown = undefined
    }
    this.#stop = source.onAbandon?.(abandoned) ?? (() => {})
  }

  /** Whether there is a view to show. */
  get isOwed(): boolean {
    return this.#unshown !== undefined
  }

  /** The view of that number has been shown. */
  delivered(number: number): void {
    if (this.#unshown?.frame === number) this.#unshown = undefined
  }

  /** The views for one more connection; those before get no more. */
  next(): FrameSource {
    const connection = ++this.#connections
    let again = this.#unshown
    const isAgain = () => again !== undefined && again === this.#unshown
    return {
      ready: async () => {
        if (isAgain()) return connection === this.#connections
        this.#asked ??= this.#source.ready()
        return (await this.#asked) && connection === this.#connections
      },
      take: () => {
        const before = isAgain() ? again : undefined
        again = undefined
        if (before) return before
        this.#asked = undefined
        this.#unshown = this.#source.take()
        return this.#unshown
      },
      onAbandon: listen => this.#source.onAbandon?.(listen) ?? (() => {}),
    }
  }

  /** The session is over. */
  end(): void {
    this.#stop()
  }
}
