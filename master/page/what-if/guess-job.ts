/** What of a frame a simulator has to know; and which frames it does not know. Pure. */
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import { orderFor, type SessionOrder } from '../../../shared/protocol/session-order.ts'
import type { WantedFrame } from '../../../shared/session/session.ts'
import { excessOf } from '../../clients/order-cost.ts'
import { oneWayMs } from '../../simulator/recorded-cluster.ts'
import { strategies } from '../../strategies/index.ts'
import type { GuessJob } from './guesser.ts'

/** The most cells whose costs are recorded for it: a frame of 4K has as many of 8 px. */
const MOST_CELLS = 2 ** 17
const CELL = 8

/** Why frames like this one cannot be simulated, as a sentence. */
export function unknownOf(order: SessionOrder, request: WantedFrame): string | undefined {
  const { noise, timeMs, size, quality } = orderFor(order, request)
  if (noise !== undefined || timeMs !== undefined)
    return 'Frames whose samples double until they suffice are not simulated.'
  if (request.moments) return 'Frames with motion blur are not simulated.'
  if (request.from) return 'A frame that another run has begun is not simulated.'
  if (quality.samples < 1 || (size[0] * size[1]) / CELL ** 2 > MOST_CELLS)
    return 'Frames of so many pixels are not simulated.'
  return undefined
}

/** A frame of so few pixels is none that anybody divides: a page asks for single ones. */
const LEAST_PIXELS = 1024

export const isTiny = ({ size: [w, h] }: Pick<FrameReport, 'size'>): boolean => w * h < LEAST_PIXELS

/** @returns undefined if the costs of its cells are not known */
export function guessJob(
  run: number,
  place: number,
  sessionOrder: SessionOrder,
  request: WantedFrame,
  report: FrameReport,
): GuessJob | undefined {
  const { recorded: costs, frame, size, tiles, workers, strategy, frameMs } = report
  if (!costs) return undefined
  const order = orderFor(sessionOrder, request)
  const { options, clock, quality } = order
  const { samples } = quality
  const without = strategies.filter(each => excessOf({ ...order, strategy: each })).map(({ name }) => name)
  const facts = { run, place, frame, size, costs, tiles, workers, strategy, frameMs, options, clock, without }
  const passes = Math.min(order.passes, samples)
  return { ...facts, passes, camera: request.camera, rays: quality, oneWayMs: oneWayMs(report) }
}
