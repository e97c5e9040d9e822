/**
 * A frame is rendered in passes, each a set of pixels and a range of their samples. Passes return exact sums, so any set of
 * passes that covers every sample of every pixel once yields the same frame. A *probe* is an initial pass over one pixel of each
 * cell that locates the work before anything is known; its pixels belong to the frame and are not traced again. An *adaptive* frame's
 * later passes are over the cells that are still noisy. A frame with only so much time begins with a sample, so that it soon has all pixels
 * and knows what they cost.
 */

import { FIRST_SAMPLES } from '../../shared/frame/frame-limits.ts'
import type { FramePoint } from '../../shared/frame/frame-state.ts'
import { doublingRanges, equalRanges } from '../../shared/frame/halves.ts'
import { hasPixels, type Lattice } from '../../shared/frame/pixel-set.ts'
import { type Rect, type Size, splitRect } from '../../shared/frame/rect.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import { type AreaShare, type PlannedTile, workingShares } from '../strategies/strategy.ts'

export interface Pass {
  /** All pixels, those of a probe, or all but those; of an adaptive frame's later passes those in open cells. */
  readonly pixels: 'all' | 'probe' | 'rest' | 'open'
  readonly samples: SampleRange
}

/** What of a frame decides its passes. */
interface PassOrder {
  readonly samples: number
  readonly passes: number
  readonly adaptive?: boolean
  readonly timeMs?: number | undefined
}

export function passesFor({ samples, passes, adaptive = false, timeMs }: PassOrder, probe: boolean): Pass[] {
  if (timeMs !== undefined) return timedPasses(samples, adaptive, probe)
  return adaptive ? adaptivePasses(samples, probe) : passesOf(samples, passes, probe)
}

/**
 * The passes of a frame whose samples are split into `ranges` ranges of equal length within one sample; a probe takes the
 * first of them.
 */
export function passesOf(samples: number, ranges: number, probe: boolean): Pass[] {
  const [first, ...later] = equalRanges(samples, ranges)
  return [...firstPasses(first!, probe), ...later.map((range): Pass => ({ pixels: 'all', samples: range }))]
}

/**
 * The passes of an adaptive frame that takes at most `samples` of a pixel: each takes as many as all before it together, so that the
 * two halves can be compared. Before each but the first two, cells that are good enough are left out.
 */
export function adaptivePasses(samples: number, probe: boolean): Pass[] {
  const ranges = doublingRanges(samples)
  return [
    ...firstPasses(ranges[0]!, probe),
    ...ranges.slice(1).map((range): Pass => ({ pixels: 'open', samples: range })),
  ]
}

/**
 * Those of a frame that goes on where another run of it was.
 * @param all its passes if it were begun anew
 */
export function passesLeft(all: readonly Pass[], { range, phase }: FramePoint): Pass[] {
  // An adaptive frame may be complete before its last pass.
  if (phase === 'complete') return []
  const after = all
    .filter(({ samples }) => samples.to > range.to)
    .map(pass => ({ ...pass, samples: { ...pass.samples, from: Math.max(pass.samples.from, range.to) } }))
  if (phase !== 'tracing') return after
  const current = all.find(({ samples }) => samples.to > range.from)
  return [{ pixels: current?.pixels ?? 'all', samples: range }, ...after]
}

/** The same of a frame with only so much time, adaptive or not. Until halves of an adaptive frame are as long as in others, no cell is left out. */
export function timedPasses(samples: number, isAdaptive: boolean, probe: boolean): Pass[] {
  const [first, ...later] = doublingRanges(samples, 1)
  return [...firstPasses(first!, probe), ...later.map(range => timedPass(range, isAdaptive))]
}

/** Those that follow where a pass was shorter. @param done samples of a pixel until then */
export const laterTimedPasses = (samples: number, isAdaptive: boolean, done: number): Pass[] =>
  doublingRanges(samples, 1, done).map(range => timedPass(range, isAdaptive))

