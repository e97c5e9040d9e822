/**
 * Frames on tape: what each was given and what it answered, call by call, at the boundary of `Frame`. A tape is made of whatever drives
 * frames while it runs, and a frame can be driven again by what is on it, as the simulator drives its own.
 */
import { vi } from 'vitest'
import type { CoverageMask } from '../../master/coverage/coverage-mask.ts'
import { driveFrame, type FrameWorld, type Happening } from '../../master/frames/drive-frame.ts'
import { type Answer, Frame } from '../../master/frames/frame.ts'
import { FramePlanner } from '../../master/frames/frame-planner.ts'
import type { Action, ClusterEvent } from '../../master/scheduling/events.ts'
import type { LeaseNumbers } from '../../master/scheduling/lease-numbers.ts'
import { strategyByName } from '../../master/strategies/index.ts'
import type { LeaseId } from '../../shared/ids.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'

/** What a frame answered, and when it wants to be woken. */
interface Decision {
  readonly actions: readonly Action[]
  readonly wakeAt: number | undefined
}

/** A call of a frame; times in ms on the master's clock. */
type Call =
  | { readonly call: 'learn' | 'decide' | 'pass-complete' | 'settle' }
  | { readonly call: 'cover'; readonly mask: CoverageMask }
  | ({ readonly call: 'begin'; readonly now: number } & Decision)
  | ({ readonly call: 'happened'; readonly now: number; readonly event: ClusterEvent } & Decision)
  | { readonly call: 'sent'; readonly lease: LeaseId }
  | { readonly call: 'placed'; readonly lease: LeaseId; readonly answer: Answer }
  | { readonly call: 'dropped'; readonly lease: LeaseId; readonly answer: Pick<Answer, 'tile'> }

export interface FrameTape {
  readonly frame: Frame
  readonly calls: readonly Call[]
}

/** The frames of a session, in the order in which they began. */
export interface SessionTape {
  /** What its planner was told before the first. */
  readonly primes: readonly Parameters<FramePlanner['prime']>[]
  readonly frames: readonly FrameTape[]
}

/** Tapes a session while `run` lasts: the frames that a `FramePlanner` plans, not those of warm-ups. */
export async function tape(run: () => Promise<void> | void): Promise<SessionTape> {
  const primes: Parameters<FramePlanner['prime']>[] = []
  const calls = new Map<Frame, Call[]>()
  const planned = new Set<Frame>()
  let learning: Frame | undefined
  const note = (frame: Frame, call: Call): void => {
    const noted = calls.get(frame) ?? []
    calls.set(frame, noted)
    noted.push(call)
  }
  const { learn, cover, decide, begin, happened, sent, placed, dropped, passComplete, settle } = Frame.prototype
  const { planContext, prime } = FramePlanner.prototype
  vi.spyOn(FramePlanner.prototype, 'prime').mockImplementation(function (this: FramePlanner, ...told) {
    primes.push(told)
    return prime.apply(this, told)
  })
  vi.spyOn(FramePlanner.prototype, 'planContext').mockImplementation(function (this: FramePlanner, ...asked) {
    if (learning) planned.add(learning)
    return planContext.apply(this, asked)
  })
  vi.spyOn(Frame.prototype, 'learn').mockImplementation(function (this: Frame) {
    note(this, { call: 'learn' })
    learning = this
    learn.call(this)
    learning = undefined
  })
  vi.spyOn(Frame.prototype, 'cover').mockImplementation(function (this: Frame, mask) {
    note(this, { call: 'cover', mask })
    cover.call(this, mask)
  })
  vi.spyOn(Frame.prototype, 'decide').mockImplementation(function (this: Frame) {
    note(this, { call: 'decide' })
    decide.call(this)
  })
  vi.spyOn(Frame.prototype, 'begin').mockImplementation(function (this: Frame, now) {
    const actions = begin.call(this, now)
    note(this, { call: 'begin', now, actions, wakeAt: this.wakeAt })
    return actions
  })
  vi.spyOn(Frame.prototype, 'happened').mockImplementation(function (this: Frame, event, now) {
    const actions = happened.call(this, event, now)
    note(this, { call: 'happened', event, now, actions, wakeAt: this.wakeAt })
    return actions
  })
  vi.spyOn(Frame.prototype, 'sent').mockImplementation(function (this: Frame, order, at) {
    note(this, { call: 'sent', lease: order.lease })
    sent.call(this, order, at)
  })
  vi.spyOn(Frame.prototype, 'placed').mockImplementation(function (this: Frame, accepted, answer, at) {
    note(this, { call: 'placed', lease: accepted.lease, answer })
    placed.call(this, accepted, answer, at)
  })
  vi.spyOn(Frame.prototype, 'dropped').mockImplementation(function (this: Frame, lease, answer) {
    note(this, { call: 'dropped', lease, answer })
    dropped.call(this, lease, answer)
  })
  vi.spyOn(Frame.prototype, 'passComplete').mockImplementation(function (this: Frame) {
    note(this, { call: 'pass-complete' })
    passComplete.call(this)
  })
  vi.spyOn(Frame.prototype, 'settle').mockImplementation(function (this: Frame) {
    note(this, { call: 'settle' })
    settle.call(this)
  })
  try {
    await run()
  } finally {
    vi.restoreAllMocks()
  }
  return { primes, frames: [...planned].map(frame => ({ frame, calls: calls.get(frame)! })) }
}

