/** A cost map made cell by cell. */
import { CostMap } from './cost-map.ts'

/** A map with the grid of `like`, its costs those that `costOf` says for each cell's number, at least 0. */
export function combine(like: CostMap, costOf: (cell: number) => number): CostMap {
  const map = new CostMap(like.size, like.cell)
  for (let i = 0; i < map.costs.length; i++) map.costs[i] = Math.max(0, costOf(i))
  return map
}
