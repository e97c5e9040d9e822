/**
 * The driver of frames that are not made live: gives a frame what it needs, tells it what happens, and does what it answers. How
 * long that takes, and what happens next, is for the world around it to say: a simulated one, or one that was recorded.
 */
import { assertNever, InvariantError, invariant } from '../../shared/errors.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import type { Answer, Frame } from '../frames/frame.ts'
import type { Action, ClusterEvent } from '../scheduling/events.ts'

/** What a worker is told. */
export type Message = Extract<Action, { readonly type: 'trace' | 'trim' | 'cancel' }>

/** What the frame hears of; with pixels, what came of them. */
export interface Happening {
  readonly event: ClusterEvent
  readonly answer?: Answer
}

/** The master and its cluster, as a frame needs them. Whatever is asked of it may take time. */
export interface FrameWorld {
  /** The master's clock, ms. */
  readonly now: number
  /** Has the master do a step of its own, at once. */
  work(step: () => void): void
  /** Where geometry projects in the frame. */
  coverage(): CoverageMask
  send(message: Message): void
  /** Puts pixels in place that came. */
  stitch(tile: PixelSet): void
  /** When the frame wants to hear a tick even if nothing happens before, ms, instead of when it wanted so before; undefined: not at all. */
  wake(at: number | undefined): void
  /** What happens next, and is `now`; undefined: nothing ever will. */
  next(): Happening | undefined
}

/** Drives a frame until it is whole. @throws InvariantError when it fails, or never will be */
export function driveFrame(frame: Frame, world: FrameWorld): void {
  provide(frame, world)
  while (frame.need === 'events') {
    const happening = world.next()
    invariant(happening, 'a frame that is not whole has something to wait for')
    const { event, answer } = happening
    perform(frame, world, frame.happened(event, world.now), answer)
    provide(frame, world)
  }
}

/** Gives the frame what it needs, until that is events. */
function provide(frame: Frame, world: FrameWorld): void {
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
        return
      default:
        assertNever(frame.need)
    }
  }
}

function spend(kind: 'stats' | 'decide', frame: Frame, world: FrameWorld, step: () => void): void {
  const start = world.now
  world.work(step)
  frame.spent(kind, start, world.now)
}

function perform(frame: Frame, world: FrameWorld, actions: readonly Action[], answer?: Answer): void {
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
        invariant(answer, 'only what came can be accepted')
        world.stitch(action.tile)
        frame.placed(action, answer, world.now)
        break
      case 'drop':
        if (answer) frame.dropped(action.lease, answer)
        break
      case 'set-aside':
        break
      case 'frame-complete':
        frame.passComplete()
        break
      case 'frame-failed':
        throw new InvariantError(`a simulated frame failed: ${action.reason}`)
      default:
        assertNever(action)
    }
  }
  world.wake(frame.wakeAt)
}
