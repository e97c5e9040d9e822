/**
 * The driver of frames: gives a frame what it needs, tells it what happens, and does what it answers. How long that takes is for the
 * world around it to say: a cluster, a simulated one, or what was recorded of one.
 */
import { assertNever, invariant } from '../../shared/errors.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import type { Action, ClusterEvent } from '../scheduling/events.ts'
import type { Answer, Frame } from './frame.ts'

/** What a worker is told. */
export type Message = Extract<Action, { readonly type: 'trace' | 'trim' | 'cancel' }>

/** The master and its cluster, as a frame needs them. Whatever is asked of it may take time. */
export interface FrameWorld<Came extends Answer = Answer> {
  /** The master's clock, ms. */
  readonly now: number
  /** Has the master do a step of its own, at once. */
  work(step: () => void): void
  /** Where geometry projects in the frame. */
  coverage(): CoverageMask
  send(message: Message): void
  /** Puts pixels in place: what of an answer was accepted. */
  stitch(tile: PixelSet, answer: Came): void
  /** Gives an area no more frames until it proves itself. */
  setAside(area: AreaId, reason: string): void
  /** All samples up to this one are in place, and others are still to come. */
  passDone(samples: number): void
  /** When the frame wants to hear a tick even if nothing happens before, ms, instead of when it wanted so before; undefined: not at all. */
  wake(at: number | undefined): void
  /** The frame cannot be made. */
  failed(reason: string): never
}

/** What the frame hears of; with pixels, what came of them. */
export interface Happening<Came extends Answer = Answer> {
  readonly event: ClusterEvent
  readonly came?: Came
}

/** Drives a frame until it is whole; `next` says what happens next, and lets it be `now`. */
export function driveFrame(frame: Frame, world: FrameWorld, next: () => Happening | undefined): void {
  provide(frame, world)
  while (frame.need === 'events') {
    const happening = next()
    invariant(happening, 'a frame that is not whole has something to wait for')
    tell(frame, world, happening)
  }
}

/** Gives the frame what it needs, until that is events, or nothing more. */
export function provide<Came extends Answer>(frame: Frame, world: FrameWorld<Came>): void {
  for (;;) {
    switch (frame.need) {
      case 'statistics':
        spend('stats', frame, world, () => frame.learn())
        break
      case 'coverage':
        spend('stats', frame, world, () => frame.cover(world.coverage()))
        break
      case 'decision':
        spend('decide', frame, world, () => frame.decide())
        break
      case 'dispatch':
        perform(frame, world, frame.begin(world.now))
        break
      case 'events':
      case 'nothing':
        return world.wake(frame.wakeAt)
      default:
        assertNever(frame.need)
    }
  }
}

/** Tells the frame what happened, does what it answers, and gives it what it then needs. */
export function tell<Came extends Answer>(
  frame: Frame,
  world: FrameWorld<Came>,
  { event, came }: Happening<Came>,
): void {
  perform(frame, world, frame.happened(event, world.now), came)
  provide(frame, world)
}

function spend(kind: 'stats' | 'decide', frame: Frame, world: FrameWorld<never>, step: () => void): void {
  const start = world.now
  world.work(step)
  frame.spent(kind, start, world.now)
}

function perform<Came extends Answer>(
  frame: Frame,
  world: FrameWorld<Came>,
  actions: readonly Action[],
  came?: Came,
): void {
  for (const action of actions) {
    switch (action.type) {
      case 'trace':
        frame.sent(action, world.now)
        world.send(action)
        break
      case 'trim':
      case 'cancel':
        world.send(action)
        break
      case 'accept':
        invariant(came, 'only what came can be accepted')
        world.stitch(action.tile, came)
        frame.placed(action, came, world.now)
        break
      case 'drop':
        if (came) frame.dropped(action.lease, came)
        break
      case 'set-aside':
        world.setAside(action.area, action.reason)
        break
      case 'frame-complete': {
        const { pixels, samples } = frame.pass
        frame.passComplete()
        if (pixels !== 'probe' && frame.need !== 'nothing') world.passDone(samples.to)
        break
      }
      case 'frame-failed':
        world.failed(action.reason)
        break
      default:
        assertNever(action)
    }
  }
}
