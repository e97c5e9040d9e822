/**
 * A session on a running master, as its client sees it: it names the frames of its source when the master asks for them, and passes
 * those that come to its sink, one after the other. Frames that the sink has not taken are not acknowledged, so the master makes no
 * more of them; other sessions of the connection do not notice.
 */
import { CancelledError } from '../../shared/errors.ts'
import type { FrameState } from '../../shared/frame/frame-state.ts'
import { headOf } from '../../shared/frame/state-head.ts'
import type { FromClient, ToClient } from '../../shared/protocol/client-messages.ts'
import type { FrameDone, FramePlane, FramePreviewed, StateChunk } from '../../shared/protocol/codec.ts'
import { decodePixels } from '../../shared/protocol/node/pixel-encoding.ts'
import { unpackReport } from '../../shared/protocol/node/report-packing.ts'
import { MAX_UNDELIVERED_FRAMES, MAX_UNDELIVERED_PREVIEWS } from '../../shared/protocol/peer-limits.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import { type NamedFrame, SESSION_VERSION, type SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { FrameSource, SessionSink, WantedFrame } from '../../shared/session/session.ts'
import { ArrivingPlanes } from './arriving-planes.ts'
import { RemoteError } from './remote-errors.ts'
import { RemoteKeeping } from './remote-keeping.ts'

/** What a session needs from its connection. */
export interface SessionPorts {
  send(message: FromClient): void
  /** Sends what there is of a frame, as pixels are sent to this client. */
  sendState(
    of: { readonly session: number; readonly frame: number },
    state: FrameState,
    isWanted: () => boolean,
  ): Promise<void>
  /** Resolves when the master has the scene, or when the session is over; rejects if it cannot have it. */
  bring(scene: NamedScene, session: RemoteSession): Promise<void>
}

/** Scenes that the master is sent before their frames begin, unless those of the next frame alone are more. */
const SCENES_AHEAD = 2

export class RemoteSession {
  readonly #number: number
  readonly #order: SessionOrder
  readonly #source: FrameSource
  readonly #sink: SessionSink
  readonly #ports: SessionPorts
  readonly #planes: ArrivingPlanes
  /** If what frames have is kept. */
  readonly #keeping: RemoteKeeping | undefined
  /** Resolves when the master has no more to say about it. */
  readonly #ended: Promise<void>
  #done = () => {}
  #isDone = false
  /** Rejects when it is not worth waiting for that. */
  readonly #failed: Promise<never>
  #fail: (error: unknown) => void = () => {}
  #isOver = false
  #stopHearing = () => {}
  /** Chains the master's requests for frames, so that they are answered in order. */
  #naming: Promise<void> = Promise.resolve()
  /** Numbers of scenes of the frames named and not yet delivered. */
  readonly #undelivered: number[] = []
  /** Called when a frame has been delivered. */
  #roomWanted: (() => void) | undefined
  /** Whether the master knows that there are no more frames. */
  #isNamed = false
  /** Why there are no more frames; the session ends with it when those before are delivered. */
  #broken: { readonly error: unknown } | undefined
  /** Chains the calls of the sink. */
  #delivery: Promise<void> = Promise.resolve()
  /** Frames and previews that have arrived and are not delivered. */
  readonly #waiting = { frames: 0, previews: 0 }

