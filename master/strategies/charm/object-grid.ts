/** The objects of the Charm++ balancers: equal small tiles of the frame, in row-major order, with their costs. */
import type { Rect, Size } from '../../../shared/frame/rect.ts'
import type { CostMap } from '../../costs/cost-map.ts'
import type { AreaShare, PlannedTile } from '../strategy.ts'

export interface ObjectGrid {
  readonly size: Size
  /** Side of an object, px; those at the right and bottom edges are clipped. */
  readonly tile: number
  readonly columns: number
  readonly rows: number
}

/** Minimum cost of an object, as a share of the average: the clock may have missed a few rays, but none is free. */
const MIN_SHARE = 1e-3

/** Default side of an object, px. */
export const TILE_PX = 32
/** Costs are by default measured in cells of this side: smaller objects would only appear to differ. */
const MIN_TILE_PX = 8
/** With fewer objects than this per worker, each weighs too much to be moved. */
const OBJECTS_PER_WORKER = 8

/** The side of a frame's objects for this many workers: 32 px, or half or a quarter of that if there would be too few. */
export function fittingTile(size: Size, workers: number): number {
  const enough = (tile: number) => {
    const { columns, rows } = objectGrid(size, tile)
    return columns * rows >= OBJECTS_PER_WORKER * workers
  }
  let tile = TILE_PX
  while (tile > MIN_TILE_PX && !enough(tile)) tile /= 2
  return tile
}

export const objectGrid = (size: Size, tile: number): ObjectGrid => ({
  size,
  tile,
  columns: Math.ceil(size[0] / tile),
  rows: Math.ceil(size[1] / tile),
})

/** Load of each object: measured ms of a worker of speed 1, or its number of pixels without a measurement. */
export function objectLoads(grid: ObjectGrid, measured: CostMap | undefined): Float64Array {
  const total = measured?.total ?? 0
  const [w, h] = grid.size
  const field = total > 0 ? measured?.field() : undefined
  const leastPerPixel = (MIN_SHARE * total) / (w * h)
  return Float64Array.from({ length: grid.columns * grid.rows }, (_, object) => {
    const rect = objectRect(grid, object)
    const pixels = rect.w * rect.h
    return field ? Math.max(field.total(rect), leastPerPixel * pixels) : pixels
  })
}

/** One tile per worker: its objects, within their bounding rectangle. A worker without objects gets none. */
export function objectTiles(grid: ObjectGrid, owners: Int32Array, workers: readonly AreaShare[]): PlannedTile[] {
  const cells: number[][] = workers.map(() => [])
  for (let object = 0; object < owners.length; object++) cells[owners[object]!]!.push(object)
  return workers.flatMap(({ id }, i) => {
    const own = cells[i]!
    if (own.length === 0) return []
    const { columns, tile } = grid
    const rect = boundsOf(grid, own)
    const pattern = { kind: 'cells', cellW: tile, cellH: tile, columns, cells: own } as const
    const full = Math.ceil(rect.w / tile) * Math.ceil(rect.h / tile) === own.length
    return [full ? { rect, worker: id } : { rect, pattern, worker: id }]
  })
}

function objectRect({ size, tile, columns }: ObjectGrid, object: number): Rect {
  const x = (object % columns) * tile
  const y = Math.floor(object / columns) * tile
  return { x, y, w: Math.min(tile, size[0] - x), h: Math.min(tile, size[1] - y) }
}

function boundsOf({ size, tile, columns }: ObjectGrid, objects: readonly number[]): Rect {
  let [left, right] = [columns, 0]
  for (const object of objects) {
    left = Math.min(left, object % columns)
    right = Math.max(right, object % columns)
  }
  // Objects are in ascending order, so the first and the last are in the first and the last row.
  const top = Math.floor(objects[0]! / columns)
  const bottom = Math.floor(objects.at(-1)! / columns)
  const [x, y] = [left * tile, top * tile]
  return { x, y, w: Math.min((right + 1) * tile, size[0]) - x, h: Math.min((bottom + 1) * tile, size[1]) - y }
}
