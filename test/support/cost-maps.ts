/** Cost maps for tests: made of numbers, with something that costs more than the rest. */
import { CostMap } from '../../master/costs/cost-map.ts'
import type { FrameWorkload } from '../../master/simulator/simulate-frame.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { smallCamera } from './small-scene.ts'

/** A body in the middle costs ten times what its surroundings do; `shift` moves it to the right, px. */
export function bodyCosts(size: Size, cell: number, shift = 0): CostMap {
  const map = new CostMap(size, cell)
  const [w, h] = size
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < map.columns; column++) {
      const [x, y] = [(column + 0.5) * cell - shift, (row + 0.5) * cell]
      const inside = Math.hypot((x - w / 2) / (w / 5), (y - h / 2) / (h / 3)) < 1
      const at = row * map.columns + column
      map.costs[at] = map.area(column, row) * (inside ? 0.01 : 0.001)
      map.depths[at] = inside ? 5 : Number.POSITIVE_INFINITY
    }
  }
  return map
}

/** The body wanders `step` px a frame. */
export const bodyFrames = (size: Size, count: number, step = 1, cell = 4): FrameWorkload[] =>
  Array.from({ length: count }, (_, frame) => ({
    frame,
    camera: smallCamera(0),
    costs: bodyCosts(size, cell, frame * step),
  }))