/** Drives the frames of a session again, by what is on its tape and by nothing else. */
export function replay({ primes, frames }: SessionTape, order: SessionOrder): void {
  const { strategy, options, size, clock, record } = order
  const planner = new FramePlanner({ strategy: strategyByName(strategy), options, size, clock, record })
  for (const [camera, picture] of primes) planner.prime(camera, picture)
  for (const { frame, calls } of frames) {
    const world = new TapedWorld(calls)
    driveFrame(new Frame({ ...frame.order, numbers: numbersOf(calls) }, planner), world, () => world.next())
  }
}

/** Everything that a frame decided and its driver did, without the times that things took. */
export const decisionsOf = ({ frame, calls }: FrameTape): object => {
  const { rescued, stolen, duplicated, redundantPx, decisions, records } = frame.facts
  return {
    calls: calls.map(call => {
      switch (call.call) {
        case 'placed':
        case 'dropped':
          return { call: call.call, lease: call.lease, tile: call.answer.tile }
        default:
          return call
      }
    }),
    facts: {
      rescued,
      stolen,
      duplicated,
      redundantPx,
      decisions,
      tiles: records.map(({ lease, worker, tile }) => ({ lease, worker, tile })),
    },
    predictionError: frame.outcome().predictionError,
  }
}

/** The leases that were given live, in their order. */
function numbersOf(calls: readonly Call[]): LeaseNumbers {
  const given = calls.flatMap(call =>
    'actions' in call ? call.actions.flatMap(action => (action.type === 'trace' ? action.lease : [])) : [],
  )
  return () => {
    const lease = given.shift()
    if (lease === undefined) throw new Error('a tile is given out that was not when this was taped')
    return lease
  }
}

/** What is dropped is asked for nothing but its tile. */
const UNTIMED = { times: { waitMs: 0, wallMs: 0, cpuMs: 0, encodeMs: 0 }, arrivedAt: 0 }

/** A world in which happens what is on tape, when it did. */
class TapedWorld implements FrameWorld {
  now = 0
  readonly #calls: readonly Call[]
  #at = 0
  /** The newest of the steps that a frame is asked to take: what its driver does where nothing happens. */
  #step: Call | undefined

  constructor(calls: readonly Call[]) {
    this.#calls = calls
  }

  work(step: () => void): void {
    step()
  }

  /** A live frame takes breaks between its steps: what happened in one of them happens before the next step. */
  pauses(): boolean {
    const at = this.#calls.findIndex((call, i) => i >= this.#at && (isA(call, 'happened') || isStep(call)))
    const next = this.#calls[at]
    if (!next || isA(next, 'happened')) return next !== undefined
    this.#at = at + 1
    this.#step = next
    if (isA(next, 'begin')) this.now = next.now
    return false
  }

  coverage(): CoverageMask {
    const step = this.#step
    if (!step || !isA(step, 'cover')) throw new Error('a coverage mask is asked for that was not when this was taped')
    return step.mask
  }

  send(): void {}

  stitch(): void {}

  blame(): void {}

  quarantine(): void {}

  passDone(): void {}

  beginCells(): void {}

  assembled(): boolean {
    return true
  }

  cells(): never {
    throw new Error('no adaptive frame was taped')
  }

  wake(): void {}

  failed(reason: string): never {
    throw new Error(`a frame failed that did not when this was taped: ${reason}`)
  }

  next(): Happening | undefined {
    const at = this.#calls.findIndex((call, i) => i >= this.#at && isA(call, 'happened'))
    const happened = this.#calls[at]
    if (!happened || !isA(happened, 'happened')) return undefined
    this.#at = at + 1
    const { event, now } = happened
    this.now = now
    // What came with it is what its driver did with it before anything else happened.
    const rest = this.#calls.slice(this.#at)
    const end = rest.findIndex(({ call }) => call === 'happened' || call === 'begin')
    const came = rest.slice(0, end < 0 ? rest.length : end).find(call => 'answer' in call)
    return { event, ...(came ? { came: { ...UNTIMED, ...came.answer } } : {}) }
  }
}

const isA = <Kind extends Call['call']>(call: Call, kind: Kind): call is Extract<Call, { readonly call: Kind }> =>
  call.call === kind

const isStep = ({ call }: Call): boolean => ['learn', 'cover', 'decide', 'begin'].includes(call)
