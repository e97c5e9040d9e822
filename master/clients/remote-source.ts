/** Frames that a client names over the wire: a film's are requested in batches, a viewer's arrive when it moves. */
import type { FromClient } from '../../shared/protocol/client-messages.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import {
  isDoubling,
  type NamedFrame,
  orderFor,
  type SessionOrder,
  sessionOrderSchema,
} from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { FrameSource, WantedFrame } from '../../shared/session/session.ts'
import { Viewer } from '../../shared/session/viewer.ts'
import { schemaProblem } from '../../shared/text/schema-problem.ts'

type Frames = Extract<FromClient, { type: 'frames' }>

export interface RemoteSource extends FrameSource {
  /** @throws ProtocolError if more frames arrive than were requested, or one of a scene that was not sent */
  hear(message: Frames): void
}

/** A named frame with its scenes. @throws ProtocolError */
export type Resolve = (frame: NamedFrame) => WantedFrame

/** @param sent the scenes that the client has sent */
export const resolving =
  (order: SessionOrder, sent: (scene: string) => NamedScene | undefined): Resolve =>
  ({ moments, ...frame }) => {
    const own = checkedSettings(order, frame)
    const withScene = <T extends { readonly scene?: string }>({ scene: name, ...named }: T) => {
      if (name === undefined) return named
      const scene = sent(name)
      if (!scene) throw new ProtocolError(`frame ${frame.frame} names a scene that was not sent`)
      return { ...named, scene }
    }
    const wanted = withScene(frame)
    if (!moments) return wanted
    const { passes, quality } = own
    if (moments.length !== passes || passes > quality.samples || isDoubling(own))
      throw new ProtocolError(
        `frame ${frame.frame}: expected a moment for each of ${passes} passes, which samples are divided among, got ${moments.length}`,
      )
    return { ...wanted, moments: moments.map(withScene) }
  }

/** What a frame may cost was reckoned for its session. @throws ProtocolError */
function checkedSettings(order: SessionOrder, frame: Omit<NamedFrame, 'moments'>): SessionOrder {
  if (!frame.settings) return order
  const wrong = (problem: string) => new ProtocolError(`settings of frame ${frame.frame}: ${problem}`)
  if (order.kind !== 'viewer') throw wrong('expected none in a film, whose frames are alike')
  // A client takes channels of one size in a session.
  if (order.channels?.length) throw wrong('expected no channels in its session')
  const own = sessionOrderSchema.safeParse(orderFor(order, frame))
  if (!own.success) throw wrong(schemaProblem(own.error))
  const [w, h] = frame.settings.size
  const most = order.size[0] * order.size[1]
  if (w * h > most) throw wrong(`expected at most the ${most} pixels of its session, got ${w}x${h}`)
  return own.data
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
