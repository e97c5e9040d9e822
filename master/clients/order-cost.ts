/**
 * What an order may cost the master, reckoned before it is accepted: from the order alone, whatever the cluster is. A client could
 * otherwise keep the master busy for minutes, or fill its memory, with a single number.
 */

import { OptionError } from '../../shared/errors.ts'
import { bytesPerPixelOf } from '../../shared/frame/channels.ts'
import { finishedBytes } from '../../shared/frame/frame-planes.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { MAX_UNDELIVERED_PREVIEWS } from '../../shared/protocol/peer-limits.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { MAX_TILE_PX } from '../../shared/session/strategy-words.ts'
import { DENOISED_BYTES, ERROR_BYTES, NOISY_BYTES } from '../assembly/denoising.ts'
import { channelsFor } from '../assembly/finish-frame.ts'
import { recordedCell } from '../frames/frame-planner.ts'
import { adaptivePasses, timedPasses } from '../frames/passes.ts'
import type { Strategy } from '../strategies/strategy.ts'

/** The bounds, each with the reason for its value. None of them is in the way of an order with default options, of whatever size. */
export const ORDER_BOUNDS = {
  /** Areas to wait for: as many as 1024 workers can have. */
  areas: 1024 * 16,
  /** Small tiles of a pass: as many as there are of 32 px in the largest frame. A report of them takes the master a second. */
  tiles: 2 ** 16 + 2 ** 10,
  /** Orders to workers in all passes of a frame: the report of more would be longer than a client takes. */
  orders: 2 ** 17,
  /** Small tiles that are named in these orders, one by one: some fifty megabytes of its report. */
  named: 2 ** 23,
  /** Cells whose costs are predicted: those of 8 px in the largest frame, which takes most of a second. */
  cells: 2 ** 20 + 2 ** 12,
  /** Runs of pixels that the tiles of a pass consist of: every single pixel of a 4K frame. */
  runs: 2 ** 23,
  /** Memory of the frames that are in progress or not yet taken, bytes. */
  bytes: 9 * 2 ** 30,
} as const

/** What of an order matters for its cost. */
export interface CostlyOrder
  extends Pick<
    SessionOrder,
    | 'size'
    | 'quality'
    | 'passes'
    | 'noise'
    | 'timeMs'
    | 'channels'
    | 'transparent'
    | 'denoise'
    | 'progressive'
    | 'verify'
    | 'inFlight'
    | 'minWorkers'
    | 'keep'
    | 'options'
    | 'record'
  > {
  /** The one that the order names. */
  readonly strategy: Strategy
}

/** What to change about an order. */
export type CostlyOption = 'minWorkers' | 'tile' | 'scatter' | 'cell' | 'passes' | 'size'

export interface Excess {
  readonly option: CostlyOption
  readonly expected: string
  readonly got: string
}

/** What an order costs, by the name of each bound. */
export function costOf(order: CostlyOrder): Record<keyof typeof ORDER_BOUNDS, number> {
  const { strategy, size, options, minWorkers } = order
  const small = strategy.smallTiles?.(options, size)
  const count = small ? gridCells(size, small.w, small.h) : 0
  const passes = passesOf(order)
  const cell = recordedCell(strategy, options, order.record)
  return {
    areas: minWorkers,
    tiles: small && small.as !== 'rule' ? count : 0,
    // Each area has at least one in each pass.
    orders: passes * Math.max(small?.as === 'orders' ? count : 1, minWorkers),
    named: small?.as === 'list' ? passes * count : 0,
    cells: cell > 0 ? gridCells(size, cell, cell) : 0,
    runs: small ? Math.ceil(size[0] / small.w) * size[1] : 0,
    bytes: bytesOf(order),
  }
}

