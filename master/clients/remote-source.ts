/** Frames that a client names over the wire: a film's are requested in batches, a viewer's arrive when it moves. */
import type { StateHead } from '../../shared/frame/state-head.ts'
import type { FromClient } from '../../shared/protocol/client-messages.ts'
import type { StateChunk } from '../../shared/protocol/codec.ts'
import { ArrivingState } from '../../shared/protocol/node/state-transfer.ts'
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
import { headProblem, stateProblem } from '../frames/state-fits.ts'

type Frames = Extract<FromClient, { type: 'frames' }>

export interface RemoteSource extends FrameSource {
  /** @throws ProtocolError if more frames arrive than were requested, or one of a scene that was not sent */
  hear(message: Frames): void
  /** Takes what there is of a frame that goes on. @throws ProtocolError */
  takeState(chunk: StateChunk): void
}

/** A named frame with its scenes. @throws ProtocolError */
export type Resolve = (frame: NamedFrame) => WantedFrame

/** @param sent the scenes that the client has sent */
export const resolving =
  (order: SessionOrder, sent: (scene: string) => NamedScene | undefined): Resolve =>
  ({ moments, from: _, ...frame }) => {
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
function checkedSettings(order: SessionOrder, frame: Omit<NamedFrame, 'moments' | 'from'>): SessionOrder {
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

interface NamedAs {
  readonly wanted: WantedFrame
  /** What it begins with. */
  readonly arriving: ArrivingState | undefined
}

/** Frames prefetched ahead of those being made: enough that no frame waits for a round trip. */
const AHEAD = 32

export class RemoteFilm implements RemoteSource {
  readonly #want: (count: number) => void
  readonly #resolve: Resolve
  readonly #order: SessionOrder
  readonly #refusal: Error | undefined
  /** Frames named and not yet taken. */
  readonly #named: NamedAs[] = []
  #isRefused = false
  /** How many more the client may name. */
  #wanted = 0
  #ended = false
  #wake: (() => void) | undefined

  /**
   * @param want requests `count` more frames from the client
   * @param refusal why no frame of the order may go on where it was kept
   */
  constructor(want: (count: number) => void, resolve: Resolve, order: SessionOrder, refusal?: Error) {
    this.#want = want
    this.#resolve = resolve
    this.#order = order
    this.#refusal = refusal
  }

  hear({ frames, end }: Frames): void {
    if (frames.length > this.#wanted || this.#ended)
      throw new ProtocolError(`frames of a film: expected at most ${this.#wanted}, got ${frames.length}`)
    this.#wanted -= frames.length
    for (const frame of frames)
      this.#named.push({
        wanted: this.#resolve(frame),
        arriving: frame.from && this.#expected(frame.frame, frame.from),
      })
    this.#ended = end === true
    this.#wake?.()
  }

  takeState(chunk: StateChunk): void {
    if (this.#isRefused) return
    const named = this.#named.find(({ arriving }) => arriving)
    if (named?.wanted.frame !== chunk.frame || named.arriving!.isComplete)
      throw new ProtocolError(`what there is of frame ${chunk.frame} came, which does not go on`)
    named.arriving!.take(chunk)
    if (!named.arriving!.isComplete) return
    const problem = stateProblem(named.arriving!.state)
    if (problem !== undefined) throw new ProtocolError(`what there is of frame ${chunk.frame}: ${problem}`)
    this.#wake?.()
  }

  async ready(): Promise<boolean> {
    this.#ask()
    while (!this.#isReady && !this.#isRefused)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    if (this.#isRefused) throw this.#refusal
    return this.#named.length > 0
  }

  take(): WantedFrame {
    const { wanted, arriving } = this.#named.shift()!
    return arriving ? { ...wanted, from: arriving.state } : wanted
  }

  get #isReady(): boolean {
    const [next] = this.#named
    return next ? next.arriving?.isComplete !== false : this.#ended
  }

  /** Memory is taken for one at a time. @throws ProtocolError */
  #expected(frame: number, head: StateHead): ArrivingState {
    const wrong = (problem: string) => new ProtocolError(`what there is of frame ${frame}: ${problem}`)
    if (this.#named.some(({ arriving }) => arriving))
      throw wrong('expected it when the frame before that goes on has begun')
    const problem = this.#order.keep ? headProblem(head, this.#order) : 'expected none of a session that is not kept'
    if (problem !== undefined) throw wrong(problem)
    this.#isRefused = this.#refusal !== undefined
    return new ArrivingState(head)
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
    if (frames.some(({ from }) => from))
      throw new ProtocolError('a viewer named a frame that goes on: its frames are begun')
    if (newest) this.look(newest)
    if (abandon) this.abandon()
    if (end) this.close()
  }

  takeState({ frame }: StateChunk): never {
    throw new ProtocolError(`what there is of frame ${frame} came, of a viewer: its frames are begun`)
  }
}
