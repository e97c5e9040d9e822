/**
 * Splitting and merging without a tree of predictions: a heavy tile is divided in two, light ones are combined (Lin et
 * al., §II.C; Roble, "A Load Balanced Parallel Scanline Z-Buffer Algorithm for the iPSC Hypercube", Pixim 1988, listed
 * there as "DOUGLAS R. A."). Before each frame, a tile that cost more than half of a worker's fair share is cut in the
 * middle, and two halves of one cut that together cost less than a quarter of it merge again; the gap between the two
 * thresholds keeps a tile from being split and merged alternately. So there are more tiles than workers; how many depends
 * on the picture. They are assigned longest first.
 */
import { area, extent, frameRect, longerAxis, type Rect, type Size, splitRect } from '../../shared/frame/rect.ts'
import { type FrameInput, remembering, workingShares } from './strategy.ts'
import { longestFirst } from './tiles/longest-first.ts'
import { plannedCosts } from './tiles/tile-costs.ts'

/** Thresholds, as shares of a worker's fair share. */
const HEAVY_TILE = 1 / 2
const LIGHT_PAIR = 1 / 4
/** Minimum number of tiles per worker in the first frame, about which nothing is known. */
const FIRST_TILES = 2

export const splitMerge = remembering<Paths>({
  name: 'split-merge',
  summary: 'heavy tiles are split in two, light halves merged; handed out longest first',
  advice: 'coarse costs suffice, as tiles need not be equal; tiles split once per frame, so settling takes some frames',
  source: 'Roble, "A Load Balanced Parallel Scanline Z-Buffer Algorithm", 1988; Lin et al., §II.C',
  plan(input) {
    const workers = workingShares(input.workers)
    const known = lastTiles(input)
    const tiles = known ? splitAndMerge(known, workers.length) : firstTiles(input.size, FIRST_TILES * workers.length)
    const dealt = longestFirst(tiles, workers)
    return {
      tiles: dealt.map(({ rect, worker }) => ({ rect, worker })),
      memory: dealt.map(tile => tile.path),
      decisions: { tiles: tiles.length },
    }
  },
})

/** The memory: the path of each tile, in the order of the plan; see `HalvedTile`. */
type Paths = readonly number[]

/** A tile produced by halving the frame repeatedly. */
interface HalvedTile {
  readonly rect: Rect
  /** 1 for the frame, 2n and 2n + 1 for the halves of n. A frame has fewer than 2²⁸ pixels, so 32 bits are enough. */
  readonly path: number
  readonly cost: number
}

function firstTiles(size: Size, least: number): HalvedTile[] {
  const rect = frameRect(size)
  let tiles: HalvedTile[] = [{ rect, path: 1, cost: area(rect) }]
  while (tiles.length < least && tiles.some(isDivisible)) tiles = tiles.flatMap(halves)
  return tiles
}

function lastTiles({ previous, clock }: FrameInput<Paths>): HalvedTile[] | undefined {
  const paths = previous?.plan.memory
  if (!previous || !paths) return undefined
  const costs = plannedCosts(previous, clock)
  return previous.plan.tiles.map(({ rect }, i) => ({ rect, path: paths[i]!, cost: costs[i]! }))
}

/** Every heavy tile splits once and every light pair merges, but never to fewer tiles than there are workers. */
function splitAndMerge(tiles: readonly HalvedTile[], workers: number): HalvedTile[] {
  const share = tiles.reduce((sum, tile) => sum + tile.cost, 0) / workers
  const byPath = new Map(tiles.map(tile => [tile.path, tile]))
  for (const first of tiles) {
    const second = byPath.get(first.path + 1)
    if (byPath.size <= workers || first.path % 2 === 1 || !second) continue
    if (first.cost + second.cost >= LIGHT_PAIR * share) continue
    byPath.delete(first.path)
    byPath.delete(second.path)
    byPath.set(first.path >> 1, merged(first, second))
  }
  return [...byPath.values()].flatMap(tile => (tile.cost > HEAVY_TILE * share ? halves(tile) : [tile]))
}

const isDivisible = ({ rect }: HalvedTile): boolean => area(rect) > 1

/** The halves of a tile, with its cost divided evenly; the tile itself if it is a single pixel. */
function halves(tile: HalvedTile): HalvedTile[] {
  if (!isDivisible(tile)) return [tile]
  const { rect, path, cost } = tile
  const axis = longerAxis(rect)
  return splitRect(rect, axis, extent(rect, axis) >> 1).map((half, i) => ({
    rect: half,
    path: 2 * path + i,
    cost: (cost * area(half)) / area(rect),
  }))
}

const merged = (first: HalvedTile, second: HalvedTile): HalvedTile => ({
  rect: {
    ...first.rect,
    w: second.rect.x + second.rect.w - first.rect.x,
    h: second.rect.y + second.rect.h - first.rect.y,
  },
  path: first.path >> 1,
  cost: first.cost + second.cost,
})