/** The first of an order's costs that is above its bound; undefined: it may be accepted. */
export function excessOf(order: CostlyOrder): Excess | undefined {
  const cost = costOf(order)
  const over = (Object.keys(ORDER_BOUNDS) as (keyof typeof ORDER_BOUNDS)[]).find(
    name => cost[name] > ORDER_BOUNDS[name],
  )
  if (over === undefined) return undefined
  const most = ORDER_BOUNDS[over]
  const { size, options, inFlight } = order
  const [px, passes] = [`${size.join('x')} px`, passesOf(order)]
  switch (over) {
    case 'areas':
      return { option: 'minWorkers', expected: `at most ${most}`, got: `${order.minWorkers}` }
    case 'cells': {
      const fitting = CELLS.filter(cell => gridCells(size, cell, cell) <= most).join(', ')
      return { option: 'cell', expected: `one of ${fitting} for ${px}, at most ${most} cells`, got: `${options.cell}` }
    }
    case 'bytes':
      return {
        option: 'size',
        expected: `frames that take at most ${inGiB(most)} of the master's memory, up to ${inFlight + 1} of them at a time: fewer pixels, fewer channels, or fewer frames in flight`,
        got: `${px}, ${inGiB(cost.bytes)}`,
      }
    case 'runs':
      if (options.scatter === 'pixel')
        return { option: 'scatter', expected: `tile or row for ${px}: at most ${most} single pixels`, got: 'pixel' }
  }
  const tile = fittingTile(order)
  if (tile === undefined)
    return {
      option: 'passes',
      expected: `at most ${most} orders for a frame in all its passes: fewer passes, or workers`,
      got: `${cost[over]} of ${passes} passes`,
    }
  const what = { tiles: 'tiles', orders: 'tiles in all passes', named: 'tiles in all passes', runs: 'rows of tiles' }
  return {
    option: 'tile',
    expected: `at least ${tile} for ${px} in ${passes === 1 ? 'one pass' : `${passes} passes`}, at most ${most} ${what[over]}`,
    got: `${options.tile ?? 'the default'}, which makes ${cost[over]}`,
  }
}

/** @throws OptionError */
export function checkOrder(order: CostlyOrder): void {
  const excess = excessOf(order)
  if (excess) throw new OptionError(excess.option, excess.expected, excess.got)
}

const CELLS = [4, 8, 16, 32] as const

const gridCells = ([w, h]: Size, cellW: number, cellH: number): number => Math.ceil(w / cellW) * Math.ceil(h / cellH)

const passesOf = ({ passes, quality, noise, timeMs }: CostlyOrder): number => {
  if (timeMs !== undefined) return timedPasses(quality.samples, false, false).length + SHORTER_PASSES
  return noise === undefined ? Math.min(passes, quality.samples) : adaptivePasses(quality.samples, false).length
}

/** As many as there may be at the end of a frame's time. */
const SHORTER_PASSES = 4

/** The smallest side of tiles with which an order's tiles are within their bounds, px. */
function fittingTile(order: CostlyOrder): number | undefined {
  const fits = (tile: number) => {
    const { tiles, orders, named, runs } = costOf({ ...order, options: { ...order.options, tile } })
    const { tiles: mostTiles, orders: mostOrders, named: mostNamed, runs: mostRuns } = ORDER_BOUNDS
    return tiles <= mostTiles && orders <= mostOrders && named <= mostNamed && runs <= mostRuns
  }
  if (!order.strategy.smallTiles || !fits(MAX_TILE_PX)) return undefined
  let [low, high] = [1, MAX_TILE_PX]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Memory of the frames that an order has in progress at once, made and not yet taken, bytes. */
function bytesOf(order: CostlyOrder): number {
  const { size, channels = [], noise, progressive, verify = 0, inFlight, denoise, keep } = order
  const names = channelsFor(order)
  const tiles = bytesPerPixelOf(names)
  const made = names.includes('light') ? RGB : 0
  // Pixels of workers are kept until they are checked.
  const making = tiles * (1 + verify) + ARRIVED + (noise === undefined ? 0 : LIGHT)
  const previews = progressive ? Math.min(MAX_UNDELIVERED_PREVIEWS, passesOf(order) - 1) : 0
  const shown = previews > 0 ? LIGHT + previews * RGB : 0
  // Adaptive frames are denoised to be judged, each while it is made; all others one after the other.
  const picture = denoise ? NOISY_BYTES + DENOISED_BYTES + (noise === undefined ? 0 : ERROR_BYTES) : 0
  const pictures = noise === undefined ? 1 : inFlight + 1
  // What one begins with may arrive, and what there is of another be sent.
  const kept = keep ? 2 * tiles : 0
  const finished = made + [...new Set(channels)].reduce((sum, name) => sum + finishedBytes(name), 0)
  return size[0] * size[1] * (OWNER + (inFlight + 1) * making + pictures * picture + shown + finished + kept)
}

/** Of a pixel, bytes: its finished colour, its light, the mark that it has arrived, and who traced it before. */
const [RGB, LIGHT, ARRIVED, OWNER] = [3, 24, 1 / 8, 4]

const inGiB = (bytes: number): string => `${+(bytes / 2 ** 30).toFixed(1)} GiB`
