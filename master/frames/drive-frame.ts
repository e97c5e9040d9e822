/**
 * Drives frames: gives a frame what it needs, reports events to it, and carries out its actions. How long these take is
 * up to the surrounding world: a cluster, a simulated one, or a recording of one.
 */

import { assertNever, invariant } from '../../shared/errors.ts'
import type { CellMask } from '../../shared/frame/cell-mask.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import type { Action, ClusterEvent, QuarantineCause } from '../scheduling/events.ts'
import type { Answer, Frame } from './frame.ts'

/** The actions that are sent to a worker. */
export type Message = Extract<Action, { readonly type: 'trace' | 'trim' | 'cancel' }>

/** What the master does itself: takes in costs, decides, and handles events. */
export type MasterWork = 'stats' | 'decide' | 'events'

/** The master and its cluster, as a frame needs them. Any of these calls may take time. */
export interface FrameWorld<Came extends Answer = Answer> {
  /** The master's clock, ms. */
  readonly now: number
  /** Runs a step on the master, synchronously. */
  work(step: () => void, kind: MasterWork): void
  /** Whether something else is to have its turn before the next step; the world drives on after it. */
  pauses(): boolean
  /** Where geometry projects in the frame. */
  coverage(): CoverageMask
  send(message: Message): void
  /** Copies the accepted pixels of an answer into the frame. */
  stitch(tile: PixelSet, answer: Came): void
  /** An area traced what this one, by its identity, failed. */
  blame(who: string, reason: string): void
  /** Excludes an area from further frames for a while. */
  quarantine(area: AreaId, reason: string, cause: QuarantineCause): void
  /** An area that was quarantined for its silence has answered: it is slow. @default it stays quarantined for as long */
  liftQuarantine?(area: AreaId): void
  /** These samples are in place, and `more` are still to come: of all pixels, or of the cells that `cells` is asked for next. */
  passDone(samples: SampleRange, more: false | 'all' | 'cells'): void
  /** Which cells of an adaptive frame need more samples, judged by what is in place; undefined: the world will drive on when it knows. */
  cells(): CellMask | undefined
  /** The answer to `cells`: these get the samples of the next pass; undefined: no pixels are to come. */
  beginCells(cells: CellMask | undefined): void
  /** Whether all that has arrived is in place; if not, the world will drive on when it is. */
  assembled(): boolean
  /** Sets when the frame needs a tick even if nothing happens before, ms, replacing any earlier request; undefined cancels it. */
  wake(at: number | undefined): void
  /** The frame cannot be made. */
  failed(reason: string, tile: PixelSet): never
}

/** An event, with the answer that it brought if there is one. */
export interface Happening<Came extends Answer = Answer> {
  readonly event: ClusterEvent
  readonly came?: Came
}

/** Drives a frame until it is complete; `next` returns the next event, also one in a pause, and advances `now` to it. */
export function driveFrame(frame: Frame, world: FrameWorld, next: () => Happening | undefined): void {
  provide(frame, world)
  while (frame.need !== 'nothing') {
    const happening = next()
    invariant(happening, 'an incomplete frame has something to wait for')
    tell(frame, world, happening)
  }
}

/** Gives the frame what it needs until it waits for something or is done. */
export function provide<Came extends Answer>(frame: Frame, world: FrameWorld<Came>): void {
  for (;;) {
    if (frame.need === 'events' || frame.need === 'nothing') return world.wake(frame.wakeAt)
    if (world.pauses()) return world.wake(undefined)
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
        perform(
          frame,
          world,
          handled(world, now => frame.begin(now)),
        )
        break
      case 'cells': {
        const cells = world.cells()
        if (!cells) return world.wake(undefined)
        frame.narrow(cells, world.now)
        world.beginCells(frame.open)
        break
      }
      case 'assembly':
        if (!world.assembled()) return world.wake(undefined)
        frame.assembled(world.now)
        break
      default:
        assertNever(frame.need)
    }
  }
}

/** Reports an event to the frame, carries out its actions, and gives it what it then needs. */
export function tell<Came extends Answer>(
  frame: Frame,
  world: FrameWorld<Came>,
  { event, came }: Happening<Came>,
): void {
  const actions = handled(world, now => frame.happened(event, now))
  perform(frame, world, actions, came)
  provide(frame, world)
}

function handled(world: FrameWorld<never>, handle: (now: number) => readonly Action[]): readonly Action[] {
  let actions: readonly Action[] = []
  world.work(() => {
    actions = handle(world.now)
  }, 'events')
  return actions
}

function spend(kind: 'stats' | 'decide', frame: Frame, world: FrameWorld<never>, step: () => void): void {
  const start = world.now
  world.work(step, kind)
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
        invariant(came, 'only an answer that arrived can be accepted')
        world.stitch(action.tile, came)
        frame.placed(action, came, world.now)
        break
      case 'drop':
        if (came) frame.dropped(action.lease, came)
        break
      case 'blame':
        world.blame(action.who, action.reason)
        break
      case 'quarantine':
        world.quarantine(action.area, action.reason, action.cause)
        break
      case 'lift-quarantine':
        world.liftQuarantine?.(action.area)
        break
      case 'frame-complete': {
        const { pixels, samples } = frame.pass
        frame.passComplete()
        if (pixels === 'probe') break
        world.passDone(samples, frame.need === 'assembly' ? false : frame.need === 'cells' ? 'cells' : 'all')
        break
      }
      case 'frame-failed':
        world.failed(action.reason, action.tile)
        break
      default:
        assertNever(action)
    }
  }
}
