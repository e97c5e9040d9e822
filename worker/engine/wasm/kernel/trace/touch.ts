/**
 * Touching memory before it is needed: WebAssembly has no prefetch, but loads that nobody waits for are one. Packets are
 * rarely in the caches; single rays that go much the same way find their nodes there.
 */
import { PACKET_IDS } from '../layout'
import { CURRENT } from './ray-context'

/** Sum of what was touched, so that no compiler leaves the touching out. */
let touched: u32 = 0

/** Touches the four cache lines of the nodes that the rays listed come to next. */
export function touchNodes(list: u32, end: u32): void {
  let sum: u32 = 0
  for (; list < end; list += 4) {
    const node = load<u32>(load<u32>(list), CURRENT)
    sum += load<u32>(node) + load<u32>(node, 64) + load<u32>(node, 128) + load<u32>(node, 192)
  }
  touched = sum
}

/** Touches the three or four cache lines of the packets that the rays listed come to next. */
export function touchPackets(list: u32, end: u32): void {
  let sum: u32 = 0
  for (; list < end; list += 4) {
    const packet = load<u32>(load<u32>(list), CURRENT) - 1
    sum += load<u32>(packet) + load<u32>(packet, 64) + load<u32>(packet, PACKET_IDS)
  }
  touched = sum
}
