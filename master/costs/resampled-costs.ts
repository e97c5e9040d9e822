/** Costs in the cells of another map: of any cost field, or of a small picture for a large one from the same camera. */
import type { Size } from '../../shared/frame/rect.ts'
import type { CostField } from './cost-field.ts'
import { CostMap } from './cost-map.ts'

/** A cost field as a map, in the field's own unit, cells of side `cell`, px; depths unknown. */
export function sampledCosts(field: CostField, size: Size, cell: number): CostMap {
  const map = new CostMap(size, cell)
  const { columns, rows, costs } = map
  for (let row = 0; row < rows; row++) {
    const strip = { x: 0, y: row * cell, w: size[0], h: map.height(row) }
    const profile = field.within(strip).profile(strip, 'x')
    for (let x = 0; x < profile.length; x++) costs[row * columns + Math.floor(x / cell)]! += profile[x]!
  }
  return map
}

/**
 * Expected costs in cells of `cell` px of a frame of `size`, from a picture of it at another size: every pixel takes the
 * cost and the depth found at its place there.
 */
export function enlarge(picture: CostMap, size: Size, cell: number): CostMap {
  const map = new CostMap(size, cell)
  const field = picture.field()
  const [across, down] = [picture.size[0] / size[0], picture.size[1] / size[1]]
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < map.columns; column++) {
      const [x, y] = [(column * cell + map.width(column) / 2) * across, (row * cell + map.height(row) / 2) * down]
      const at = { x: Math.floor(x), y: Math.floor(y), w: 1, h: 1 }
      const index = row * map.columns + column
      map.costs[index] = field.total(at) * map.area(column, row)
      map.depths[index] =
        picture.depths[Math.floor(at.y / picture.cell) * picture.columns + Math.floor(at.x / picture.cell)]!
    }
  }
  return map
}
