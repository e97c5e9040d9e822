/** What a master that closes still has to do: sessions in progress, and what each of them has when it ends. */
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { SessionSink } from '../../shared/session/session.ts'
import { MasterClosingError } from './errors.ts'

export class Closing {
  readonly #signal: AbortSignal
  readonly #running = new Set<Promise<void>>()

  /** @param signal aborts when the master begins to close */
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** @throws MasterClosingError if no new session is let in */
  check(): void {
    if (this.#signal.aborted) throw new MasterClosingError()
  }

  /** Runs a session. If the master closes before it is complete, the error says what is left. */
  async run(
    { kind, sceneName, frameCount }: Pick<SessionOrder, 'kind' | 'sceneName' | 'frameCount'>,
    sink: SessionSink,
    session: (sink: SessionSink) => Promise<void>,
  ): Promise<void> {
    let done = 0
    const counted: SessionSink = {
      ...sink,
      frame: (...frame) => {
        done++
        return sink.frame(...frame)
      },
    }
    const running = session(counted)
    const ended = running.catch(() => {})
    this.#running.add(ended)
    try {
      await running
    } catch (error) {
      if (!(error instanceof MasterClosingError)) throw error
      const count = frameCount === undefined ? `${done}` : `${done} of ${frameCount}`
      throw new MasterClosingError(
        `${count} ${(frameCount ?? done) === 1 ? 'frame' : 'frames'} of the ${kind} of ${sceneName} done`,
      )
    } finally {
      this.#running.delete(ended)
    }
  }

  /** Resolves when no session is in progress. */
  async ended(): Promise<void> {
    await Promise.all(this.#running)
  }
}
