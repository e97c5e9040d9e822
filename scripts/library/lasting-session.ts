/** A film or a viewer over several connections to a master: what each of them is asked for, and what is made of their reports. */
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { FrameSource, SessionSink } from '../../shared/session/session.ts'
import { JoinedReports } from './joined-reports.ts'
import { UnfinishedFilm } from './unfinished-film.ts'
import { UnfinishedView } from './unfinished-view.ts'

/** Frames of a session over its connections. */
interface UnfinishedFrames {
  /** Whether frames that were asked for have not been delivered. */
  readonly isOwed: boolean
  delivered(number: number): void
  /** The frames for one more connection. */
  next(): FrameSource
  end?(): void
}

export class LastingSession {
  readonly sink: SessionSink
  readonly #frames: UnfinishedFrames
  readonly #reports = new JoinedReports()
  /** Why its sink takes no more frames: another connection would not help. */
  refused: { readonly error: unknown } | undefined

  constructor(
    { kind }: Pick<SessionOrder, 'kind'>,
    source: FrameSource,
    sink: SessionSink,
    now: () => number,
    advanced: () => void,
  ) {
    this.#frames = kind === 'film' ? new UnfinishedFilm(source) : new UnfinishedView(source)
    this.sink = {
      ...sink,
      frame: async (report, pixels, planes) => {
        try {
          await sink.frame(this.#reports.join(report, now()), pixels, planes)
        } catch (error) {
          this.refused = { error }
          throw error
        }
        this.#frames.delivered(report.frame)
        advanced()
      },
    }
  }

  get isOwed(): boolean {
    return this.#frames.isOwed
  }

  /** Its frames for one more connection. */
  next(): FrameSource {
    return this.#frames.next()
  }

  reconnected(): void {
    this.#reports.reconnected()
  }

  end(): void {
    this.#frames.end?.()
  }
}
