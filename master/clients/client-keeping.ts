/**
 * What a client keeps of a session's frames in the making: it is told where they are, and is sent what there is of one when it asks, once at
 * a time. A frame that is complete or given up waits for it, but holds up nobody else's.
 */
import type { FrameState } from '../../shared/frame/frame-state.ts'
import { headOf } from '../../shared/frame/state-head.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import type { ToClient } from '../../shared/protocol/client-messages.ts'
import type { Encoding } from '../../shared/protocol/messages.ts'
import { sendState } from '../../shared/protocol/node/state-transfer.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { FrameKeeper } from '../../shared/session/session.ts'

type At = Extract<ToClient, { readonly type: 'frame-at' }>['at']

interface HeldFrame {
  readonly state: () => Promise<FrameState | undefined>
  /** Lets it go on to its end. */
  release: () => void
}

export interface KeepingPorts {
  readonly session: number
  readonly channel: Channel
  readonly encoding: Encoding
  /** Aborts when the client has no more interest. */
  readonly signal: AbortSignal
}

export class ClientKeeping implements FrameKeeper {
  readonly mostTileSamples: number | undefined
  readonly #ports: KeepingPorts
  readonly #frames = new Map<number, HeldFrame>()
  /** Requests without an answer, or whose answer is not known to have been sent. */
  #asked = 0
  #last: Promise<void> = Promise.resolve()

  constructor(mostTileSamples: number | undefined, ports: KeepingPorts) {
    this.mostTileSamples = mostTileSamples
    this.#ports = ports
  }

  begun(frame: number, state: HeldFrame['state']): void {
    this.#frames.set(frame, { state, release: () => {} })
    this.#say(frame, 'begun')
  }

  passDone(frame: number): void {
    this.#say(frame, 'pass-done')
  }

  /** The master has been told to end, and may be ended at once. */
  closing(): void {
    for (const frame of this.#frames.keys()) this.#say(frame, 'at-risk')
  }

  complete(frame: number): Promise<void> {
    return this.#wait(frame, 'complete')
  }

  async givenUp(frame: number): Promise<void> {
    await this.#wait(frame, 'given-up')
    this.#frames.delete(frame)
  }

  /**
   * The client wants what there is of a frame. One request may come before the answer to the last is known to have been sent: the client may have
   * all of it sooner than that is known here.
   * @throws ProtocolError for a third one
   */
  want(frame: number): void {
    if (this.#asked > 1) throw new ProtocolError(`what there is of frame ${frame}: expected one request at a time`)
    this.#asked++
    this.#last = this.#last
      .then(() => this.#answer(frame))
      .finally(() => {
        this.#asked--
      })
  }

  /** The client has what it wants of a frame that is over. */
  kept(frame: number): void {
    this.#frames.get(frame)?.release()
  }

  /** The client has a frame. */
  taken(frame: number): void {
    this.#frames.delete(frame)
  }

  async #answer(frame: number): Promise<void> {
    const { session, channel, encoding, signal } = this.#ports
    const state = await this.#frames
      .get(frame)
      ?.state()
      .catch(() => undefined)
    if (signal.aborted) return
    channel.send({ type: 'frame-state', session, frame, ...(state ? { head: headOf(state) } : {}) })
    if (state) await sendState(channel, encoding, { session, frame }, state, () => !signal.aborted)
  }

  #wait(frame: number, at: At): Promise<void> {
    const held = this.#frames.get(frame)
    const { signal } = this.#ports
    if (!held || signal.aborted) return Promise.resolve()
    const released = new Promise<void>(resolve => {
      held.release = () => {
        signal.removeEventListener('abort', held.release)
        resolve()
      }
      signal.addEventListener('abort', held.release)
    })
    this.#say(frame, at)
    return released
  }

  #say(frame: number, at: At): void {
    const { session, channel, signal } = this.#ports
    if (!signal.aborted) channel.send({ type: 'frame-at', session, frame, at })
  }
}
