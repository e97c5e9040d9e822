/** Where a frame goes on that another run of it has begun. Pure. */
import { CellMask, NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import { type FramePoint, type FrameState, missingOf, sampleCount } from '../../shared/frame/frame-state.ts'
import { equalRanges } from '../../shared/frame/halves.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'

/** Where a frame was when another run of it ended. */
export interface Resumed extends FramePoint {
  /** Pixels of the range that have not arrived yet, in cells of any size. */
  readonly missing: CellMask
  /** Cells that the range of an adaptive frame is about. @default all */
  readonly open?: CellMask | undefined
  /** Samples that there are, over all pixels. */
  readonly samples: number
}

export function resumedAt(state: FrameState): Resumed {
  const { range, phase, size, open } = state
  return {
    range,
    phase,
    missing: missingOf(state),
    open: open && new CellMask(size, NOISE_CELL, open.slice()),
    samples: sampleCount(state),
  }
}

/** Of a frame with motion blur, each of whose passes is of a moment: the number of that which comes next. */
export const shotOf = ({ quality, passes }: SessionOrder, { range, phase }: FrameState): number => {
  const next = phase === 'tracing' ? range.from : range.to
  const ranges = equalRanges(quality.samples, passes)
  const at = ranges.findIndex(({ to }) => to > next)
  return at < 0 ? ranges.length - 1 : at
}
