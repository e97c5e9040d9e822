/**
 * Whether what there is of a frame is the beginning of the same frame with another number of samples, and where that goes on. Each sample
 * is the same in both (`sample-layout.ts`), and so are the sums of those that both have. What else depends on the number is checked here:
 * which samples make up the halves that a denoiser or a noise limit compares, and which show what moment. Pure.
 */
import { CellMask, NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import type { FrameState } from '../../shared/frame/frame-state.ts'
import { doublingRanges, equalRanges } from '../../shared/frame/halves.ts'
import { isLasting, LEAST_LASTING } from '../../shared/frame/sample-layout.ts'
import type { Quality, SampleRange } from '../../shared/frame/view.ts'

/** How a frame takes its samples. */
export interface Taking {
  readonly quality: Quality
  /** Into which they are divided, unless it is adaptive. */
  readonly passes: number
  readonly isAdaptive: boolean
  readonly isDenoised: boolean
  /** Whether each pass is of a moment. */
  readonly isBlurred: boolean
}

/** What there is of a frame. */
export interface Had extends Pick<FrameState, 'range' | 'phase'> {
  /** That it was to get. */
  readonly samples: number
}

/** Why it cannot go on with the samples of `taking`: what was expected of these; undefined: it can. */
export function problemOfMore({ samples: had, range, phase }: Had, taking: Taking): string | undefined {
  const { quality, isAdaptive, isDenoised, isBlurred } = taking
  const { samples } = quality
  if (had === samples) return undefined
  if (quality.bounces === undefined) return `${had}: the ambient integrator lays them out for their number`
  if (isBlurred) return `${had}: with {shutter} each is of a moment, which depends on their number`
  if (!isLasting({ ...quality, samples: had }))
    return `${had}: fewer than ${LEAST_LASTING} are laid out for their number`
  const { to } = range
  if (to > samples) return phase === 'complete' ? `${had} or more, which it has` : `at least the ${to} that were begun`
  if (!isLasting(quality)) return `at least ${LEAST_LASTING}: fewer are laid out for their number`
  // A frame that was begun for fewer has a shorter last range.
  if ((isAdaptive || isDenoised) && to > alike(had, samples))
    return `${had}: with {noise} or denoising more are added only to ${LEAST_LASTING}, ${2 * LEAST_LASTING}, ${4 * LEAST_LASTING} and so on`
  return undefined
}

/** How many samples are in ranges that double for both numbers. */
function alike(some: number, others: number): number {
  const [a, b] = [doublingRanges(some), doublingRanges(others)]
  return Math.max(0, ...a.filter(({ to }, i) => b[i]?.to === to).map(({ to }) => to))
}

/** A state that a frame with these samples can begin with. @param had samples that the frame of the state was to get */
export function withMore(state: FrameState, had: number, { quality, passes, isAdaptive }: Taking): FrameState {
  const { range, phase, size, next, open: _, next: __, ...others } = state
  const { samples } = quality
  // A complete frame that was to get more than these has all of them: it would have been refused otherwise.
  if (phase !== 'complete' || samples <= had) return state
  const ranges = isAdaptive ? doublingRanges(samples) : equalRanges(samples, passes)
  const then: SampleRange = { from: range.to, to: ranges.find(({ to }) => to > range.to)!.to }
  if (!isAdaptive) return { ...others, size, range: then, phase: 'tracing', arrived: state.arrived.map(() => 0) }
  if (!next?.includes(1)) return state
  const arrived = arrivedBeside(new CellMask(size, NOISE_CELL, next.slice()), state)
  return { ...others, size, range: then, phase: 'tracing', open: next, arrived }
}

/** Of a range that is about these cells, none of whose pixels has arrived: the others count as if they had. */
function arrivedBeside(cells: CellMask, { size: [w], arrived }: FrameState): Uint32Array {
  const words = arrived.map(() => 0xffffffff)
  cells.forEachRun(({ x, y, w: length, h }) => {
    for (let row = y; row < y + h; row++)
      for (let at = row * w + x; at < row * w + x + length; at++) words[at >>> 5]! &= ~(1 << (at & 31))
  })
  return words
}