const timedPass = (samples: SampleRange, isAdaptive: boolean): Pass => ({
  pixels: isAdaptive && samples.from >= 2 * FIRST_SAMPLES ? 'open' : 'all',
  samples,
})

const firstPasses = (samples: SampleRange, probe: boolean): Pass[] =>
  probe
    ? [
        { pixels: 'probe', samples },
        { pixels: 'rest', samples },
      ]
    : [{ pixels: 'all', samples }]

/** The pixel of each cell that a probe traces: the one at its centre. */
export const latticeOf = (cell: number): Lattice => ({ stepX: cell, stepY: cell, dx: cell >> 1, dy: cell >> 1 })

/**
 * Limit on the sets of cell rows dealt out: where more would be needed, very slow areas get more than their share, and of many areas some
 * get none. Every set spans the frame, and so do the costs that come back for it.
 */
const MAX_DEALS = 64

/**
 * The tiles of a probe: rows of cells dealt out in turn, in proportion to the areas' speeds. Every area traces some of
 * every part of the picture, so the probe is balanced without prior knowledge.
 */
export function probeTiles(rect: Rect, areas: readonly AreaShare[], cell: number): PlannedTile[] {
  const able = workingShares(areas)
  const slowest = Math.min(...able.map(({ speed }) => speed))
  const rows = Math.ceil(rect.h / cell)
  const wanted = able.reduce((sum, { speed }) => sum + Math.max(1, Math.round(speed / slowest)), 0)
  const deals = Math.min(rows, MAX_DEALS, wanted)
  const owners = dealWeighted(able, deals)
  const { stepX, stepY, dx, dy } = latticeOf(cell)
  const tiles = owners.map((owner, deal): PlannedTile => {
    const pattern = { kind: 'lattice', stepX, stepY: stepY * deals, dx, dy: dy + deal * stepY } as const
    return { rect, pattern, worker: owner.id }
  })
  return tiles.filter(hasPixels)
}

/** `count` owners in proportion to the areas' speeds, each area's turns spread evenly. */
function dealWeighted(areas: readonly AreaShare[], count: number): AreaShare[] {
  const total = areas.reduce((sum, { speed }) => sum + speed, 0)
  const given = areas.map(() => 0)
  return Array.from({ length: count }, (_, deal) => {
    // The area furthest behind its share so far.
    let next = 0
    let most = Number.NEGATIVE_INFINITY
    for (const [i, { speed }] of areas.entries()) {
      const behind = ((deal + 1) * speed) / total - given[i]!
      if (behind > most) [most, next] = [behind, i]
    }
    given[next]!++
    return areas[next]!
  })
}

/** The tiles of a plan without the pixels that a probe has already traced. */
export const withoutLattice = (tiles: readonly PlannedTile[], lattice: Lattice): PlannedTile[] =>
  tiles.map(tile => ({ ...tile, pattern: { kind: 'gaps' as const, ...lattice } })).filter(hasPixels)

/** Cuts a tile into pieces of whole rows that are small enough. */
export function piecesOf(tile: PlannedTile, mostPx: number): PlannedTile[] {
  const { rect } = tile
  const rows = Math.max(1, Math.floor(mostPx / rect.w))
  if (rect.h <= rows) return [tile]
  const [first, rest] = splitRect(rect, 'y', rows)
  const piece = { ...tile, rect: first }
  return [...(hasPixels(piece) ? [piece] : []), ...piecesOf({ ...tile, rect: rest }, mostPx)]
}

/** Of a tile that is cut because it has many samples: workers trace squares of so many rows. */
const LEAST_ROWS = 8

/** The most pixels of a tile for so many samples of each; at least those of some rows are. */
export function mostPxOf(
  { mostTileSamples, size }: { readonly mostTileSamples?: number | undefined; readonly size: Size },
  { from, to }: SampleRange,
): number {
  if (mostTileSamples === undefined) return Number.POSITIVE_INFINITY
  return Math.max(size[0] * LEAST_ROWS, Math.floor(mostTileSamples / (to - from)))
}