  constructor(number: number, order: SessionOrder, source: FrameSource, sink: SessionSink, ports: SessionPorts) {
    this.#number = number
    this.#order = order
    this.#source = source
    this.#sink = sink
    this.#ports = ports
    this.#planes = new ArrivingPlanes(order.size, order.channels ?? [])
    if (sink.keeper && order.keep)
      this.#keeping = new RemoteKeeping(sink.keeper, {
        session: number,
        order,
        send: message => ports.send(message),
        alarm: (wake, inMs) => {
          const timer = setTimeout(wake, inMs)
          return () => clearTimeout(timer)
        },
      })
    this.#ended = new Promise(resolve => {
      this.#done = resolve
    })
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#failed.catch(() => {})
  }

  /** Whether it has ended for its client: nothing more is sent or delivered. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Resolves when what has arrived is delivered. */
  get delivered(): Promise<void> {
    return this.#delivery
  }

  /** Resolves when the sink has taken all frames. Rejects with what it failed with. */
  async run(scene: NamedScene): Promise<void> {
    this.#bring(scene)
      .then(() => this.#open())
      .catch(this.#fail)
    const delivered = this.#ended.then(() => this.#delivery)
    await Promise.race([this.#failed, delivered])
    if (this.#broken) throw this.#broken.error
  }

  /** It is no longer wanted. */
  cancel(): void {
    this.#fail(new CancelledError())
  }

  /** The connection is over. */
  lost(why: unknown): void {
    this.#keeping?.end()
    if (!this.#isDone) this.#fail(why)
  }

  /** Keeps what there is of its frames before it is closed. */
  async keep(): Promise<void> {
    if (!this.#isDone) await this.#keeping?.giveUp()
  }

  /** Delivers nothing more, but for what is being delivered; resolves when that is done. */
  end(): Promise<void> {
    this.#isOver = true
    this.#keeping?.end()
    this.#stopHearing()
    this.#roomWanted?.()
    return this.#delivery
  }

  say(text: string): void {
    this.#sink.status(text)
  }

  hear(said: Extract<ToClient, { readonly session: number }>): void {
    switch (said.type) {
      case 'frames-wanted':
        this.#naming = this.#naming.then(() => this.#nameFrames(said.count)).catch(this.#fail)
        return
      case 'session-status':
        return this.#sink.status(said.text, said.isEvent)
      case 'frame-progress':
        return this.#sink.progress?.(said.progress)
      case 'frame-at':
      case 'frame-state':
        return this.#keeping?.hear(said)
      case 'session-started':
        return this.#sink.started(said.workers)
      case 'session-failed':
        this.#broken ??= { error: new RemoteError(said.code, said.reason) }
        return this.#finish()
      case 'session-done':
        return this.#finish()
    }
  }

  /** @throws ProtocolError */
  take(message: FrameDone | FramePreviewed | FramePlane | StateChunk): void {
    if (message.kind === 'state-chunk') return this.#keeping?.take(message)
    if (message.kind === 'frame-plane') return this.#planes.take(message)
    const [w, h] = this.#order.size
    const number = this.#number
    // A viewer's frames may be smaller, each as it was asked for.
    const isSized =
      this.#order.kind === 'viewer'
        ? message.rawBytes % 3 === 0 && message.rawBytes <= w * h * 3
        : message.rawBytes === w * h * 3
    if (!isSized)
      throw new ProtocolError(`a frame of session ${number}: ${message.rawBytes} bytes for ${w}x${h} pixels`)
    const { frames, previews } = this.#waiting
    // A preview that nobody has time for is left out; frames are acknowledged, and there is a bound to those that are not.
    if (message.kind === 'frame-preview' && previews >= MAX_UNDELIVERED_PREVIEWS) return
    if (message.kind === 'frame-done' && frames >= MAX_UNDELIVERED_FRAMES)
      throw new ProtocolError(`session ${number}: more than ${MAX_UNDELIVERED_FRAMES} frames came unacknowledged`)
    const pixels = decodePixels(message.encoding, 'rgb', message.body, message.rawBytes)
    if (message.kind === 'frame-preview') {
      const { frame, samples } = message
      this.#deliver('previews', () => this.#sink.preview?.({ frame, samples, pixels }))
      return
    }
    const planes = this.#planes.finish(message.frame)
    this.#deliver('frames', async () => {
      const report = unpackReport(message.report)
      if (this.#order.kind === 'viewer' && message.rawBytes !== report.size[0] * report.size[1] * 3)
        throw new ProtocolError(
          `a frame of session ${number}: ${message.rawBytes} bytes for ${report.size.join('x')} pixels`,
        )
      await this.#sink.frame(report, pixels, planes)
      this.#keeping?.delivered(report.frame)
      this.#undelivered.shift()
      this.#roomWanted?.()
      this.#ports.send({ type: 'frame-taken', session: number, frame: report.frame })
    })
  }

  #finish(): void {
    this.#isDone = true
    this.#keeping?.end()
    this.#done()
  }

  #deliver(kind: 'frames' | 'previews', pass: () => void | Promise<void>): void {
    this.#waiting[kind]++
    this.#delivery = this.#delivery
      .then(() => (this.#isOver ? undefined : pass()))
      .catch(this.#fail)
      .finally(() => {
        this.#waiting[kind]--
      })
  }

  #open(): void {
    if (this.#isOver) return
    const session = this.#number
    this.#ports.send({ type: 'open-session', session, version: SESSION_VERSION, order: this.#order })
    if (this.#order.kind === 'viewer') this.#naming = this.#followViewer().catch(this.#fail)
    const abandon = () => this.#ports.send({ type: 'frames', session, frames: [], abandon: true })
    this.#stopHearing = this.#source.onAbandon?.(abandon) ?? this.#stopHearing
  }

  #bring(scene: NamedScene): Promise<void> {
    return this.#ports.bring(scene, this)
  }

  async #bringAll(scenes: readonly NamedScene[]): Promise<void> {
    for (const scene of scenes) await this.#bring(scene)
  }

  /** Sends the next `count` frames of a film to the master; those with scenes of their own not long before they are made. */
  async #nameFrames(count: number): Promise<void> {
    const frames: NamedFrame[] = []
    const say = (end?: true) => {
      this.#isNamed = end === true
      this.#ports.send({ type: 'frames', session: this.#number, frames: frames.splice(0), ...(end ? { end } : {}) })
    }
    // The master may have asked for more before it heard of the end.
    for (let named = 0; named < count && !this.#isNamed; named++) {
      const next = await this.#next()
      if (this.#isOver) return
      if (!next) return say(true)
      const from = await this.#keeping?.from(next.frame.frame)
      if (this.#isOver) return
      this.#keeping?.named(next.frame.frame)
      frames.push({ ...next.frame, ...(from ? { from: headOf(from) } : {}) })
      if (next.hasScenes || from) say()
      const of = { session: this.#number, frame: next.frame.frame }
      if (from) await this.#ports.sendState(of, from, () => !this.#isOver && !this.#isDone)
    }
    if (frames.length > 0) say()
  }

  /** The next frame, whose scenes the master has; undefined if there is none, or it cannot be had. */
  async #next(): Promise<{ readonly frame: NamedFrame; readonly hasScenes: boolean } | undefined> {
    try {
      if (!(await this.#source.ready()) || this.#isOver) return undefined
      const wanted = this.#source.take()
      const scenes = scenesOf(wanted)
      this.#undelivered.push(scenes.length)
      if (scenes.length > 0) await this.#room()
      await this.#bringAll(scenes)
      return { frame: nameOf(wanted), hasScenes: scenes.length > 0 }
    } catch (error) {
      this.#broken = { error }
      return undefined
    }
  }

  /** Resolves when the master holds no more scenes of frames than it needs to go on without waiting, or when the session is over. */
  async #room(): Promise<void> {
    const scenes = () => this.#undelivered.reduce((sum, each) => sum + each, 0)
    const { inFlight } = this.#order
    const isFull = () => this.#undelivered.length > inFlight + 1 && scenes() > inFlight + SCENES_AHEAD
    while (isFull() && !this.#isOver)
      await new Promise<void>(resolve => {
        this.#roomWanted = resolve
      })
  }

  /** Forwards a viewer's cameras as they come. */
  async #followViewer(): Promise<void> {
    const session = this.#number
    while (await this.#source.ready()) {
      if (this.#isOver) return
      const wanted = this.#source.take()
      await this.#bringAll(scenesOf(wanted))
      this.#ports.send({ type: 'frames', session, frames: [nameOf(wanted)] })
    }
    this.#ports.send({ type: 'frames', session, frames: [], end: true })
  }
}

/** The scenes of a frame and of its moments, each once. */
function scenesOf({ scene, moments = [] }: WantedFrame): NamedScene[] {
  const all = [{ scene }, ...moments].flatMap(({ scene }) => (scene ? [scene] : []))
  return [...new Map(all.map(scene => [scene.hash, scene])).values()]
}

/** A frame with the names of its scenes. */
function nameOf({ moments, from: _, ...frame }: WantedFrame): NamedFrame {
  const named = <T extends { readonly scene?: NamedScene }>({ scene, ...rest }: T) =>
    scene ? { ...rest, scene: scene.hash } : rest
  return { ...named(frame), ...(moments ? { moments: moments.map(named) } : {}) }
}
