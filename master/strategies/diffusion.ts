/**
 * Diffusion: load flows from a worker to its neighbours in image space, like heat, and tile edges move with it (Lin et
 * al., §II.C, after Corradi, Leonardi & Zambonelli, "Diffusive Load-Balancing Policies for Dynamic Applications", IEEE
 * Concurrency 7(1), 1999, and Heirich & Taylor, "A Parabolic Load Balancing Method", ICPP 1995). The scheme is Cybenko's
 * first-order one ("Dynamic Load Balancing for Distributed Memory Multiprocessors", JPDC 7(2), 1989): the flow between
 * two neighbours is α times the difference of their times in the last frame alone, one step per frame.
 *
 * The screen is a stack of bands, each cut into tiles side by side; an edge between two tiles of a band, or between two
 * bands, moves into the giver by as many pixels as make up the flow, assuming evenly distributed cost. So tiles stay
 * rectangular. α = 1 / (1 + d), where d is the maximum number of neighbours of a tile: 1/5 in a stack, 1/3 in a single
 * band; this is Cybenko's bound that prevents a worker from giving away more than it has.
 */
import type { Size } from '../../shared/frame/rect.ts'
import { sameWorkers } from './same-workers.ts'
import { type AreaShare, type PlannedTile, remembering, workingShares } from './strategy.ts'
import { plannedCosts } from './tiles/tile-costs.ts'

export const diffusion = remembering<readonly Band[]>({
  name: 'diffusion',
  summary: 'load flows between neighbours in image space, and the edges between their tiles move',
  advice: 'every worker only needs to know its neighbours; takes many frames to move load across the screen',
  source: 'Cybenko 1989; Heirich & Taylor 1995; Corradi et al. 1999; Lin et al., §II.C',
  plan(input) {
    const { size, previous } = input
    const workers = workingShares(input.workers).slice(0, size[0] * size[1])
    const last = previous?.plan.memory
    const goOn = previous && last && sameWorkers(previous.workers, input.workers)
    const bands = goOn ? flow(last, workers, plannedCosts(previous, input.clock)) : evenBands(size, workers)
    return { tiles: tilesOf(bands, workers), memory: bands }
  },
})

/**
 * A band of tiles: the ends of its tiles and of the band, in columns and rows of the frame. Not rounded, so that flows of
 * less than a pixel per step add up; any two edges are at least 1 apart.
 */
interface Band {
  readonly end: number
  readonly tileEnds: readonly number[]
}

/** Element of a row of neighbours: a band of a stack, or a tile of a band. */
interface Part {
  readonly cost: number
  readonly speed: number
}

/** Tiles as square as possible, each in proportion to its worker's speed. */
function evenBands([w, h]: Size, workers: readonly AreaShare[]): Band[] {
  const count = workers.length
  const square = Math.round(Math.sqrt((count * h) / w))
  const bands = Math.min(Math.max(square, Math.ceil(count / w), 1), h, count)
  const rows = Array.from({ length: bands }, (_, i) =>
    workers.slice(Math.floor((i * count) / bands), Math.floor(((i + 1) * count) / bands)),
  )
  const ends = endsBySpeed(
    rows.map(row => ({ cost: 0, speed: row.reduce((sum, worker) => sum + worker.speed, 0) })),
    h,
  )
  return rows.map((row, i) => ({
    end: ends[i]!,
    tileEnds: endsBySpeed(
      row.map(({ speed }) => ({ cost: 0, speed })),
      w,
    ),
  }))
}

function endsBySpeed(parts: readonly Part[], length: number): number[] {
  const total = parts.reduce((sum, part) => sum + part.speed, 0)
  let sum = 0
  return apart(
    parts.map(({ speed }) => {
      sum += speed
      return Math.round((length * sum) / total)
    }),
    length,
  )
}

/** One step of diffusion. `costs` are those of the tiles, band by band. */
function flow(bands: readonly Band[], workers: readonly AreaShare[], costs: Float64Array): Band[] {
  let next = 0
  const parts = bands.map(({ tileEnds }) =>
    tileEnds.map((): Part => ({ speed: workers[next]!.speed, cost: costs[next++]! })),
  )
  const widest = Math.max(...parts.map(tiles => tiles.length))
  const rate = 1 / (1 + neighbours(bands.length) + neighbours(widest))
  const stack = parts.map(tiles =>
    tiles.reduce((sum, part) => ({ speed: sum.speed + part.speed, cost: sum.cost + part.cost })),
  )
  const ends = movedEnds(
    bands.map(band => band.end),
    stack,
    rate,
  )
  return bands.map(({ tileEnds }, i) => ({ end: ends[i]!, tileEnds: movedEnds(tileEnds, parts[i]!, rate) }))
}

/** Maximum number of neighbours of a part in a row of `count`. */
const neighbours = (count: number): number => Math.min(2, count - 1)

function movedEnds(ends: readonly number[], parts: readonly Part[], rate: number): number[] {
  const moved = ends.map((end, i) => {
    const [a, b] = [parts[i]!, parts[i + 1]]
    if (!b) return end
    // Between workers of unequal speed, the slower one limits the flow (Elsässer, Monien & Preis 2000).
    const flowing = rate * Math.min(a.speed, b.speed) * (a.cost / a.speed - b.cost / b.speed)
    if (flowing === 0) return end
    const giver = flowing > 0 ? i : i + 1
    const costPerPx = parts[giver]!.cost / (ends[giver]! - (ends[giver - 1] ?? 0))
    return end - flowing / costPerPx
  })
  return apart(moved, ends.at(-1)!)
}

/** Keeps edges in order and at least a pixel apart, and the last one at the frame's edge; `length` has room for all of them. */
function apart(ends: readonly number[], length: number): number[] {
  const kept = [...ends]
  for (let i = 0; i < kept.length; i++) kept[i] = Math.max(kept[i]!, (kept[i - 1] ?? 0) + 1)
  kept[kept.length - 1] = length
  for (let i = kept.length - 2; i >= 0; i--) kept[i] = Math.min(kept[i]!, kept[i + 1]! - 1)
  return kept
}

function tilesOf(bands: readonly Band[], workers: readonly AreaShare[]): PlannedTile[] {
  let next = 0
  let y = 0
  return bands.flatMap(({ end, tileEnds }) => {
    const bottom = Math.round(end)
    let x = 0
    const tiles = tileEnds.map((tileEnd): PlannedTile => {
      const right = Math.round(tileEnd)
      const tile = { rect: { x, y, w: right - x, h: bottom - y }, worker: workers[next++]!.id }
      x = right
      return tile
    })
    y = bottom
    return tiles
  })
}
