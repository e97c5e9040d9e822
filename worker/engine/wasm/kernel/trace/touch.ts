/**
 * Prefetching: WebAssembly has no prefetch instruction, but a load whose result is not needed soon acts as one. Triangle4s are
 * rarely in the caches; coherent single rays find their nodes there.
 */
import { Triangle4 } from '../records'
import { CURRENT } from './ray-context'

/** Sum of the values loaded, so that compilers do not drop the loads. */
let touched: u32 = 0

/** Touches the four cache lines of the nodes that the listed rays visit next. */
export function touchNodes(list: u32, end: u32): void {
  let sum: u32 = 0
  for (; list < end; list += 4) {
    const node = load<u32>(load<u32>(list), CURRENT)
    sum += load<u32>(node) + load<u32>(node, 64) + load<u32>(node, 128) + load<u32>(node, 192)
  }
  touched = sum
}

/** Touches the three cache lines of the triangle4s that the listed rays visit next. */
export function touchTriangle4s(list: u32, end: u32): void {
  let sum: u32 = 0
  for (; list < end; list += 4) {
    const triangle4 = load<u32>(load<u32>(list), CURRENT) - 1
    sum += load<u32>(triangle4) + load<u32>(triangle4, 64) + Triangle4.id(triangle4)
  }
  touched = sum
}
