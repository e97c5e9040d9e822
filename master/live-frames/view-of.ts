/** The views of a session's frame. */
import { invariant, UsageError } from '../../shared/errors.ts'
import { FIRST_SAMPLES } from '../../shared/frame/frame-limits.ts'
import type { Rect } from '../../shared/frame/rect.ts'
import { type View, viewSchema } from '../../shared/frame/view.ts'
import { lookOf } from '../../shared/light/tone-map.ts'
import { type FrameRequest, isDoubling, type SessionOrder } from '../../shared/protocol/session-order.ts'
import type { WantedFrame } from '../../shared/session/session.ts'
import { schemaProblem } from '../../shared/text/schema-problem.ts'

/** A program that shares a process with the master asked for a frame that no worker would accept. */
export class BadViewError extends UsageError {
  readonly code = 'BAD_VIEW'
  constructor(frame: number, problem: string) {
    super(`frame ${frame}: expected a view that can be traced, got ${problem}`)
  }
}

/** @throws BadViewError here, where the reason is known: workers would end their connections, come back, and be sent it again */
export function viewOf(order: SessionOrder, { frame, camera }: FrameRequest): View {
  const { size, quality, transparent, noise, timeMs } = order
  const beside = {
    ...(transparent ? { transparent } : {}),
    ...(noise === undefined ? {} : { adaptive: true as const }),
    ...(timeMs === undefined ? {} : { timed: true as const }),
  }
  const view = { frame, size, camera, quality, ...lookOf(order), ...beside }
  const { error } = viewSchema.safeParse(view)
  if (error) throw new BadViewError(frame, schemaProblem(error))
  return view
}

/** The command line that traces some pixels of a frame alone, if the client has said how. */
export const rerunOf =
  ({ tileCommand }: SessionOrder, { frame }: FrameRequest) =>
  ({ x, y, w, h }: Rect): string | undefined =>
    tileCommand === undefined ? undefined : `${tileCommand} --frame ${frame} --rect ${x},${y},${w},${h}`

/** What a pass of a frame traces. */
export interface Shot {
  /** Name of the scene. */
  readonly scene: string
  readonly view: View
  /** Somebody waits for it, as for a viewer's. */
  readonly urgent?: true
}

/**
 * Of a frame with motion blur one for each of its passes, otherwise one for all of them.
 * @param own name of the session's scene
 */
export function shotsOf(order: SessionOrder, { frame, moments, ...still }: WantedFrame, own: string): readonly Shot[] {
  const { passes, quality, kind } = order
  invariant(
    !moments || (moments.length === passes && passes <= quality.samples && !isDoubling(order)),
    'a frame with motion blur has a moment for each of its passes',
  )
  const shot = ({ camera, scene }: Pick<WantedFrame, 'camera' | 'scene'>): Shot => ({
    scene: scene?.hash ?? own,
    view: {
      ...viewOf(order, { frame, camera }),
      ...(moments && moments.length > 1 ? { moments: moments.length } : {}),
    },
    ...(kind === 'viewer' ? { urgent: true } : {}),
  })
  return (moments ?? [still]).map(shot)
}

/** The view for the small picture that areas warm up on: with few samples, whatever the frame has. */
export function thumbnailView(order: SessionOrder, first: FrameRequest): View {
  const view = viewOf(order, first)
  const { quality } = view
  return { ...view, quality: { ...quality, samples: Math.min(quality.samples, FIRST_SAMPLES) } }
}

/** Samples that the first planned pass over all pixels of a frame takes of each. */
export const plannedSamples = ({ timeMs, noise, quality }: SessionOrder): number =>
  timeMs !== undefined ? 1 : noise === undefined ? quality.samples : FIRST_SAMPLES
