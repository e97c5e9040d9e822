/** Frames that a client names over the wire: a film's are requested in batches, a viewer's arrive when it moves. */
import type { FromClient } from '../../shared/protocol/client-messages.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import { isDoubling, type NamedFrame, type SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { FrameSource, WantedFrame } from '../../shared/session/session.ts'
import { Viewer } from '../../shared/session/viewer.ts'

type Frames = Extract<FromClient, { type: 'frames' }>

export interface RemoteSource extends FrameSource {
  /** @throws ProtocolError if more frames arrive than were requested, or one of a scene that was not sent */
  hear(message: Frames): void
}

/** A named frame with its scenes. @throws ProtocolError */
export type Resolve = (frame: NamedFrame) => WantedFrame

/** @param sent the scenes that the client has sent */
export const resolving =
  (
    order: Pick<SessionOrder, 'passes' | 'quality' | 'noise' | 'timeMs'>,
    sent: (scene: string) => NamedScene | undefined,
  ): Resolve =>
  ({ moments, ...frame }) => {
    const withScene = <T extends { readonly scene?: string }>({ scene: name, ...named }: T) => {
      if (name === undefined) return named
      const scene = sent(name)
      if (!scene) throw new ProtocolError(`frame ${frame.frame} names a scene that was not sent`)
      return { ...named, scene }
    }
    const wanted = withScene(frame)
    if (!moments) return wanted
    const { passes, quality } = order
    if (moments.length !== passes || passes > quality.samples || isDoubling(order))
      throw new ProtocolError(
        `frame ${frame.frame}: expected a moment for each of ${passes} passes, which samples are divided among, got ${moments.length}`,
      )
    return { ...wanted, moments: moments.map(withScene) }
  }

/** Frames prefetched ahead of those being made: enough that no frame waits for a round trip. */
const AHEAD = 32

export class RemoteFilm implements RemoteSource {
  readonly #want: (count: number) => void
  readonly #resolve: Resolve
  /** Frames named and not yet taken. */
  readonly #named: WantedFrame[] = []
  /** How many more the client may name. */
  #wanted = 0
  #ended = false
  #wake: (() => void) | undefined

  /** @param want requests `count` more frames from the client */
  constructor(want: (count: number) => void, resolve: Resolve) {
    this.#want = want
    this.#resolve = resolve
  }

  hear({ frames, end }: Frames): void {
    if (frames.length > this.#wanted || this.#ended)
      throw new ProtocolError(`frames of a film: expected at most ${this.#wanted}, got ${frames.length}`)
    this.#wanted -= frames.length
    this.#named.push(...frames.map(this.#resolve))
    this.#ended = end === true
    this.#wake?.()
  }

  async ready(): Promise<boolean> {
    this.#ask()
    while (this.#named.length === 0 && !this.#ended)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    return this.#named.length > 0
  }

  take(): WantedFrame {
    return this.#named.shift()!
  }

  #ask(): void {
    const known = this.#named.length + this.#wanted
    if (this.#ended || known > AHEAD / 2) return
    this.#wanted += AHEAD - known
    this.#want(AHEAD - known)
  }
}

export class RemoteViewer extends Viewer implements RemoteSource {
  readonly #resolve: Resolve

  constructor(resolve: Resolve) {
    super()
    this.#resolve = resolve
  }

  hear({ frames, end, abandon }: Frames): void {
    const [newest] = frames.slice(-1).map(this.#resolve)
    if (newest) this.look(newest)
    if (abandon) this.abandon()
    if (end) this.close()
  }
}
