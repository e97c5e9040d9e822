/** Samples any cost field into a cost map. */
import type { Size } from '../../shared/frame/rect.ts'
import type { CostField } from './cost-field.ts'
import { CostMap } from './cost-map.ts'

/** In the field's own unit, cells of side `cell`, px; depths unknown. */
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
