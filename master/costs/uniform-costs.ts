/** Every pixel costs the same: the assumption when nothing is known. */
import { area, extent } from '../../shared/frame/rect.ts'
import type { CostField } from './cost-field.ts'

export const uniformCosts: CostField = {
  total: area,
  within: () => uniformCosts,
  profile: (rect, axis) => new Float64Array(extent(rect, axis)).fill(area(rect) / extent(rect, axis)),
}
