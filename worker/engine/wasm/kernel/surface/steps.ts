/** Work that pixels cost, in traversal steps, for the costs that balancing goes by. */
import { Ray } from '../records'
import { steps } from './workspace'

/** Adds a traced ray's steps, and `more`, to those of a pixel. */
@inline
export function countSteps(pixel: u32, ray: u32, more: u32 = 0): void {
  const count = steps + pixel * 4
  store<u32>(count, load<u32>(count) + Ray.steps(ray) + more)
}
