/**
 * What a client keeps of frames that are made elsewhere: it hears where they are, and asks their master for what there is of one when its
 * keeper wants that. Nobody waits long for a master that does not answer.
 */
import { headProblem, stateProblem } from '../../master/frames/state-fits.ts'
import type { FrameState } from '../../shared/frame/frame-state.ts'
import type { FromClient, ToClient } from '../../shared/protocol/client-messages.ts'
import type { StateChunk } from '../../shared/protocol/codec.ts'
import { ArrivingState } from '../../shared/protocol/node/state-transfer.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { FrameKeeper } from '../../shared/session/session.ts'

export interface KeepingPorts {
  readonly session: number
  readonly order: SessionOrder
  send(message: FromClient): void
  /** Calls `wake` after `inMs` unless the returned function is called. */
  alarm(wake: () => void, inMs: number): () => void
}

/** A request: answered by a head, and by what follows it. */
interface Asked {
  readonly frame: number
  arriving: ArrivingState | undefined
  answer(state: FrameState | undefined): void
  disarm: () => void
}

/** For how long a master may send nothing of what it was asked for, ms. */
const PATIENCE_MS = 30_000

export class RemoteKeeping {
  readonly #keeper: FrameKeeper
  readonly #ports: KeepingPorts
  /** Frames that were named, and not delivered. */
  readonly #named = new Set<number>()
  /** Of these, those that are being made. */
  readonly #begun = new Set<number>()
  #asked: Asked | undefined
  /** Chains requests: a master takes one at a time. */
  #last: Promise<unknown> = Promise.resolve()
  /** The frame that goes on where it was kept, and has not begun. */
  #goingOn: number | undefined
  #onBegun = () => {}
  #isOver = false
  /** Whether its master left something without an answer, which may come yet. */
  #isMute = false

  constructor(keeper: FrameKeeper, ports: KeepingPorts) {
    this.#keeper = keeper
    this.#ports = ports
  }

  /** What the next frame begins with, once the one before that goes on has begun. */
  async from(frame: number): Promise<FrameState | undefined> {
    const state = await this.#keeper.from?.(frame)
    if (!state) return undefined
    while (this.#goingOn !== undefined && !this.#isOver)
      await new Promise<void>(resolve => {
        this.#onBegun = resolve
      })
    this.#goingOn = frame
    return state
  }

  named(frame: number): void {
    this.#named.add(frame)
  }

  /** @throws ProtocolError */
  hear(said: Extract<ToClient, { readonly type: 'frame-at' | 'frame-state' }>): void {
    if (this.#isOver) return
    if (said.type === 'frame-state') return this.#answered(said)
    const { frame, at } = said
    // It may be over already, and what it became is on its way, or its master has not heard yet that it has come.
    if (at === 'at-risk') return this.#begun.has(frame) ? this.#keeper.atRisk?.(frame) : undefined
    if (!this.#named.has(frame) || (at === 'begun' && this.#begun.has(frame)))
      throw new ProtocolError(`frame ${frame}: expected one that was named, once, got one that is ${at}`)
    switch (at) {
      case 'begun':
        this.#begun.add(frame)
        if (this.#goingOn === frame) this.#goingOn = undefined
        this.#onBegun()
        return this.#keeper.begun(frame, () => this.#ask(frame))
      case 'pass-done':
        return this.#keeper.passDone(frame)
      case 'complete':
        return void this.#keeper.complete(frame).finally(() => this.#kept(frame))
      case 'given-up':
        this.#begun.delete(frame)
        return void this.#keeper.givenUp(frame).finally(() => this.#kept(frame))
    }
  }

  /** @throws ProtocolError */
  take(chunk: StateChunk): void {
    const asked = this.#asked
    if (this.#isOver || (!asked && this.#isMute)) return
    if (asked?.frame !== chunk.frame || !asked.arriving)
      throw new ProtocolError(`what there is of frame ${chunk.frame} came and was not asked for`)
    asked.arriving.take(chunk)
    if (!asked.arriving.isComplete) return this.#waitFor(asked)
    const { state } = asked.arriving
    const problem = stateProblem(state)
    if (problem !== undefined) throw new ProtocolError(`what there is of frame ${chunk.frame}: ${problem}`)
    asked.answer(state)
  }

  /** The master has been told that a frame has come. */
  delivered(frame: number): void {
    this.#named.delete(frame)
    this.#begun.delete(frame)
  }

  /** The session is to end: keeps what there is of its frames. */
  async giveUp(): Promise<void> {
    const begun = [...this.#begun]
    this.#begun.clear()
    await Promise.all(begun.map(frame => this.#keeper.givenUp(frame)))
  }

  /** Nothing more will come. */
  end(): void {
    this.#isOver = true
    this.#asked?.answer(undefined)
    this.#onBegun()
  }

  #kept(frame: number): void {
    this.#ports.send({ type: 'frame-kept', session: this.#ports.session, frame })
  }

  #ask(frame: number): Promise<FrameState | undefined> {
    const answer = this.#last.then(() => {
      if (this.#isOver || this.#isMute) return undefined
      return new Promise<FrameState | undefined>(resolve => {
        const asked: Asked = {
          frame,
          arriving: undefined,
          answer: state => {
            asked.disarm()
            if (this.#asked === asked) this.#asked = undefined
            resolve(state)
          },
          disarm: () => {},
        }
        this.#asked = asked
        this.#waitFor(asked)
        this.#ports.send({ type: 'want-state', session: this.#ports.session, frame })
      })
    })
    this.#last = answer
    return answer
  }

  #answered({ frame, head }: Extract<ToClient, { readonly type: 'frame-state' }>): void {
    const asked = this.#asked
    if (!asked && this.#isMute) return
    if (asked?.frame !== frame || asked.arriving)
      throw new ProtocolError(`what there is of frame ${frame} came and was not asked for`)
    if (!head) return asked.answer(undefined)
    const problem = headProblem(head, this.#ports.order)
    if (problem !== undefined) throw new ProtocolError(`what there is of frame ${frame}: ${problem}`)
    asked.arriving = new ArrivingState(head)
    this.#waitFor(asked)
  }

  #waitFor(asked: Asked): void {
    asked.disarm()
    asked.disarm = this.#ports.alarm(() => {
      this.#isMute = true
      asked.answer(undefined)
    }, PATIENCE_MS)
  }
}
