/**
 * What a frame in the making has: exact sums, and of which samples of which pixels. A frame that begins with it goes on there, and has the
 * bytes of one that was made at once: sums have no order, and no sample is taken twice. Plain data.
 */
import { invariant } from '../errors.ts'
import { CellMask, NOISE_CELL } from './cell-mask.ts'
import type { ChannelName } from './channels.ts'
import type { Size } from './rect.ts'
import type { SampleRange } from './view.ts'

/** Where a frame is. */
export interface FramePoint {
  /** The samples that are being taken; between ranges, the newest ones that are complete. */
  readonly range: SampleRange
  /** `judging`: the range is complete, and which cells of an adaptive frame need more is not known yet. */
  readonly phase: 'tracing' | 'judging' | 'complete'
}

/** The values of a channel, row-major. */
export interface StatePlane {
  readonly channel: ChannelName
  /** Whether they are of the range in progress alone, which is not added up yet. */
  readonly isNewest: boolean
  /** At the beginning of its buffer. */
  readonly bytes: Uint8Array
}

export interface FrameState extends FramePoint {
  readonly size: Size
  /** Samples that the weights in sums are for. */
  readonly most: number
  /** All that a pixel has, in the order of their table. */
  readonly channels: readonly ChannelName[]
  readonly planes: readonly StatePlane[]
  /** Samples of each cell of NOISE_CELL px in complete ranges, row-major. */
  readonly taken: Uint32Array
  /** 1 for each cell that the range in progress of an adaptive frame is about, and 0 for the others. */
  readonly open?: Uint8Array
  /** A bit for each pixel of the range that has arrived, row-major without padding; those that it is not about count as arrived. */
  readonly arrived: Uint32Array
  /** Of a complete adaptive frame: 1 for each cell that another range would be about, and 0 for the others. */
  readonly next?: Uint8Array
  /** What keeps an adaptive frame from its limit, as it was last judged: share of its pixels, and the most noise. */
  readonly left?: { readonly share: number; readonly most: number }
}

const hasArrived = ({ arrived }: Pick<FrameState, 'arrived'>, at: number): boolean =>
  ((arrived[at >>> 5]! >>> (at & 31)) & 1) === 1

/** The pixels of the range that have not arrived yet, in cells that are as large as that allows. */
export function missingOf(state: Pick<FrameState, 'size' | 'arrived'>): CellMask {
  const { size } = state
  for (const cell of [NOISE_CELL, 4, 2]) {
    const mask = uniformCells(state, cell)
    if (mask) return mask
  }
  return new CellMask(size, 1, (x, y) => !hasArrived(state, y * size[0] + x))
}

/** Cells without any pixel that has arrived; undefined if there is one that has some of both. */
function uniformCells(state: Pick<FrameState, 'size' | 'arrived'>, cell: number): CellMask | undefined {
  const [w, h] = state.size
  const columns = Math.ceil(w / cell)
  const counts = new Uint8Array(columns * Math.ceil(h / cell))
  for (let y = 0, at = 0; y < h; y++)
    for (let x = 0; x < w; x++, at++)
      if (!hasArrived(state, at)) counts[Math.floor(y / cell) * columns + Math.floor(x / cell)]!++
  const whole = (i: number) =>
    Math.min(cell, w - (i % columns) * cell) * Math.min(cell, h - Math.floor(i / columns) * cell)
  if (!counts.every((count, i) => count === 0 || count === whole(i))) return undefined
  return new CellMask(
    state.size,
    cell,
    counts.map(count => Math.min(1, count)),
  )
}

/** Whether there is anything of a frame: any pixel that has samples. */
export const isBegun = ({ range, arrived }: FrameState): boolean => range.from > 0 || arrived.some(word => word !== 0)

/** How many samples each pixel has, row-major. */
export function samplesOf(state: FrameState): Uint32Array {
  const { from, to } = state.range
  const isNew = state.phase === 'tracing' ? hasNewest(state) : () => false
  return perPixel(state, (cell, at) => state.taken[cell]! + (isNew(cell, at) ? to - from : 0))
}

/** How many samples all pixels have together. Quick: it is asked for while a frame is made. */
export function sampleCount(state: FrameState): number {
  const { size, range, open, arrived, taken, phase } = state
  const cells = new CellMask(size, NOISE_CELL, open ? open.slice() : () => true)
  let before = 0
  for (let row = 0, at = 0; row < cells.rows; row++)
    for (let column = 0; column < cells.columns; column++, at++) {
      const { w, h } = cells.rectOf(column, row)
      before += taken[at]! * w * h
    }
  if (phase !== 'tracing') return before
  const pixels = size[0] * size[1]
  const missing = pixels - bitsIn(arrived, pixels)
  return before + (cells.pixels - missing) * (range.to - range.from)
}

/** How many of the first bits of words are set. */
export function bitsIn(words: Uint32Array, count: number): number {
  let sum = 0
  for (let at = 0; at * 32 < count; at++) {
    const beyond = Math.max(0, (at + 1) * 32 - count)
    for (let word = (words[at]! << beyond) >>> 0; word !== 0; word &= word - 1) sum++
  }
  return sum
}

/** Which pixels have samples of the newest range that are not among the others where that is kept apart: 1 for each, row-major. */
export const newestOf = (state: FrameState): Uint32Array => {
  const isNew = state.phase === 'complete' ? () => false : hasNewest(state)
  return perPixel(state, (cell, at) => Number(isNew(cell, at)))
}

/** Whether a plane has a value of a pixel, row-major: what it has of others is arbitrary. */
export function hasValue(state: FrameState, isNewest: boolean): (at: number) => boolean {
  const [w] = state.size
  const columns = Math.ceil(w / NOISE_CELL)
  const isNew = hasNewest(state)
  if (isNewest)
    return at => isNew(Math.floor(Math.floor(at / w) / NOISE_CELL) * columns + Math.floor((at % w) / NOISE_CELL), at)
  return state.range.from > 0 || state.phase !== 'tracing' ? () => true : at => hasArrived(state, at)
}

const hasNewest =
  (state: FrameState) =>
  (cell: number, at: number): boolean =>
    state.open?.[cell] !== 0 && hasArrived(state, at)

function perPixel({ size: [w, h] }: FrameState, of: (cell: number, at: number) => number): Uint32Array {
  const columns = Math.ceil(w / NOISE_CELL)
  const values = new Uint32Array(w * h)
  for (let y = 0, at = 0; y < h; y++)
    for (let x = 0; x < w; x++, at++)
      values[at] = of(Math.floor(y / NOISE_CELL) * columns + Math.floor(x / NOISE_CELL), at)
  return values
}

/** A channel that every state of such frames has. @throws InvariantError */
export function planeOf({ planes }: FrameState, channel: ChannelName, isNewest = false): StatePlane {
  const plane = planes.find(each => each.channel === channel && each.isNewest === isNewest)
  invariant(plane, `a kept frame lacks ${channel}`)
  return plane
}
